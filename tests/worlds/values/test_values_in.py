"""Values in texts: every usual way of writing, and nothing guessed."""

import datetime
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worlds.values.tables import CONTEXT, DATES, DURATIONS, LATE, QUANTITIES, TIMES, Line, d, q, s, t
from worlds.values import Context, DurationValue, Kind, QuantityValue, TimeValue, Value, read_answer, values_in

TABLES: dict[Kind, list[Line]] = {
    "time": TIMES + LATE["time"],
    "date": DATES + LATE["date"],
    "duration": DURATIONS + LATE["duration"],
    "quantity": QUANTITIES + LATE["quantity"],
}
PIECES = [text for table in TABLES.values() for text, _ in table]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
MONATE = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
MESES = [
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
]


def read(text: str, kind: Kind) -> tuple[Value, ...]:
    return tuple(found.value for found in values_in(text, CONTEXT, {kind}))


@pytest.mark.parametrize("kind", list(TABLES))
def test_every_line_of_the_tables_reads_as_it_is_meant(kind: Kind) -> None:
    assert [line for line in TABLES[kind] if read(line[0], kind) != line[1]] == []


def test_the_places_are_those_of_what_was_read() -> None:
    text = "On 14 April, at 10:12, 31 clinics waited ten (10) minutes."

    assert [text[found.start : found.end] for found in values_in(text, CONTEXT)] == [
        "14 April, at 10:12",
        "31 clinics",
        "ten (10) minutes",
    ]


@pytest.mark.parametrize("kind", list(TABLES))
def test_what_was_read_reads_the_same_alone(kind: Kind) -> None:
    """But for what leans on the words around it: the first end of a range, an hour behind "às", a duration behind "took"."""
    leaning = 0
    for text, _ in TABLES[kind]:
        for found in values_in(text, CONTEXT, {kind}):
            leaning += found.value not in read(text[found.start : found.end], kind)

    assert leaning <= len(TABLES[kind]) // 4


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=8).map(" ".join))
def test_no_text_raises_and_no_two_places_overlap(text: str) -> None:
    found = values_in(text, CONTEXT)

    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(first.end <= second.start for first, second in pairwise(found))


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="0123456789:.,-/+TZhPeao'’()€%# \n", max_size=40))
def test_no_heap_of_digits_and_signs_raises(text: str) -> None:
    values_in(text, CONTEXT)


@settings(deadline=None)
@given(st.integers(0, 23), st.integers(0, 59))
def test_a_time_reads_back_in_every_way_of_writing(hour: int, minute: int) -> None:
    half, twelve = ("am" if hour < 12 else "pm"), (hour - 1) % 12 + 1
    ways = [
        f"{hour}:{minute:02}",
        f"{hour:02}:{minute:02}:30",
        f"{hour}.{minute:02} Uhr",
        f"um {hour} Uhr {minute}",
        f"às {hour}h{minute:02}",
        f"{twelve}:{minute:02} {half}",
        f"{(hour - 2) % 24:02}:{minute:02} UTC",
    ]

    assert [way for way in ways if read(way, "time") != (TimeValue(hour * 60 + minute),)] == []


@settings(deadline=None)
@given(st.dates(datetime.date(1950, 1, 1), datetime.date(2090, 1, 1)))
def test_a_day_reads_back_in_every_way_of_writing(day: datetime.date) -> None:
    at = day.month - 1
    ways = [
        day.isoformat(),
        f"{day.year}/{day.month:02}/{day.day:02}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.day} {MONTHS[at]} {day.year}",
        f"{MONTHS[at]} {day.day}, {day.year}",
        f"{day.day}. {MONATE[at]} {day.year}",
        f"{day.day} de {MESES[at]} de {day.year}",
        f"{day.day}-{MONTHS[at][:3]}-{day.year}",
    ]

    assert [way for way in ways if read(way, "date") != (d(day.isoformat()),)] == []


@settings(deadline=None)
@given(st.integers(1000, 999_999_999))
def test_a_number_reads_back_in_every_way_of_grouping(number: int) -> None:
    ways = [str(number), *(f"{number:,}".replace(",", mark) for mark in (",", ".", " ", "'", "\u00a0"))]

    assert [way for way in ways if read(way, "quantity") != (q(number),)] == []


@settings(deadline=None)
@given(st.integers(2, 999_999))  # "one" alone may be no number: "one of them"
def test_a_number_reads_back_in_words(number: int) -> None:
    assert read(english(number), "quantity") == (q(number),)
    assert read(german(number), "quantity") == (q(number),)


def test_an_undated_time_in_the_companys_own_zone_is_its_clock_all_the_year() -> None:
    winter = Context(datetime.date(2026, 1, 20), "Europe/Berlin")

    assert values_in("10:12 CEST", winter)[0].value == t("10:12")
    assert values_in("10:12 CET", winter)[0].value == t("10:12")
    assert values_in("10:12 CET", CONTEXT)[0].value == t("10:12")


def test_the_turn_of_the_year_fills_the_nearer_year() -> None:
    january = Context(datetime.date(2026, 1, 5), "Europe/Lisbon")

    assert values_in("31 December", january)[0].value == d("2025-12-31")


def test_the_worlds_own_words_count_as_its_units() -> None:
    own = Context(CONTEXT.today, CONTEXT.zone, {"Räume": "room", "rooms": "room"})

    assert values_in("31 Räume", own)[0].value == q(31, "room")


def test_a_spoken_hour_says_that_it_may_be_twelve_hours_later() -> None:
    spoken, written = (values_in(text, CONTEXT)[0].value for text in ("half past nine", "9:30"))

    assert isinstance(spoken, TimeValue) and spoken.is_twelve_hour
    assert isinstance(written, TimeValue) and not written.is_twelve_hour
    assert spoken == written


def test_months_and_days_are_never_the_same() -> None:
    assert read("1 month", "duration") != read("30 days", "duration")
    assert read("90 minutes", "duration") == read("anderthalb Stunden", "duration") == (s(5400),)
    assert read("1 month", "duration") == (DurationValue(1, Fraction(0)),)


def test_a_text_of_three_hundred_thousand_characters_is_read() -> None:
    text = ("10:12 here. 1,1 " * 20_000)[:300_000]

    assert len(values_in(text, CONTEXT, {"time"})) == 300_000 // 16
    assert read_answer(text, "time", CONTEXT).values == (t("10:12"),)


def english(number: int) -> str:
    ones = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ]
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    if number < 20:
        return ones[number]
    if number < 100:
        return tens[number // 10 - 2] + (f"-{ones[number % 10]}" if number % 10 else "")
    if number < 1000:
        return f"{ones[number // 100]} hundred" + (f" and {english(number % 100)}" if number % 100 else "")
    rest = number % 1000
    return f"{english(number // 1000)} thousand" + (f"{' and' if rest < 100 else ''} {english(rest)}" if rest else "")


def german(number: int) -> str:
    ones = ["null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"]
    tens = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
    if number < 13:
        return "eins" if number == 1 else ones[number]
    if number < 20:
        return {16: "sech", 17: "sieb"}.get(number, ones[number % 10]) + "zehn"
    if number < 100:
        return (f"{ones[number % 10]}und" if number % 10 else "") + tens[number // 10 - 2]
    if number < 1000:
        return f"{ones[number // 100]}hundert" + (german(number % 100) if number % 100 else "")
    above = german(number // 1000)
    return (
        above.removesuffix("s" if above.endswith("eins") else "")
        + "tausend"
        + (german(number % 1000) if number % 1000 else "")
    )


def test_a_quantity_keeps_its_unit() -> None:
    assert read("10 minutes", "quantity") == ()
    assert read("31 clinics", "quantity") == (QuantityValue(Fraction(31), "clinic"),)


def test_a_unit_of_the_worlds_own_is_known_in_the_plural_behind_other_words() -> None:
    context = Context(datetime.date(2026, 3, 4), "Europe/Berlin", {"appointment": "appointment"})
    for text in (
        "697 of our appointments still sit there",
        "697 appointments",
        "697 old appointments",
        "697 of the appointments",
    ):
        assert [found.value for found in values_in(text, context)] == [QuantityValue(Fraction(697), "appointment")], (
            text
        )
