"""Whether a commit passes a hidden test: services behave by the code that runs, not by what is said of it.

Verdicts on the commits of the past are recorded in the package; others are reached in the sandbox when they are
first needed, and kept for as long as the world is open. Tests enter through the files that their author names as they were
at the start, as they do when a task is graded.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import orjson

from brownout.core.app_roles import KeepsRepositories
from brownout.core.errors import SandboxError
from brownout.core.values import digest_of
from brownout.engine.simulation_setting import Setting
from brownout.sandbox import kept_hidden_run
from brownout.store import StoreRows
from worlds.hidden_test_harness import with_harness

__all__ = ["Proofs", "harness_of"]


def harness_of(folder: Path, repository: str) -> Sequence[str]:
    """The files of a repository through which hidden tests enter its code, as the package in that folder has them."""
    path = folder / "graders" / "hidden" / repository / "harness.json"
    return [str(name) for name in orjson.loads(path.read_bytes())] if path.is_file() else ()


class Proofs:
    """The verdicts of one open world."""

    def __init__(self, setting: Setting, recorded: Mapping[str, Mapping[str, bool]]) -> None:
        """Take what is known.

        Args:
            setting: of the world.
            recorded: by commit, then by hidden test's file name.
        """
        self._setting = setting
        self._known: dict[tuple[str, str, str], bool] = {
            (commit, test, ""): passed for commit, tests in recorded.items() for test, passed in tests.items()
        }

    def proves(
        self,
        rows: Callable[[], StoreRows],
        service: str,
        commit: str,
        test: str,
        start: Callable[[], StoreRows] | None = None,
    ) -> bool:
        """Whether the commit passes; a service without a commit or a repository passes nothing.

        Args:
            start: the tables as they were when the task began, where there is one.

        Raises:
            SandboxUnavailable: the verdict is not recorded and cannot be reached here.
        """
        name = test.rpartition("/")[2]
        repository = self._setting.services[service].repo if service in self._setting.services else ""
        if not commit or not repository:
            return False
        if (commit, name, "") in self._known:
            return self._known[commit, name, ""]
        base = self._base(repository, start) if start is not None else {}
        key = (commit, name, digest_of(*(part for path in sorted(base) for part in (path, base[path]))))
        if key not in self._known:
            self._known[key] = self._judged(rows(), repository, commit, name, base)
        return self._known[key]

    def _base(self, repository: str, start: Callable[[], StoreRows]) -> Mapping[str, bytes]:
        """The harness's files as they were on the main branch when the task began."""
        harness, keeper = harness_of(self._setting.folder, repository), self._keeper()
        if not harness or keeper is None:
            return {}
        tree = keeper.files(start(), self._setting.folder, repository, "main")
        return {path: tree[path] for path in harness if path in tree}

    def _keeper(self) -> KeepsRepositories | None:
        return next(filter(None, (app.role(KeepsRepositories) for app in self._setting.apps.values())), None)

    def _judged(self, rows: StoreRows, repository: str, commit: str, name: str, base: Mapping[str, bytes]) -> bool:
        keeper = self._keeper()
        path = self._setting.folder / "graders" / "hidden" / repository / name
        if keeper is None or not path.is_file():
            return False
        tree = keeper.files(rows, self._setting.folder, repository, commit)
        harness = harness_of(self._setting.folder, repository)
        if base:
            tree = with_harness(tree, base, harness)
        tests = {name: path.read_text("utf-8")}
        run = kept_hidden_run(tree, tests, self._setting.seed, harness=harness)
        if run.errors:
            raise SandboxError(f"{name} could not be judged on {commit[:10]}: {run.errors[0]}")
        return run.passed
