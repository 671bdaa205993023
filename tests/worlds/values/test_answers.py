"""Answers in fields: one value, what stands beside it, and everything that is none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worlds.values.tables import CONTEXT, d, mo, month, q, s, t
from worlds.values import KINDS, Kind, Outcome, Value, read_answer

GIVEN: list[tuple[Kind, str, str, Value]] = [
    ("time", "", "since 10:12", t("10:12")),
    ("time", "", "from 10:12 on", t("10:12")),
    ("time", "", "10:12 Uhr", t("10:12")),
    ("time", "", "às 10h12", t("10:12")),
    ("time", "", "12 past ten", t("10:12")),
    ("time", "", "**10:12**", t("10:12")),
    ("time", "", "10:12, not 10:15", t("10:12")),
    ("time", "", "not 10:15 but 10:12", t("10:12")),
    ("time", "", "nicht 10:15, sondern 10:12", t("10:12")),
    ("time", "", "10:12 instead of 10:15", t("10:12")),
    ("time", "", "10:12, moved from 10:00", t("10:12")),
    ("time", "", "moved from 10:00 to 10:12", t("10:12")),
    ("time", "", "10:12 (08:12 UTC)", t("10:12")),
    ("time", "", "10:15 (10:12)", t("10:15")),
    ("time", "", "10:15 (before: 10:12)", t("10:15")),
    ("time", "", "10:12 (the pool was probably empty)", t("10:12")),
    ("time", "", "~~10:15~~ 10:12", t("10:12")),
    ("time", "", "10h", t("10:00")),
    ("time", "", "14 April, 10:12", t("10:12", "2026-04-14")),
    ("date", "", "14.4.", d("2026-04-14")),
    ("date", "", "10:12 on 14 April", d("2026-04-14")),
    ("date", "", "since 14 April, was 12 April before", d("2026-04-14")),
    ("date", "", "30 September 2026, prolonged from 30 June 2026", d("2026-09-30")),
    ("date", "", "30 September 2026, as agreed on 22 April 2026", d("2026-09-30")),
    ("date", "", "30. September 2026, zugesagt am 22. April", d("2026-09-30")),
    ("date", "", "30 September 2026; the page still has 30 June", d("2026-09-30")),
    ("date", "", "May 2026", month("2026-05")),
    ("duration", "minute", "10", s(600)),
    ("duration", "minute", "ten (10) minutes", s(600)),
    ("duration", "minute", "15m", s(900)),
    ("duration", "minute", "10 minutes, previously 15 minutes", s(600)),
    ("duration", "minute", "600 seconds = 10 minutes", s(600)),
    ("duration", "minute", "reduced from 15 to 10 minutes", s(600)),
    ("duration", "minute", "10 clinics", q(10, "clinic")),
    ("duration", "hour", "48 hours at 31 clinics", s(172_800)),
    ("duration", "month", "3", mo(3)),
    ("quantity", "clinic", "31", q(31, "clinic")),
    ("quantity", "clinic", "one", q(1, "clinic")),
    ("quantity", "clinic", "31 of 40 clinics", q(31, "clinic")),
    ("quantity", "clinic", "31 patients", q(31, "patient")),
    ("quantity", "patient", "8,214 patients at 31 clinics", q(8214, "patient")),
    ("quantity", "EUR", "15,- €", q(15, "EUR")),
    ("quantity", "EUR", "15 euros (KAR-120)", q(15, "EUR")),
    ("quantity", "minute", "90 seconds", q("1.5", "minute")),
]
NOT_GIVEN: list[tuple[Kind, Outcome, str]] = [
    ("time", "hedged", "probably 10:12"),
    ("time", "hedged", "about 10:12"),
    ("time", "hedged", "10:12?"),
    ("time", "hedged", "10:12, I think"),
    ("time", "hedged", "10:12 (approx.)"),
    ("time", "hedged", "gegen 10:12 Uhr"),
    ("time", "hedged", "talvez às 10h12"),
    ("time", "hedged", "after 10:12"),
    ("time", "several", "10:12 or 10:15"),
    ("time", "several", "10:12 to 11:31"),
    ("time", "several", "10:10, 10:11, 10:12"),
    ("time", "unreadable", "10.12"),
    ("time", "unreadable", "half ten"),
    ("time", "unreadable", "14 April"),
    ("time", "unreadable", "not 10:12"),
    ("time", "missing", ""),
    ("time", "missing", "tbd"),
    ("time", "unknown", "unknown"),
    ("time", "unknown", "unbekannt"),
    ("time", "unknown", "desconhecido"),
    ("time", "unknown", "not recorded"),
    ("time", "unknown", "Nobody knows."),
    ("time", "unknown", "nirgends festgehalten"),
    ("time", "unknown", "não se sabe"),
    ("time", "none", "-"),
    ("time", "none", "none needed"),
    ("time", "none", "keine"),
    ("time", "none", "nenhum"),
    ("date", "several", "14 or 15 April"),
    ("date", "several", "April 14-16"),
    ("date", "several", "30 June, 30 September"),
    ("date", "several", "30 June, prolonged to 30 September"),
    ("date", "unreadable", "04/05/2026"),
    ("date", "unreadable", "Ende April"),
    ("duration", "several", "10 minutes or 15"),
    ("duration", "several", "10 to 15 minutes"),
    ("duration", "unreadable", "10"),
    ("quantity", "hedged", "at least 31"),
    ("quantity", "hedged", "30+"),
    ("quantity", "hedged", "~30"),
    ("quantity", "several", "31, 32, 33"),
    ("quantity", "unreadable", "BOOK-480"),
]


@pytest.mark.parametrize(("kind", "unit", "text", "value"), GIVEN)
def test_an_answer_is_its_one_value(kind: Kind, unit: str, text: str, value: Value) -> None:
    answer = read_answer(text, kind, CONTEXT, unit=unit)

    assert (answer.outcome, answer.values, answer.text) == ("value", (value,), text)


@pytest.mark.parametrize(("kind", "outcome", "text"), NOT_GIVEN)
def test_anything_else_is_no_answer_and_says_why(kind: Kind, outcome: Outcome, text: str) -> None:
    assert read_answer(text, kind, CONTEXT).outcome == outcome


def test_a_list_counts_where_many_are_asked_for() -> None:
    answer = read_answer("31, 32 and 33", "quantity", CONTEXT, many=True)

    assert (answer.outcome, answer.values) == ("value", (q(31), q(32), q(33)))


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(KINDS)), st.lists(st.sampled_from([text for _, _, text, _ in GIVEN]) | st.text(max_size=10))
)
def test_no_answer_raises(kind: Kind, parts: list[str]) -> None:
    read_answer(" ".join(parts), kind, CONTEXT, unit="minute")
