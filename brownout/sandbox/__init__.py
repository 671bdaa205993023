"""Runs agent-written code, and only here: bubblewrap, a system-call filter, limits, no network but the session's proxy.

Where the sandbox cannot run it says so (`SandboxUnavailable`); there is no weaker second choice.

What starts runs of tests and keeps them is loaded when it is first used: the process in which hidden tests run is started for
every grade, imports this package and needs none of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from brownout.sandbox.hidden_outcomes import HiddenOutcome, HiddenRun
from brownout.sandbox.limits import Limits, Stop
from brownout.sandbox.output_masks import normalise
from brownout.sandbox.parallel_runs import ahead
from brownout.sandbox.probe import probe
from brownout.sandbox.sandbox import Finished, Sandbox
from brownout.sandbox.staged_checkout import staged
from brownout.sandbox.subject import Handle, Subject, SubjectFailure, same
from brownout.sandbox.visible_tests import TestOutcome, TestRun, compile_visible_tests, run_visible_tests
from brownout.sandbox.workspace import Changes, Workspace, WorkspaceEntry

if TYPE_CHECKING:
    from brownout.sandbox.hidden_tests import run_hidden_tests
    from brownout.sandbox.kept_runs import kept_hidden_run, kept_visible_run

__all__ = [
    "Changes",
    "Finished",
    "Handle",
    "HiddenOutcome",
    "HiddenRun",
    "Limits",
    "Sandbox",
    "Stop",
    "Subject",
    "SubjectFailure",
    "TestOutcome",
    "TestRun",
    "Workspace",
    "WorkspaceEntry",
    "ahead",
    "compile_visible_tests",
    "kept_hidden_run",
    "kept_visible_run",
    "normalise",
    "probe",
    "run_hidden_tests",
    "run_visible_tests",
    "same",
    "staged",
]

_HOMES = {
    "kept_hidden_run": "brownout.sandbox.kept_runs",
    "kept_visible_run": "brownout.sandbox.kept_runs",
    "run_hidden_tests": "brownout.sandbox.hidden_tests",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'brownout.sandbox' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
