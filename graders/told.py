"""Judges whether people were told what they had to be told.

    told: {facts: [hold-is-10], whom: ["#ops", marcus], over: any}

Every fact must have reached everyone named; a person is reached by anything they can read.
"""

from brownout.core.errors import GradingError
from brownout.core.grading import EndState, Grader, Verdict
from brownout.core.instants import Instant
from brownout.core.values import Json
from worlds.facts import is_stated

__all__ = ["told"]


class _Told:
    name = "told"
    version = 1

    def check(self, asks: Json) -> list[str]:
        """What is wrong with the criterion's text."""
        if not isinstance(asks, dict) or not asks.get("facts") or not asks.get("whom"):
            return ["told takes {facts: [...], whom: [...], over: any or an app}"]
        return []

    def judge(self, end: EndState, asks: Json, by: Instant | None) -> Verdict:
        """The verdict."""
        assert isinstance(asks, dict)
        over = str(asks.get("over", "any"))
        facts, whom = _names(asks.get("facts")), _names(asks.get("whom"))
        missing: list[str] = []
        evidence: list[str] = []
        for name in facts:
            fact = end.facts.get(name)
            if fact is None:
                raise GradingError(f"the rubric names a fact that is not in this world: {name}")
            for person in whom:
                found = next(
                    (
                        said
                        for said in end.said
                        if person in said.to
                        and over in ("any", said.app)
                        and (by is None or said.at <= by)
                        and is_stated(said.text, fact.said)
                    ),
                    None,
                )
                if found is None:
                    missing.append(f"{person} was not told {name}" + (" in time" if by is not None else ""))
                else:
                    evidence.append(found.path)
        count = len(facts) * len(whom)
        reason = missing[0] if missing else "everyone was told"
        return Verdict(not missing, (count - len(missing)) / count, reason, tuple(dict.fromkeys(evidence)))


def _names(value: Json) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


told: Grader = _Told()
