"""What was handed in for a field: one value of its kind, or why there is none."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worlds.findings.world import HERE, field
from worlds.findings import Given, read_given, shown
from worlds.spec.findings import FIELD_KINDS, FieldKind, FindingSchema
from worlds.values import DateValue, TimeValue

PERSON, PULL = field("person"), field("artefact")
PART = field("part", options={"aws-rds/eu-west-1": ["Ireland"], "aws-rds/eu-south-1": ["Milan"]})
CHOICE = field("choice", options={"failover": ["moved over"], "restart": []})


def read(schema: FindingSchema, text: str) -> Given:
    return read_given(schema, text, HERE)


@pytest.mark.parametrize(
    ("schema", "text", "name"),
    [
        (PERSON, "Viktor", "viktor"),
        (PERSON, "Viktor Haas (he set it in January)", "viktor"),
        (PERSON, "Viktor, who told Svenja", "viktor"),
        (PERSON, "Viktor - not Svenja", "viktor"),
        (PERSON, "it was Inês Brandão", "ines"),
        (PERSON, "Daniel Stein", "daniel-s"),
        (PERSON, "Viktor Haas, viktor@acme.test", "viktor"),
        (PERSON, "Viktor: who said yes to him, and until when or for how long?", "viktor"),
        (PERSON, "Viktor Haas (team lead) - bis wann gilt es?", "viktor"),
        (PERSON, "Inês: o que foi combinado?", "ines"),
        (PERSON, "Viktor via Svenja", "viktor"),
        (PULL, "#51", "github:acme/app.pull/51"),
        (PULL, "'Simplify client' (#51)", "github:acme/app.pull/51"),
        (PULL, "#51, not #47", "github:acme/app.pull/51"),
        (PULL, "#51 (before: #47)", "github:acme/app.pull/51"),
        (PART, "eu-west-1 (Ireland)", "aws-rds/eu-west-1"),
        (PART, "Ireland, no longer Milan", "aws-rds/eu-west-1"),
        (field("part"), "bookings", "bookings"),
        (CHOICE, "we moved over", "failover"),
        (CHOICE, "failover, the restart came before", "failover"),
    ],
)
def test_one_name_is_read_whatever_stands_beside_it(schema: FindingSchema, text: str, name: str) -> None:
    assert read(schema, text) == Given("value", (frozenset({name}),), text)


@pytest.mark.parametrize(
    ("schema", "text", "outcome"),
    [
        (PERSON, "", "missing"),
        (PERSON, "  \n", "missing"),
        (PERSON, "Viktor, Svenja", "several"),
        (PERSON, "Viktor and Inês", "several"),
        (PERSON, "Viktor / Inês", "several"),
        (PERSON, "Viktor or Inês", "hedged"),
        (PERSON, "Viktor (or Inês)", "hedged"),
        (PERSON, "nobody noted it (Viktor?)", "hedged"),
        (PULL, "#51 (if not, #47)", "hedged"),
        (PART, "eu-west-1 (sonst eu-south-1)", "hedged"),
        (field("duration", unit="hours"), "36 (or 48 or 72)", "hedged"),
        (field("date"), "28 April (otherwise 30 April)", "hedged"),
        (field("time"), "10:12 (oder 10:20)", "hedged"),
        (PERSON, "probably Viktor", "hedged"),
        (PERSON, "Viktor?", "hedged"),
        (PERSON, "Viktor, or who else?", "hedged"),
        (PERSON, "it is unknown", "unknown"),
        (PERSON, "we can't know", "unknown"),
        (PERSON, "not on record", "unknown"),
        (PERSON, "unknown", "unknown"),
        (PERSON, "unknown, nobody wrote it down", "unknown"),
        (PERSON, "nobody knows, perhaps Viktor", "hedged"),
        (PERSON, "none", "none"),
        (PERSON, "the owner", "unreadable"),
        (PULL, "#51; #47", "several"),
        (PULL, "#51 and #47", "several"),
        (PULL, "#99", "unreadable"),
        (PART, "Ireland and Milan", "several"),
        (PART, "eu-central-1", "unreadable"),
        (CHOICE, "failover, restart", "several"),
        (CHOICE, "wait", "unreadable"),
        (field("time"), "10:12 or 10:15", "several"),
        (field("time"), "about 10:12", "hedged"),
        (field("time"), "in the morning", "unreadable"),
        (field("date"), "unknown", "unknown"),
        (field("duration"), "10-15 minutes", "several"),
        (field("quantity"), "keine", "none"),
    ],
)
def test_what_is_no_single_value_has_a_reason(schema: FindingSchema, text: str, outcome: str) -> None:
    assert read(schema, text).outcome == outcome


def test_a_name_that_two_people_share_stands_for_both() -> None:
    assert read(PERSON, "Daniel").values == (frozenset({"daniel-k", "daniel-s"}),)


@pytest.mark.parametrize(
    ("kind", "text", "understood"),
    [
        ("person", "Viktor, Inês and Daniel Stein", {"viktor", "ines", "daniel-s"}),
        ("person", "Viktor, Viktor", {"viktor"}),
        ("artefact", "#51, #47", {"github:acme/app.pull/51", "github:acme/app.pull/47"}),
    ],
)
def test_a_list_has_each_value_once(kind: FieldKind, text: str, understood: set[str]) -> None:
    found = read(field(kind, many=True), text)

    assert found.outcome == "value"
    assert len(found.values) == len(understood)
    assert {*found.values} == {frozenset({name}) for name in understood}


def test_a_list_of_times_has_each() -> None:
    found = read(field("time", many=True), "10:12, 10:41")

    assert found.values == (TimeValue(612), TimeValue(641))


def test_a_bare_number_is_in_the_unit_of_the_field() -> None:
    assert read(field("quantity", unit="clinic"), "31") == Given(
        "value", read(field("quantity", unit="clinic"), "31 clinics").values, "31"
    )
    assert read(field("duration", unit="minutes"), "45").values == read(field("duration"), "45 minutes").values
    assert read(field("quantity", unit="clinic"), "31 patients").values != read(field("quantity"), "31 clinics").values


def test_other_words_for_the_unit_are_the_unit() -> None:
    schema = FindingSchema(name="n", kind="quantity", asks="How many", unit="clinic", units=["Praxen", "unidades"])

    assert read(schema, "31 Praxen").values == read(schema, "31 unidades").values == read(schema, "31").values


@pytest.mark.parametrize(
    ("schema", "text", "understood"),
    [
        (PERSON, " Viktor Haas ", "Viktor Haas"),
        (PERSON, "unknown", "unknown"),
        (field("duration"), "three quarters of an hour", "45 minutes"),
        (field("time"), "half past nine in the evening", "21:30"),
        (field("date"), "31. März 2026", "2026-03-31"),
        (field("quantity"), "8.214", "8214"),
        (field("quantity", unit="seats"), "126", "126 seats"),
        (field("quantity", unit="seats"), "126 seats", "126 seats"),
        (field("quantity", unit="euros"), "EUR 15", "15 euros"),
        (field("quantity", unit="seats"), "12 minutes", "12 minutes"),
    ],
)
def test_what_was_understood_is_shown_in_the_fields_own_words(
    schema: FindingSchema, text: str, understood: str
) -> None:
    assert shown(read(schema, text), schema, HERE) == understood


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(FIELD_KINDS),
    st.booleans(),
    st.text(max_size=60) | st.text(st.sampled_from(list("Viktor #51,()10:2 or~*`\n")), max_size=60),
)
def test_any_text_can_be_read(kind: FieldKind, many: bool, text: str) -> None:
    found = read(field(kind, many=many, options={"failover": ["moved over"]}), text)

    assert (found.outcome == "value") <= bool(found.values)
    assert found.text in ("", text)


def test_a_bound_that_the_question_has_itself_is_no_hedge() -> None:
    before = FindingSchema(name="made_before", kind="date", asks="Before which day it was made")
    for text in ("27 January", "before 27 January", "Before 2026-01-27"):
        assert read_given(before, text, HERE) == Given("value", (DateValue(date(2026, 1, 27)),), text)
    for text in ("before before 27 January", "about 27 January", "after 27 January"):
        assert read_given(before, text, HERE).outcome == "hedged"
    assert read_given(field("date"), "before 27 January", HERE).outcome == "hedged"


def test_an_artefact_may_have_names_of_its_own() -> None:
    schema = field(
        "artefact", many=True, options={"github:acme/app.pull/51": ["the cap"], "docs:retries": ["Runbook 3"]}
    )
    found = read_given(schema, "the cap, #47 and runbook 3", HERE)
    assert set(found.values) == {frozenset({f"github:acme/app.pull/{n}"}) for n in (51, 47)} | {
        frozenset({"docs:retries"})
    }
