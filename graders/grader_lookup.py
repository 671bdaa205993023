"""Finds graders by name."""

from typing import cast

from brownout.core.grading import Grader
from brownout.core.plugins import load_plugin

__all__ = ["load_grader"]


def load_grader(name: str) -> Grader:
    """The grader of that name.

    Raises:
        UnknownPlugin: there is none.
    """
    return cast(Grader, load_plugin("graders", name))
