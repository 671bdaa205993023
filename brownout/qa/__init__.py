"""Plays a package to find out whether its rewards can be trusted: what only a session can show."""

from brownout.qa.findings import Finding, TaskReport
from brownout.qa.tiers import TIERS, check_package, check_task

__all__ = ["TIERS", "Finding", "TaskReport", "check_package", "check_task"]
