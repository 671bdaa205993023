"""A grading process: plays recorded runs again and judges them, one after the other, for a pool that hands it work.

A line of JSON in, lines of JSON out: `{"id", "run", "package", "calls"}`, or `"paths": true` for the paths of what a run changed;
`{"id", "doing", "done"}` while it works, then `{"id", "result"}` or `{"id", "error"}`. `{"cancel": id}` ends the work before the
next turn; what was played so far is kept. What graders print goes to stderr.
"""

import os
import select
import sys
from collections import OrderedDict
from pathlib import Path
from typing import BinaryIO

import orjson

from brownout.core.errors import BrownoutError
from brownout.core.values import JsonObject
from brownout.rollouts.recorder import read_run
from studio.episodes.replayer import Replayer
from worlds.package import open_package

__all__ = ["main"]

_OPEN = 2
"""Runs that are kept as far as they were played."""


class _GradingCancelled(Exception):
    """Nobody waits for it any more."""


class _Grader:
    def __init__(self, given: BinaryIO, out: BinaryIO) -> None:
        self._given, self._out = given, out
        self._open: OrderedDict[tuple[str, str, int], Replayer] = OrderedDict()
        self._id = 0

    def work(self) -> None:
        """Do what is asked until nobody asks any more."""
        self._say({"ready": True})
        for line in self._given:
            asked = orjson.loads(line)
            if "id" in asked:
                self._id = int(asked["id"])
                self._answer(asked)

    def _answer(self, asked: JsonObject) -> None:
        try:
            replayer = self._replayer(str(asked["run"]), str(asked["package"]))
            result: object = replayer.paths(self._tell) if asked.get("paths") else self._grade(replayer, asked)
            self._say({"id": self._id, "result": result})
        except _GradingCancelled:
            self._say({"id": self._id, "cancelled": True})
        except BrownoutError as error:
            self._say({"id": self._id, "error": str(error)})
        except Exception as error:
            self._say({"id": self._id, "error": f"it could not be graded: {type(error).__name__}: {error}"[:2000]})

    def _grade(self, replayer: Replayer, asked: JsonObject) -> JsonObject:
        return replayer.grade_after(int(str(asked["calls"])), self._tell)

    def _replayer(self, run: str, package: str) -> Replayer:
        folder = Path(run)
        key = (run, package, (folder / "trajectory.jsonl").stat().st_size)
        if key not in self._open:
            while len(self._open) >= _OPEN:
                self._open.popitem(last=False)[1].close()
            self._tell("Opening the world", 0.0)
            self._open[key] = Replayer(open_package(Path(package)), read_run(folder))
        self._open.move_to_end(key)
        return self._open[key]

    def _tell(self, doing: str, done: float) -> None:
        while select.select([self._given], [], [], 0)[0]:
            line = self._given.readline()
            if not line:
                raise SystemExit(0)
            if orjson.loads(line).get("cancel") == self._id:
                raise _GradingCancelled
        self._say({"id": self._id, "doing": doing, "done": round(done, 3)})

    def _say(self, line: dict[str, object]) -> None:
        self._out.write(orjson.dumps(line) + b"\n")
        self._out.flush()


def main() -> None:
    """Serve the pool at the other ends of stdin and stdout."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    _Grader(os.fdopen(os.dup(0), "rb", buffering=0), out).work()


if __name__ == "__main__":
    main()
