"""Plays a package to find out whether its rewards can be trusted: what only a session can show."""

from brownout.qa.checking import TIERS, check_package, check_task
from brownout.qa.findings import PlayedCase, QaFinding, TaskReport

__all__ = ["TIERS", "PlayedCase", "QaFinding", "TaskReport", "check_package", "check_task"]
