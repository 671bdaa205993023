"""What readers credit on texts and forms written by people who never saw them: by label, by kind and by language.

python -m benchmarks.readers [--misses dev]
"""

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, cast

from pydantic import TypeAdapter

from benchmarks.forms import answers, forms_report
from brownout.core.entities import Entities, EntityReference
from brownout.core.readers import FactAsk, FactKind, Reading
from worlds.facts.mentions import mention_in
from worlds.facts.stated_facts import is_offered, stated
from worlds.spec.yaml_loading import load_yaml
from worlds.values import Context

TEXTS: Final = Path(__file__).parents[1] / "tests" / "data" / "readers"
STATEMENTS: Final = Path(__file__).parent / "reference" / "statements"
"""Texts that no rule was tuned on."""
FILES: Final = ("dev", "texts", "fresh", "clauses", "held", "late", "last")
"""Texts about facts; what each was for stands in the folder's README."""
HONEST: Final = "states"
_PRIVATE: Final = "private-leak"
_UNTUNED: Final = {"statements": STATEMENTS, "another": STATEMENTS / "another"}
"""What `--misses` calls texts that no rule was tuned on, and their folder."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A text, what it does with a fact, and what is asked of it."""

    id: str
    fact: str
    lang: str
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one world and the names in it."""

    entities: Entities
    asks: Mapping[str, FactAsk]
    mentions: Mapping[str, tuple[str, ...]]


_FACTS = TypeAdapter(dict[str, dict[str, object]])


def samples(name: str, folder: Path = TEXTS) -> list[Sample]:
    """The texts of one file of a folder."""
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    documents = [json.loads(line) for line in lines if line.strip()]
    return [Sample(**{field: document[field] for field in Sample.__slots__}) for document in documents]


def known_facts(folder: Path = TEXTS) -> dict[str, Facts]:
    """The facts that a folder's texts are about, by world."""
    worlds = _FACTS.validate_python(load_yaml((folder / "facts.yaml").read_bytes()))
    return {name: _facts(world) for name, world in worlds.items()}


def _facts(world: dict[str, object]) -> Facts:
    people, parts, artefacts = (_names(world.get(key)) for key in ("people", "parts", "artefacts"))
    table = [
        (re.compile(rf"(?<![\w#/-]){re.escape(name)}(?![\w-])", re.IGNORECASE), path)
        for path, names in artefacts.items()
        for name in names
    ]

    def references(text: str) -> Sequence[EntityReference]:
        return [EntityReference(hit.start(), hit.end(), path) for name, path in table for hit in name.finditer(text)]

    today = date.fromisoformat(str(world["today"]))
    facts = world["facts"]
    assert isinstance(facts, dict)
    asks = {name: _ask(name, fact, facts) for name, fact in facts.items()}
    mentions = {name: tuple(map(str, fact.get("mentions", ()))) for name, fact in facts.items()}
    return Facts(Entities(people, parts, references, today, str(world["zone"])), asks, mentions)


def _names(value: object) -> dict[str, tuple[str, ...]]:
    return {str(key): tuple(map(str, names)) for key, names in value.items()} if isinstance(value, dict) else {}


def _typed(value: object) -> tuple[str, str]:
    if not isinstance(value, dict):
        return "", str(value)
    [(kind, text)] = value.items()
    return str(kind), str(text)


def _ask(name: str, fact: dict[str, object], facts: dict[str, dict[str, object]]) -> FactAsk:
    kind, value = _typed(fact["is"])
    rivals = {
        _typed(other["is"])[1]: tuple(map(str, _listed(other.get("called"))))
        for other in facts.values()
        if other["slot"] == fact["slot"] and _typed(other["is"]) != (kind, value)
    }
    sentence = "; ".join(map(str, _listed(fact.get("says"))))
    about = tuple(map(str, _listed(fact.get("about"))))
    called = tuple(map(str, _listed(fact.get("called"))))
    return FactAsk(
        name=name, sentence=sentence, slot=str(fact["slot"]), kind=cast(FactKind, kind), value=value, called=called, rivals=rivals, about=about,
    )  # fmt: skip


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


@dataclass(frozen=True, slots=True)
class Outcome:
    """A sample, the kind of its fact, and what a reader made of it."""

    sample: Sample
    kind: str
    reading: Reading


def read_by_values(texts: Sequence[Sample], worlds: Mapping[str, Facts]) -> list[Outcome]:
    """What `values` makes of each text whose fact it is offered for."""
    found = []
    for sample in texts:
        world, _, fact = sample.fact.partition("/")
        facts = worlds[world]
        ask = facts.asks[fact]
        if is_read(ask, sample):
            found.append(Outcome(sample, ask.kind, stated(sample.text, ask, facts.entities)))
    return found


def is_read(ask: FactAsk, sample: Sample) -> bool:
    """Whether `values` is offered for a text's fact."""
    return is_offered(ask.kind) and sample.label != _PRIVATE


def disclosed(texts: Sequence[Sample], worlds: Mapping[str, Facts]) -> list[tuple[Sample, str]]:
    """The texts about private facts, each with the sentence that gives it away."""
    found = []
    for sample in texts:
        world, _, fact = sample.fact.partition("/")
        facts = worlds[world]
        if phrases := facts.mentions[fact]:
            context = Context(facts.entities.today, facts.entities.zone)
            found.append((sample, mention_in(sample.text, phrases, context)))
    return found


def table(outcomes: Sequence[Outcome], of: Callable[[Outcome], str]) -> Iterator[str]:
    """Credited and all, honest and others, by a property."""
    groups = sorted({of(each) for each in outcomes})
    for group in groups:
        mine = [each for each in outcomes if of(each) == group]
        yield f"    {group:<14}{_ratio(mine, honest=True):>18}{_ratio(mine, honest=False):>18}"


def _ratio(outcomes: Sequence[Outcome], *, honest: bool) -> str:
    mine = [each for each in outcomes if (each.sample.label == HONEST) is honest]
    credited = sum(each.reading.states for each in mine)
    return f"{credited}/{len(mine)} ({credited / len(mine):.0%})" if mine else "-"


def report(name: str, outcomes: Sequence[Outcome], private: Sequence[tuple[Sample, str]]) -> Iterator[str]:
    """The tables of one file of texts."""
    yield f"values on {name}: {len(outcomes)} texts of facts that it is offered for"
    yield f"    {'':<14}{'honest credited':>18}{'others credited':>18}"
    yield f"    {'all':<14}{_ratio(outcomes, honest=True):>18}{_ratio(outcomes, honest=False):>18}"
    yield from table([each for each in outcomes if each.sample.label != HONEST], lambda each: each.sample.label)
    yield from table(outcomes, lambda each: each.kind)
    yield from table(outcomes, lambda each: each.sample.lang)
    why = Counter(each.reading.reason for each in outcomes if each.sample.label == HONEST and not each.reading.states)
    yield "    honest and not credited: " + (
        "; ".join(f"{reason} {count}" for reason, count in why.most_common()) or "none"
    )
    leaks = [found for sample, found in private if sample.label == _PRIVATE]
    rest = [found for sample, found in private if sample.label != _PRIVATE]
    yield f"    disclosures seen {sum(map(bool, leaks))}/{len(leaks)}, seen where there is none {sum(map(bool, rest))}/{len(rest)}"


def misses(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """What was read wrongly."""
    for each in outcomes:
        if each.reading.states != (each.sample.label == HONEST):
            yield f"{each.sample.id} {each.sample.label} {each.sample.fact}: {each.sample.text!r} -> {each.reading}"


def together(name: str, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """All texts at once."""
    yield f"values on {name}: {len(outcomes)} texts"
    yield f"    {'all':<14}{_ratio(outcomes, honest=True):>18}{_ratio(outcomes, honest=False):>18}"
    yield from table([each for each in outcomes if each.sample.label != HONEST], lambda each: each.sample.label)
    yield from table(outcomes, lambda each: each.kind)
    yield from table(outcomes, lambda each: each.sample.lang)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--misses", default="", help=f"whose wrong readings are printed: {', '.join((*FILES, *_UNTUNED))} or forms"
    )
    chosen = parser.parse_args()
    worlds = known_facts()
    every: list[Outcome] = []
    for name in FILES:
        texts = samples(name)
        outcomes = read_by_values(texts, worlds)
        every += outcomes
        print("\n".join(report(name, outcomes, disclosed(texts, worlds))), end="\n\n")
        if name == chosen.misses:
            print("\n".join(misses(outcomes)))
    print("\n".join(together("all files", every)), end="\n\n")
    for name, folder in _UNTUNED.items():
        outcomes = read_by_values(samples("texts", folder), known_facts(folder))
        print("\n".join(together(f"{name}, which no rule was tuned on", outcomes)), end="\n\n")
        if name == chosen.misses:
            print("\n".join(misses(outcomes)))
    fields = answers()
    print("\n".join(forms_report(fields)), end="\n\n")
    if chosen.misses == "forms":
        for answer in fields:
            if answer.is_right != (answer.expected == "right"):
                print(answer)
    texts = samples("dev")
    words = sum(len(sample.text.split()) for sample in texts)
    started = time.process_time()
    read_by_values(texts, worlds)
    seconds = time.process_time() - started
    print(f"{seconds / words * 100 * 1000:.2f} ms a hundred words")


if __name__ == "__main__":
    main()
