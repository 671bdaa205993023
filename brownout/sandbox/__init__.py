"""Runs agent-written code, and only here: bubblewrap, a system-call filter, limits, no network but the session's proxy.

Where the sandbox cannot run it says so (`SandboxUnavailable`); there is no weaker second choice.
"""

from brownout.sandbox.ahead import ahead
from brownout.sandbox.hidden import HiddenOutcome, HiddenRun, run_hidden_tests
from brownout.sandbox.kept_runs import kept_hidden_run, kept_visible_run
from brownout.sandbox.limits import Limits, Stop
from brownout.sandbox.masks import normalise
from brownout.sandbox.probe import probe
from brownout.sandbox.sandbox import Finished, Sandbox
from brownout.sandbox.staging import staged
from brownout.sandbox.subject import Handle, Subject, SubjectFailure, same
from brownout.sandbox.visible import TestOutcome, TestRun, run_visible_tests
from brownout.sandbox.workspace import Changes, Workspace, WorkspaceEntry

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
    "kept_hidden_run",
    "kept_visible_run",
    "normalise",
    "probe",
    "run_hidden_tests",
    "run_visible_tests",
    "same",
    "staged",
]
