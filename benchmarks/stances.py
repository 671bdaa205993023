"""Learns what evidence weighs for and against a value being said, and writes it where the reader `values` finds it.

A linear machine with squared hinge loss, solved in its dual coordinate by coordinate (Hsieh et al., ICML 2008): plain sums and products
of doubles in one fixed order, so that the same texts give the same file on every machine. `--folds` measures instead: each world's
facts are read with what was learned on the other worlds'.

python -m benchmarks.stances [--folds]
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from benchmarks.readers import FILES, HONEST, STANCES, TEXTS, Sample, is_read, known_facts, samples
from worlds.facts.masking import MASKS, SLOT
from worlds.facts.plain_statements import is_candidate_list
from worlds.facts.stance_features import Mention, evidence_of, mentions_in
from worlds.facts.stance_weights import WEIGHTS, StanceWeights

TRAINING: Final = "training"
_FACTS_A_WORD: Final = 3
"""Facts in whose texts a word stands at least, to be told from other words."""
_FACTS_A_CLUE: Final = 4
"""Facts in whose texts evidence is found at least, to be weighed."""
_LOOSE: Final = 40.0
"""How much large weights cost; more is smoother."""
_PASSES: Final = 300
_STRIDE: Final = 7919
"""Samples are visited this far apart, so that neighbours are of different facts."""
_UNIT: Final = 1000
_RIVAL: Final = "rival"
_RIVALS_PART: Final = 0.5
_FALSE: Final = 0.04
"""What may be credited, in folds, of texts that do not state their fact; with all worlds to learn from it is less."""
_FOLDS: Final = 8


@dataclass(frozen=True, slots=True)
class Text:
    """A labelled text and where it names values of its fact's slot."""

    sample: Sample
    mentions: Sequence[Mention]

    @property
    def world(self) -> str:
        return self.sample.fact.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Example:
    """One place in a text, whether the value is said there, and how much it counts."""

    fact: str
    mention: Mention
    is_said: bool
    counts: float


def texts_of(folder_names: Iterable[tuple[str, bool]]) -> list[Text]:
    """The texts of files, each with whether it is one of the folder for stances, whose fact is read by code."""
    found = []
    known = {folder: known_facts(folder) for folder in (TEXTS, STANCES)}
    for name, is_stance in folder_names:
        folder = STANCES if is_stance else TEXTS
        for sample in samples(name, folder):
            world, _, fact = sample.fact.partition("/")
            facts = known[folder][world]
            ask = facts.asks[fact]
            if is_read(ask, sample):
                found.append(Text(sample, mentions_in(sample.text, ask, facts.entities)))
    return found


def examples_of(texts: Iterable[Text]) -> list[Example]:
    """What is learned from: right values are said where the text states its fact, rivals where it states another."""
    found = []
    for text in texts:
        label, fact = text.sample.label, text.sample.fact
        right = [each for each in text.mentions if each.candidate.is_right]
        found += [Example(fact, each, label == HONEST, 1 / len(right)) for each in right]
        if label in (HONEST, _RIVAL):
            rivals = [each for each in text.mentions if each.candidate.is_rival]
            found += [Example(fact, each, label == _RIVAL, _RIVALS_PART) for each in rivals]
    return found


def learn(texts: Sequence[Text]) -> StanceWeights:
    """Weights from texts; `least` is left at 0."""
    examples = examples_of(texts)
    known = _known(texts)
    seen = [sorted(evidence_of(each.mention, known)) for each in examples]
    facts = defaultdict[str, set[str]](set)
    for example, evidence in zip(examples, seen, strict=True):
        for each in evidence:
            facts[each].add(example.fact)
    clues = sorted(each for each, of in facts.items() if len(of) >= _FACTS_A_CLUE)
    number = {each: at for at, each in enumerate(clues)}
    rows = [[*(number[each] for each in evidence if each in number), len(clues)] for evidence in seen]
    solved = _solve(rows, examples, len(clues) + 1)
    weights = {each: round(_UNIT * solved[at]) for at, each in enumerate(clues)}
    return StanceWeights(
        known, {each: weight for each, weight in weights.items() if weight}, round(_UNIT * solved[-1]), 0
    )


def _known(texts: Iterable[Text]) -> frozenset[str]:
    facts = defaultdict[str, set[str]](set)
    for text in texts:
        for mention in text.mentions:
            for tokens in (mention.tokens, *mention.rest):
                for token in tokens:
                    facts[token.shown].add(text.sample.fact)
    words = (each for each, of in facts.items() if len(of) >= _FACTS_A_WORD and each[0].isalpha())
    return frozenset(each for each in words if each not in MASKS and not each.startswith(SLOT))


def _solve(rows: Sequence[Sequence[int]], examples: Sequence[Example], size: int) -> list[float]:
    """The weights that part said from unsaid best, by coordinate descent in the dual."""
    weights, pull = [0.0] * size, [0.0] * len(rows)
    order = [at * _STRIDE % len(rows) for at in range(len(rows))]
    assert len(set(order)) == len(rows), "the stride must not divide the number of examples"
    for _ in range(_PASSES):
        for at in order:
            row, sign = rows[at], 1.0 if examples[at].is_said else -1.0
            slack = _LOOSE / (2.0 * examples[at].counts)
            slope = sign * sum([weights[each] for each in row]) - 1.0 + slack * pull[at]
            new = max(0.0, pull[at] - slope / (len(row) + slack))
            if (step := (new - pull[at]) * sign) != 0.0:
                for each in row:
                    weights[each] += step
                pull[at] = new
    return weights


def score_of(text: Text, weights: StanceWeights) -> int | None:
    """The best score of a right value in a text; None where it has none or only lists them."""
    right = [each for each in text.mentions if each.candidate.is_right]
    if not right or is_candidate_list(text.mentions):
        return None
    return max(weights.score(evidence_of(each, weights.known)) for each in right)


def folded(texts: Sequence[Text]) -> list[tuple[Text, int | None]]:
    """Each text with its score by what was learned without any text of its world."""
    worlds = sorted({text.world for text in texts})
    found = []
    for fold in range(_FOLDS):
        mine = set(worlds[fold::_FOLDS])
        weights = learn([text for text in texts if text.world not in mine])
        found += [(text, score_of(text, weights)) for text in texts if text.world in mine]
    return found


def threshold_of(scores: Sequence[tuple[Text, int | None]], part: float = _FALSE) -> int:
    """The least score that credits at most that part of the texts which do not state their fact."""
    others = [score for text, score in scores if text.sample.label != HONEST]
    kept = sorted((score for score in others if score is not None), reverse=True)
    return kept[int(part * len(others))] + 1


def report(scores: Sequence[tuple[Text, int | None]]) -> Iterable[str]:
    """What is credited at several thresholds, on facts that were not learned from."""
    for part in (0.01, 0.02, 0.03, _FALSE, 0.05, 0.08, 0.12):
        least = threshold_of(scores, part)
        honest = [score is not None and score >= least for text, score in scores if text.sample.label == HONEST]
        yield f"    others {part:>4.0%}: honest {sum(honest)}/{len(honest)} ({sum(honest) / len(honest):.0%}) from {least} on"


def written(weights: StanceWeights) -> str:
    """The weights as the package keeps them: one a line, in the order of the names."""
    document: Mapping[str, object] = {
        "least": weights.least,
        "bias": weights.bias,
        "known": sorted(weights.known),
        "weights": {each: weights.weights[each] for each in sorted(weights.weights)},
    }
    return json.dumps(document, ensure_ascii=False, indent=0) + "\n"


def main() -> None:
    """Learns and writes, or measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--folds", action="store_true", help="measure on facts that were not learned from, and write nothing"
    )
    chosen = parser.parse_args()
    texts = texts_of([*((name, False) for name in FILES), (TRAINING, True)])
    print(f"{len(texts)} texts on {len({text.sample.fact for text in texts})} facts")
    scores = folded(texts)
    print("\n".join(report(scores)))
    if chosen.folds:
        return
    weights = replace(learn(texts), least=threshold_of(scores))
    WEIGHTS.write_text(written(weights), encoding="utf-8")
    print(
        f"{len(weights.weights)} weights and {len(weights.known)} words, said from {weights.least} on -> {WEIGHTS.name}"
    )


if __name__ == "__main__":
    main()
