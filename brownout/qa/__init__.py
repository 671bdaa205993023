"""Plays a package to find out whether its rewards can be trusted: what only a session can show."""

from brownout.qa.package_check import TIERS, check_package, check_task
from brownout.qa.rule_findings import PlayedCase, QaFinding, TaskReport

__all__ = ["TIERS", "PlayedCase", "QaFinding", "TaskReport", "check_package", "check_task"]
