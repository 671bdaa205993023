"""A grader: something is on the list."""

from brownout.core.grading import EndState, Grader, GradingContext, Verdict
from brownout.core.instants import Instant
from brownout.core.values import Json


class _Listed:
    name = "listed"
    version = 1

    def check(self, asks: Json) -> list[str]:
        return [] if isinstance(asks, str) else ["listed takes a text"]

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: GradingContext) -> Verdict:
        found = end.find("todo", str(asks))
        return Verdict(bool(found), float(bool(found)), f"{len(found)} items", tuple(thing.path for thing in found))


listed: Grader = _Listed()
