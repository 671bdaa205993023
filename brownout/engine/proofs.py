"""Whether a commit passes a hidden test: services behave by the code that runs, not by what is said of it.

Verdicts on the commits of the past are recorded in the package; others are reached in the sandbox when they are
first needed, and kept for as long as the world is open.
"""

from collections.abc import Callable, Mapping

from brownout.core.errors import SandboxError
from brownout.engine.setting import Setting
from brownout.sandbox import run_hidden_tests
from brownout.store import Rows

__all__ = ["Proofs"]


class Proofs:
    """The verdicts of one open world."""

    def __init__(self, setting: Setting, recorded: Mapping[str, Mapping[str, bool]]) -> None:
        """Take what is known.

        Args:
            setting: of the world.
            recorded: by commit, then by hidden test's file name.
        """
        self._setting = setting
        self._known: dict[tuple[str, str], bool] = {
            (commit, test): passed for commit, tests in recorded.items() for test, passed in tests.items()
        }

    def proves(self, rows: Callable[[], Rows], service: str, commit: str, test: str) -> bool:
        """Whether the commit passes; a service without a commit or a repository passes nothing.

        Raises:
            SandboxUnavailable: the verdict is not recorded and cannot be reached here.
        """
        name = test.rpartition("/")[2]
        repository = self._setting.services[service].repo if service in self._setting.services else ""
        if not commit or not repository:
            return False
        if (commit, name) not in self._known:
            self._known[commit, name] = self._judged(rows(), repository, commit, name)
        return self._known[commit, name]

    def _judged(self, rows: Rows, repository: str, commit: str, name: str) -> bool:
        keeper = next((app.trees for app in self._setting.apps.values() if app.trees is not None), None)
        path = self._setting.folder / "graders" / "hidden" / repository / name
        if keeper is None or not path.is_file():
            return False
        tree = keeper(rows, self._setting.folder, repository, commit)
        run = run_hidden_tests(tree, {name: path.read_text("utf-8")}, self._setting.seed)
        if run.errors:
            raise SandboxError(f"{name} could not be judged on {commit[:10]}: {run.errors[0]}")
        return run.passed
