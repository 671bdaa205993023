"""Plays a package to find out whether its rewards can be trusted: what only a session can show."""

from brownout.qa.package_check import TIERS, check_package, check_task
from brownout.qa.rule_results import PlayedCase, RuleResult, TaskReport

__all__ = ["TIERS", "PlayedCase", "RuleResult", "TaskReport", "check_package", "check_task"]
