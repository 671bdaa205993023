"""What the reader `values` credits: a plain clause about the fact, whatever other clauses say; and nothing beside it."""

from collections.abc import Sequence
from datetime import date

import pytest

from benchmarks.readers import HONEST, STANCES, Outcome, known_facts, read_by_values, samples
from benchmarks.stances import learn, texts_of, written
from brownout.core.entities import Entities
from brownout.core.readers import FactAsk
from worlds.facts.plain_statements import plainly_stated
from worlds.facts.stance_features import mentions_in

HERE = Entities(
    {"nadia": ("Nadia Rahal",), "oliver": ("Oliver Brandt",), "mads": ("Mads Lund",)},
    {"aws/eu-west-1": ("Ireland",), "aws/eu-central-1": ("Frankfurt",)},
    lambda text: (),
    date(2026, 5, 4),
    "Europe/Berlin",
)
FACTS = {
    "kept": FactAsk(
        "kept", "we keep samples for six weeks", "samples.kept", "duration", "6 weeks", rivals={"4 weeks": ()},
        about=("sample", "keep", "kept", "storage", "Proben", "aufbewahrt"),
    ),
    "until": FactAsk(
        "until", "the licence is valid until 30 November", "licence.until", "date", "2026-11-30", rivals={"2026-08-31": ()},
        about=("licence", "valid", "Lizenz", "gültig", "licença", "válida"),
    ),
    "contact": FactAsk(
        "contact", "Nadia is our contact", "vendor.contact", "person", "nadia", called=("Nadia",), rivals={"oliver": ("Oliver",)},
        about=("contact", "vendor", "Ansprechpartnerin"),
    ),
    "home": FactAsk(
        "home", "the database runs in eu-west-1", "database.home", "part", "aws/eu-west-1", called=("Ireland",),
        rivals={"aws/eu-central-1": ("Frankfurt",)}, about=("database", "runs", "moved", "failed over", "Datenbank", "läuft"),
    ),
}  # fmt: skip


def is_credited(fact: str, text: str) -> bool:
    return plainly_stated(text, FACTS[fact], HERE).states


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("kept", "Samples are kept for 6 weeks, not 4."),
        ("kept", "Samples are kept six weeks; nothing in the contract says otherwise."),
        ("kept", "The old page said four weeks, that is out of date. Samples are kept for six weeks."),
        ("kept", "Proben werden sechs Wochen aufbewahrt, nicht vier."),
        ("kept", "If you want to know: samples are kept for 6 weeks."),
        ("until", "Licence expiry: 2026-11-30"),
        ("until", "The last day on which our licence is valid is 30 November."),
        ("until", "The licence is valid until 30 November, so the renewal has to be ordered by October."),
        ("until", "A licença é válida até 30 de novembro."),
        ("contact", "Our contact is Nadia Rahal instead of Oliver Brandt, he never answered anyway."),
        ("home", "Database: eu-central-1 -> eu-west-1"),
    ],
)
def test_a_plain_clause_is_credited_whatever_others_say(fact: str, text: str) -> None:
    assert is_credited(fact, text), plainly_stated(text, FACTS[fact], HERE).reason


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("kept", "Samples are kept for 4 weeks, not six."),
        ("contact", "Our contact is Nadia. Our contact is not Nadia."),
        ("kept", "Samples are kept for six weeks or four weeks."),
        ("kept", "Mads believes that samples are kept for six weeks."),
        ("kept", "Samples are kept for six weeks, but I have not looked it up."),
        ("kept", "Samples are kept for six weeks from next year on."),
        ("kept", "Last year samples were kept for six weeks."),
        ("kept", "We'd like to keep samples for six weeks."),
        ("kept", "The sample cat kept her kittens warm for six weeks."),
        ("kept", "Proben werden keineswegs sechs Wochen aufbewahrt."),
        ("until", "The licence is valid until 31 August or 30 November."),
        ("until", "The licence would be valid until 30 November."),
        ("contact", "Nadia used to be our contact."),
        ("contact", "Nadia had been our contact at the vendor, but withdrew within the week."),
        ("contact", "Ask our contact: Nadia, Oliver or whoever picks up the phone."),
        ("home", "The database was moved out of eu-west-1 and over to eu-central-1."),
        ("home", "The eu-west-1 poetry in the database runs."),
    ],
)
def test_anything_else_is_not(fact: str, text: str) -> None:
    assert not is_credited(fact, text)


def test_most_of_what_is_honest_and_little_else_is_credited() -> None:
    """On facts that nothing was learned from; what it does on others stands in the measurements."""
    outcomes = read_by_values(samples("held-out", STANCES), known_facts(STANCES))
    honest = [each for each in outcomes if each.sample.label == HONEST]
    others = [each for each in outcomes if each.sample.label != HONEST]

    assert len(honest) > 100
    assert len(others) > 150
    assert credited(honest) >= 0.65
    assert credited(others) <= 0.03


def test_no_fact_that_is_measured_on_was_learned_from() -> None:
    learned = {sample.fact for sample in samples("training", STANCES)}

    assert learned.isdisjoint(sample.fact for sample in samples("held-out", STANCES))


def test_the_same_texts_give_the_same_weights() -> None:
    texts = texts_of([("late", False), ("last", False)])

    assert written(learn(texts)) == written(learn(texts))


def test_content_is_masked() -> None:
    ask = FACTS["home"]
    [mention] = [each for each in mentions_in("The database runs in eu-west-1.", ask, HERE) if each.candidate.is_right]

    assert [token.shown for token in mention.tokens] == ["the", "SLOT", "SLOT", "in", "VALUE", "."]


def credited(outcomes: Sequence[Outcome]) -> float:
    return sum(each.reading.states for each in outcomes) / len(outcomes)
