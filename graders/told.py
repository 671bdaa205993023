"""Judges whether people were told what they had to be told.

    told: {facts: [bookings-down, next-update], whom: ["#ops", marcus, affected customers], over: any}

Every fact must have reached everyone named, when it was so, in words that state it and no other value of its slot; the
last word on the slot must not take it back. A person is reached by anything they can read; a dump of all that was found,
longer than anybody reads, tells nothing.
"""

from collections.abc import Sequence
from typing import Final

from brownout.core.errors import GradingError
from brownout.core.grading import EndState, Grader, Means, Said, TruthFact, Verdict
from brownout.core.instants import Instant
from brownout.core.values import Json
from graders.asks import fact_named, names_in, unknown_words
from graders.audience import people_of, reached
from graders.claims import asserts, has_begun, is_one_of_many, rivals_of, states, untrue_claims
from graders.outline import words_in

__all__ = ["told"]

_LONGEST: Final = 600
"""Words of one message; what is longer is a dump."""


class _Told:
    name = "told"
    version = 4

    def check(self, asks: Json) -> list[str]:
        """What is wrong with the criterion's text."""
        if not isinstance(asks, dict) or not names_in(asks.get("facts")) or not names_in(asks.get("whom")):
            return ["told takes {facts: [...], whom: [...], over: any or an app}"]
        return unknown_words("told", asks, {"facts", "whom", "over"})

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: Means) -> Verdict:
        """The verdict."""
        assert isinstance(asks, dict)
        over = names_in(asks.get("over", "any"))
        heard = [each for each in end.said if "any" in over or each.app in over]
        facts = [fact_named(end.facts, name) for name in names_in(asks["facts"])]
        people = list(dict.fromkeys(one for name in names_in(asks["whom"]) for one in sorted(people_of(end, name))))
        if not people:
            raise GradingError(f"there is nobody to tell: {', '.join(names_in(asks['whom']))}")
        missing: list[str] = []
        evidence: list[str] = []
        for fact in facts:
            for person in people:
                found = _telling(end, fact, [each for each in heard if reached(each, person)], by)
                if isinstance(found, Said):
                    evidence.append(found.path)
                else:
                    missing.append(f"{person} was not told {fact.name}{found}")
        count = len(facts) * len(people)
        reason = missing[0] if missing else "everyone was told"
        return Verdict(not missing, (count - len(missing)) / count, reason, tuple(dict.fromkeys(evidence)))


def _telling(end: EndState, fact: TruthFact, heard: Sequence[Said], by: Instant | None) -> Said | str:
    """What told somebody the fact, or why nothing they could read did."""
    why = ""
    for at, each in enumerate(heard):
        if len(words_in(each.text)) > _LONGEST:
            why = why or f": {each.path} is longer than {_LONGEST} words"
            continue
        if not states(each.text, fact, end.facts):
            continue
        if not has_begun(fact, each.at):
            why = why or ": it was said before it was so"
        elif by is not None and each.at > by:
            why = why or " in time"
        elif any(_takes_back(end, fact, later) for later in heard[at + 1 :]) and not _says_again(
            end, fact, heard[at + 1 :]
        ):
            why = ": it was taken back later"
        elif is_one_of_many([other.text for other in heard], fact, end.facts) or _is_guess(end, fact, each, heard):
            why = ": it was one of many values"
        else:
            return each
    return why


def _is_guess(end: EndState, fact: TruthFact, each: Said, heard: Sequence[Said]) -> bool:
    """Whether it is only called likely, and so is another value of the slot in another message to the same reader."""
    if asserts(each.text, fact, end.facts) is not None:
        return False
    rivals = rivals_of(fact, end.facts)
    return any(states(other.text, rival, end.facts) for other in heard if other is not each for rival in rivals)


def _takes_back(end: EndState, fact: TruthFact, each: Said) -> bool:
    """Whether a later word states another value of the slot that was not so then."""
    return bool(untrue_claims(each.text, each.at, end.facts, {fact.slot}))


def _says_again(end: EndState, fact: TruthFact, heard: Sequence[Said]) -> bool:
    """Whether the last word on the slot is the fact after all."""
    for each in reversed(heard):
        if states(each.text, fact, end.facts):
            return True
        if _takes_back(end, fact, each):
            return False
    return False


told: Grader = _Told()
