"""Whether a text states a fact: the reader `values`.

Code finds the values, which of them are lists, and what else could be taken for the slot's value. Whether the sentence stands for the
value is weighed: evidence of how it is said (`stance_features`), with values, names and the fact's own words masked, by what was
learned on texts about other facts (`stance_weights`). So no list of words decides, and a fact needs no pattern.
"""

from collections.abc import Sequence

from brownout.core.entities import Entities
from brownout.core.readers import FactAsk, Reading
from worlds.facts.stance_features import Mention, evidence_of, mentions_in
from worlds.facts.stance_weights import StanceWeights, stance_weights
from worlds.facts.stating import stated

__all__ = ["is_candidate_list", "plainly_stated", "stance_score"]


def plainly_stated(text: str, ask: FactAsk, entities: Entities, weights: StanceWeights | None = None) -> Reading:
    """What a text makes of a fact; it never raises.

    Example: of `{duration: 10 minutes}`, `Seats are held for 10 minutes, not 15.` states it; `Should seats be held for 10 minutes?`
    does not.

    Args:
        weights: others than those learned last, for measuring.
    """
    learned = weights or stance_weights()
    reading = stated(text, ask, entities)
    mentions = mentions_in(text, ask, entities)
    right = [each for each in mentions if each.candidate.is_right]
    if not right:
        return Reading(False, reading.reason or f"{ask.value} is not in it", "", "", reading.others)
    scores = {id(each): stance_score(each, learned) for each in right}
    told = max(right, key=lambda each: scores[id(each)])
    quote = told.statement.text
    value = quote[told.candidate.start : told.candidate.end]
    problem = _problem(told, scores[id(told)], mentions, learned)
    return Reading(not problem, problem or "it says so", quote, value, reading.others)


def stance_score(mention: Mention, weights: StanceWeights) -> int:
    """How far a text stands for the value at one place."""
    return weights.score(evidence_of(mention, weights.known))


def is_candidate_list(mentions: Sequence[Mention]) -> bool:
    """Whether a right value stands in a list of candidates somewhere: whoever lists them has said none of them."""
    return any(each.is_listed for each in mentions if each.candidate.is_right)


def _problem(told: Mention, score: int, mentions: Sequence[Mention], weights: StanceWeights) -> str:
    """Why a text does not state the fact though it names its value; empty where it does."""
    if is_candidate_list(mentions):
        return "one of several candidates"
    if score < weights.least:
        against = weights.against(evidence_of(told, weights.known))
        return f"it is not said plainly, most of all by {against!r}" if against else "it is not said plainly"
    if any(
        each.how == "denied" for each in mentions if each.candidate.is_right and each.statement is not told.statement
    ):
        return "it is said and denied"
    rivals = (each for each in mentions if each.candidate.is_rival and each.candidate.fits)
    said = next((each for each in rivals if stance_score(each, weights) >= weights.least), None)
    return f"it says {said.candidate.key} as well" if said is not None else ""
