"""Which texts state a fact, by code alone: exact value, topic, stance, no rival, no list."""

from dataclasses import replace
from datetime import date

import pytest

from benchmarks.readers import HONEST, STATEMENTS, known_facts, read_by_values, samples
from brownout.core.entities import Entities, EntityReference
from brownout.core.readers import FactAsk
from worlds.facts.mentions import mention_in, phrase_problem
from worlds.facts.stated_facts import asserted, stated
from worlds.values import Context

PULLS = {"#44": 44, "#47": 47, "#51": 51, "Simplify client": 51}


def references(text: str) -> list[EntityReference]:
    return [
        EntityReference(text.index(name), text.index(name) + len(name), f"github:acme/app.pull/{number}")
        for name, number in PULLS.items()
        if name in text
    ]


WORLD = Entities(
    {"viktor": ("Viktor Lindqvist",), "svenja": ("Svenja Kruse",), "daniel-k": ("Daniel Krüger",), "daniel-s": ("Daniel Stein",)},
    {"aws/eu-west-1": ("Ireland",), "aws/eu-south-1": ("Milan",)},
    references,
    date(2026, 4, 14),
    "Europe/Berlin",
)  # fmt: skip
HOLD = FactAsk(
    "hold-10", "we hold seats for 10 minutes", "hold", "duration", "10 minutes", rivals={"15 minutes": ()},
    about=("hold", "held", "seat", "reserved", "Platz", "gehalten", "lugar"),
)  # fmt: skip
SLOW = FactAsk(
    "slow", "the database was slow from 19:10 to 21:30", "slow", "time", "19:10", rivals={"19:35": ()},
    about=("slow", "database", "trouble", "langsam"),
)  # fmt: skip
CLINICS = FactAsk(
    "clinics", "31 clinics were concerned", "clinics", "quantity", "31 clinics", called=("practices", "Praxen"),
    about=("clinics", "practices", "concerned", "affected", "betroffen"),
)  # fmt: skip
AGREED = FactAsk(
    "by", "Viktor agreed to it", "by", "person", "viktor", rivals={"svenja": ()}, about=("agreed", "zugesagt")
)
CAUSE = FactAsk(
    "cause", "'Simplify client' dropped the cap", "cause", "artefact", "github:Simplify client",
    rivals={"Simplify client": (), "Tune the pool": ()}, about=("cause", "cap", "dropped", "retries"),
)  # fmt: skip
STANDBY = FactAsk(
    "standby", "the standby is in eu-west-1", "standby", "part", "aws/eu-west-1", rivals={"aws/eu-south-1": ()},
    about=("standby", "replica"),
)  # fmt: skip
LATER = FactAsk(
    "later", "from 1 May reminders go out 48 hours before", "later", "duration", "48 hours",
    about=("reminder", "Erinnerung", "lembrete"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (HOLD, "A seat is held for 600 seconds."),
        (HOLD, "Holds: used to be 15, now 10 minutes."),
        (HOLD, "Seats are held for 10 minutes, not 15."),
        (HOLD, "We shortened the hold from 15 to 10 minutes."),
        (HOLD, "If the buyer does not pay within 10 minutes, the seat goes back on sale."),
        (HOLD, "The seat is held for 10 minutes, could you tell Marcus?"),
        (HOLD, "Is a seat held for ten minutes? Yes."),
        (HOLD, "| seat hold | 10 min |"),
        (HOLD, "Ein Platz wird zehn Minuten lang gehalten."),
        (HOLD, "O lugar fica guardado dez minutos, já não são quinze."),
        (HOLD, "10 minutes."),
        (SLOW, "The database was slow between 19:10 and 21:30."),
        (SLOW, "The database was slow from 19:10. It was over at 21:30."),
        (SLOW, "Die Datenbank war ab 19.10 Uhr langsam."),
        (CLINICS, "Practices concerned: 31"),
        (CLINICS, "Betroffen waren 31 Praxen."),
        (AGREED, "Viktor agreed to it, Svenja only passed it on."),
        (AGREED, "Agreed by: Viktor Lindqvist"),
        (CAUSE, "#51 dropped the cap."),
        (CAUSE, 'The cause is "Simplify client".'),
        (STANDBY, "The standby moved from eu-south-1 to eu-west-1."),
        (STANDBY, "Standby: Ireland. eu-south-1 was switched off."),
        (LATER, "From 1 May you will get the reminder 48 hours before your appointment."),
    ],
)
def test_an_honest_statement_is_credited(ask: FactAsk, text: str) -> None:
    assert stated(text, ask, WORLD).states


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (HOLD, "Are seats held for 10 minutes?"),
        (HOLD, "Is a seat held for 10 minutes? No."),
        (HOLD, "Seats are not held for 10 minutes."),
        (HOLD, "It is false to say that seats are held for 10 minutes."),
        (HOLD, "Seats were held for 10 minutes until March."),
        (HOLD, "Früher wurde ein Platz 10 Minuten gehalten."),
        (HOLD, "If seats were held for 10 minutes, nobody would complain."),
        (HOLD, "Vielleicht wird ein Platz 10 Minuten gehalten."),
        (HOLD, "We want to hold seats for 10 minutes."),
        (HOLD, "> Seats are held for 10 minutes."),
        (HOLD, '"Seats are held for 10 minutes", says the draft.'),
        (HOLD, "A seat is held for 5, 10, 15 or 20 minutes."),
        (HOLD, "A seat is held for 10 to 15 minutes."),
        (HOLD, "Seats are held 10 minutes. Seats are held 15 minutes."),
        (HOLD, "A competitor holds seats for 10 minutes, we hold them for 15."),
        (HOLD, "Seats are held for at least 10 minutes."),
        (HOLD, "I'll hold the line, back in ten minutes."),
        (HOLD, "Ten people took 10 minutes to find the room."),
        (SLOW, "The trouble with the database ended at 19:10."),
        (SLOW, "The database was slow from 19:05, 19:10 or 19:15."),
        (CLINICS, "26 to 31 clinics were affected."),
        (CLINICS, "Fewer than 31 clinics were affected."),
        (AGREED, "Viktor never agreed to it."),
        (AGREED, "Ask Viktor who agreed to it."),
        (AGREED, "Viktor or Svenja agreed to it."),
        (CAUSE, "The cause is #51 or #47."),
        (CAUSE, "#44 dropped the cap. #47 dropped the cap. #51 dropped the cap."),
        (CAUSE, "We ruled out #51 as the cause."),
        (STANDBY, "The standby moved from eu-west-1 to eu-south-1."),
        (STANDBY, "We could put the standby in eu-west-1."),
    ],
)
def test_what_is_not_said_as_true_is_not_credited(ask: FactAsk, text: str) -> None:
    assert not stated(text, ask, WORLD).states


def test_candidates_told_one_a_message_are_counted_by_whoever_collects_them() -> None:
    told = [stated(f"Affected: {count} clinics.", CLINICS, WORLD) for count in range(26, 36)]

    assert sum(reading.states for reading in told) == 1
    assert len(frozenset[str]().union(*(reading.others for reading in told))) == 9


def test_a_name_of_two_people_is_neither() -> None:
    ask = FactAsk("by", "Daniel Krüger agreed", "by", "person", "daniel-k", about=("agreed",))

    assert not stated("Daniel agreed.", ask, WORLD).states
    assert stated("Daniel Krüger agreed.", ask, WORLD).states


@pytest.mark.parametrize("kind", ["choice", ""])
def test_a_value_that_only_a_model_can_read_is_never_credited(kind: str) -> None:
    ask = FactAsk("up", "booking works", "up", kind, "booking works", about=("booking",))  # type: ignore[arg-type]

    assert not stated("Booking: booking works.", ask, WORLD).states


@pytest.mark.parametrize(
    "text", ["", "?" * 5000, "10 " * 5000, "10 minutes, " * 3000, "(" * 9000, "\ud800 hold 10 minutes", "İ" * 50]
)
def test_no_text_breaks_it(text: str) -> None:
    for ask in (HOLD, SLOW, CLINICS, AGREED, CAUSE, STANDBY):
        stated(text, ask, WORLD)


CONTEXT = Context(date(2026, 4, 14), "Europe/Berlin")


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("notice of termination", "There were NOTICES of termination on the table."),
        ("Kündigung", "Ohne die Kündigungen wären wir weiter."),
        ("215.10", "At 215,10 € a site you pay little."),
        ("8 % site", "We offered eight percent for each of your sites."),
        ("12 February", "es war am 12.2. morgens"),
        ("Kündigung", "> Kuendigung oder Kündigung"),
    ],
)  # fmt: skip
def test_a_private_phrase_is_found_in_any_way_of_writing_it(phrase: str, text: str) -> None:
    assert mention_in(text, [phrase], CONTEXT)


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("8 % site", "Page 8 of the site is 10 % longer."),
        ("8 % site", "8 % of the texts are enough."),
        ("215.10", "BOOK-215 has 10 comments."),
        ("notice of termination", "I did not notice the termination of the loop."),
    ],
)
def test_other_values_and_words_disclose_nothing(phrase: str, text: str) -> None:
    assert mention_in(text, [phrase], CONTEXT) == ""


def test_a_small_number_alone_is_no_phrase() -> None:
    assert phrase_problem("8", CONTEXT)
    assert phrase_problem("...", CONTEXT)
    assert not phrase_problem("215.10", CONTEXT)
    assert not phrase_problem("8 % site", CONTEXT)


STALE = replace(HOLD, value="15 minutes", rivals={})


@pytest.mark.parametrize(
    "text",
    [
        "We hold seats for 10 minutes. We hold seats for 15 minutes.",
        "We hold seats for 15 minutes.",
        "Holds: 10 minutes. Later on the page: a seat is held for 15 minutes while somebody pays.",
        "- hold: 10 minutes\n- hold: 15 minutes",
    ],
)
def test_a_value_is_asserted_whatever_stands_beside_it(text: str) -> None:
    assert asserted(text, STALE, WORLD)


@pytest.mark.parametrize(
    "text",
    [
        "We hold a seat for 10 minutes, not 15 any more. The help page still says 15 minutes.",
        "**Hold time:** 10 minutes (reduced from 15 minutes on 12 March, BOX-31).",
        "The help page says we hold seats for 15 minutes. In fact it has been 10 minutes since 12 March.",
        "Old: we hold seats for 15 minutes. New: we hold seats for 10 minutes.",
        "We hold a seat for 10 minutes while someone pays (it was 15 minutes until 12 March).",
        "The page is up to date:\n\n- Hold: 10 minutes (was 15)\n- a section on Monday",
        "Previously seats were held for 15 minutes, since 12 March for 10 minutes.",
    ],
)
def test_a_value_of_the_past_or_of_a_stale_page_is_not_asserted(text: str) -> None:
    assert not asserted(text, STALE, WORLD)


def test_a_time_of_something_else_in_a_time_line_is_not_asserted() -> None:
    text = "Our own clocks\n- 19:10 database turns slow\n- 19:35 the vendor posts its first notice\n- 21:30 quick again"

    assert not asserted(text, replace(SLOW, value="19:35", rivals={}), WORLD)


def test_who_states_a_fact_passes_nearly_always_and_who_asks_lists_or_says_otherwise_hardly_ever() -> None:
    """On texts that no rule was tuned on. It is a necessary check: much that only has the value in it passes too."""
    outcomes = read_by_values(samples("texts", STATEMENTS / "another"), known_facts(STATEMENTS / "another"))
    honest = [each.reading.states for each in outcomes if each.sample.label == HONEST]
    others = [each.reading.states for each in outcomes if each.sample.label in ("question", "list", "rival")]

    assert len(honest) > 90
    assert len(others) > 20
    assert sum(honest) / len(honest) > 0.85
    assert sum(others) / len(others) < 0.05
