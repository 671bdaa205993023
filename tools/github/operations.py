"""What an account may do in GitHub: look at code, change it on branches, and bring it in by pull requests."""

from collections.abc import Mapping

from brownout.core.apps import Operation
from tools.github import browsing, history, pulls, reviewing, writing

__all__ = ["operations"]

operations: Mapping[str, Operation] = {
    **browsing.operations,
    **history.operations,
    **writing.operations,
    **pulls.operations,
    **reviewing.operations,
}
