"""Plays a package to find out whether its rewards can be trusted: what only a session can show."""

from brownout.qa.findings import PlayedCase, QaFinding, TaskReport
from brownout.qa.package_check import TIERS, check_package, check_task

__all__ = ["TIERS", "PlayedCase", "QaFinding", "TaskReport", "check_package", "check_task"]
