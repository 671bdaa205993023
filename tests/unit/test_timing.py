"""When the lines of a talk are written, and when people are there to write them."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from brownout.core.errors import AuthoringError
from brownout.core.instants import DAY, HOUR, MINUTE, SECOND, Instant, local
from generators.talk_timing import TalkOverrun, line_times
from generators.timetable import make_timetable
from worlds.attendance import Attendance, attendance_of
from worlds.expressions import parse_moment
from worlds.spec import Line, read_world

ZONE = "Europe/Lisbon"
OFFICE = Attendance(ZONE, (9 * 60, 17 * 60 + 30))


def moment(text: str) -> Instant:
    found = parse_moment(text, ZONE)
    assert isinstance(found, int)
    return found


def talk(*lines: object) -> list[Line]:
    return [Line.model_validate(line) for line in lines]


def times(lines: Sequence[Line], at: str, name: str = "talk", until: str = "", **people: Attendance) -> list[Instant]:
    everybody = {line.who: OFFICE for line in lines} | people
    limit = moment(until) if until else None
    return line_times(lines, moment(at), everybody, seed=7, name=name, until=limit)


CHAT = talk("ida: is anybody else slow today?", "> owen: yes", "> owen: since nine", "> tomas: no")


def test_first_replies_are_quick_for_some_and_take_hours_for_others() -> None:
    waits = sorted(times(CHAT, "2026-03-10 09:30", f"t{n}")[1] - moment("2026-03-10 09:30") for n in range(400))
    p25, p50, p75, p90 = (waits[len(waits) * p // 100] for p in (25, 50, 75, 90))

    assert 60 * SECOND < p25 < 300 * SECOND
    assert 4 * MINUTE < p50 < 15 * MINUTE
    assert 15 * MINUTE < p75 < 90 * MINUTE
    assert 75 * MINUTE < p90 < 5 * HOUR


def test_nobody_types_faster_than_people_do() -> None:
    long = " ".join(["word"] * 47)
    lines = talk("ida: hello", f"owen: {long}", f"owen: {long}")
    for n in range(200):
        opened, first, second = times(lines, "2026-03-10 10:00", f"t{n}")
        assert first - opened >= 47 * 60 * SECOND // 45
        assert second - first >= 47 * 60 * SECOND // 45


def test_what_is_pasted_is_not_typed() -> None:
    pasted = "owen: ```\n" + "word " * 400 + "\n```"
    shortest = min(times(talk("owen: look", pasted), "2026-03-10 10:00", f"t{n}")[1] for n in range(50))

    assert shortest - moment("2026-03-10 10:00") < MINUTE


def test_nobody_answers_after_hours_on_a_weekend_or_while_away() -> None:
    away = Attendance(ZONE, OFFICE.hours, ((moment("2026-03-09"), moment("2026-03-10")),))
    for n in range(100):
        for at in times(CHAT, "2026-03-06 17:20", f"t{n}", tomas=away)[1:]:
            here = local(at, ZONE)
            assert here.weekday() < 5
            assert 9 * 60 <= here.hour * 60 + here.minute < 17 * 60 + 30
        answered = times(CHAT, "2026-03-06 17:20", f"t{n}", tomas=away)[-1]
        assert answered < moment("2026-03-06 17:30") or answered >= moment("2026-03-10 09:00")


def test_the_author_says_how_long_something_takes() -> None:
    lines = talk("ida: ringing them", {"> ida": "they are back", "after": "6m"})
    opened, rang = times(lines, "2026-03-10 22:00")

    assert 6 * MINUTE <= rang - opened <= 7 * MINUTE


def test_people_hurry_where_it_has_to_be_said_by_then() -> None:
    for n in range(50):
        assert times(CHAT, "2026-03-10 10:00", f"t{n}", until="2026-03-10 10:04")[-1] < moment("2026-03-10 10:04")
    with pytest.raises(TalkOverrun):
        times(CHAT, "2026-03-10 10:00", until="2026-03-10 10:00")


def test_a_talk_that_cannot_end_in_time_is_a_mistake(spec_folder: Path) -> None:
    path = spec_folder / "storylines/everyday.yaml"
    path.write_text(path.read_text().replace("until: 2026-03-02 15:20", "until: 2026-03-02 14:53", 1))

    with pytest.raises(AuthoringError, match=r"merge-now\.until: expected all of it said by 2026-03-02 14:53"):
        make_timetable(read_world(spec_folder))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("away: [2026-03-16,", "away: [2026-03-18,", "hour-today: tomas is away on Wed 18 Mar 2026 15:16"),
        ("away: [2026-03-16,", "away: [{from: 2026-03-12, until: 2026-03-13},", "who-changes-it: tomas is away"),
    ],
)
def test_writing_on_a_day_off_is_a_mistake(spec_folder: Path, old: str, new: str, message: str) -> None:
    path = spec_folder / "people.yaml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))

    with pytest.raises(AuthoringError, match=message):
        make_timetable(read_world(spec_folder))


def test_a_day_off_that_ends_before_it_begins_is_a_mistake(spec_folder: Path) -> None:
    from worlds.lint import lint

    path = spec_folder / "people.yaml"
    path.write_text(path.read_text().replace("away: [2026-03-16,", "away: [{from: 2026-03-16, until: 2026-03-15},", 1))

    assert any("tomas.away: until 2026-03-15 is not after" in str(mistake) for mistake in lint(read_world(spec_folder)))


def test_the_next_working_moment_is_after_days_off_and_weekends(spec_folder: Path) -> None:
    tomas = attendance_of(read_world(spec_folder).people["tomas"], ZONE)

    assert tomas.next_working(moment("2026-03-13 17:00")) == moment("2026-03-13 17:00")
    assert tomas.next_working(moment("2026-03-13 19:00")) == moment("2026-03-17 09:30")
    leaving = Attendance(ZONE, OFFICE.hours, leaves=moment("2026-03-14"))
    assert leaving.next_working(moment("2026-03-13 18:00")) is None
    joining = Attendance(ZONE, OFFICE.hours, joins=moment("2026-03-18 13:00"))
    assert joining.next_working(moment("2026-03-13 10:00")) == moment("2026-03-18 13:00")
    assert Attendance(ZONE, None).is_working(moment("2026-03-15") + DAY)


@pytest.mark.parametrize(("automatic", "is_mistake"), [("", True), ("\n    automatic: true", False)])
def test_only_a_mailbox_writes_while_its_owner_is_away(spec_folder: Path, automatic: str, is_mistake: bool) -> None:
    (spec_folder / "storylines" / "away.yaml").write_text(
        f"mails:\n  gone:\n    at: 2026-03-16 11:20\n    who: tomas\n    to: [marcus]\n    subject: Away\n    text: Back on Tuesday.{automatic}\n"
    )
    try:
        make_timetable(read_world(spec_folder))
        mistakes = ""
    except AuthoringError as error:
        mistakes = str(error)

    assert ("gone: tomas is away" in mistakes) == is_mistake


def test_what_is_said_in_several_messages_is_said_within_minutes() -> None:
    lines = talk("ida: the queue is empty again", "ida: I look at the retries next", "owen: thanks")
    everybody = {line.who: OFFICE for line in lines}
    for n in range(200):
        opened, went_on, _ = line_times(
            lines, moment("2026-03-10 10:00"), everybody, seed=7, name=f"t{n}", going_on=[1]
        )
        assert 2 * SECOND <= went_on - opened < 6 * MINUTE
    assert max(times(lines, "2026-03-10 10:00", f"t{n}")[1] for n in range(200)) > moment("2026-03-10 10:20")


def test_nothing_of_an_unthreaded_talk_comes_after_the_next_one_began_there(spec_folder: Path) -> None:
    long = "One sentence that is long enough. Another one that is long enough."
    (spec_folder / "storylines" / "two.yaml").write_text(
        "".join(
            f'{"talks:" if number == 0 else ""}\n  two-{number}:\n    at: 2026-03-10 10:{10 + number}\n    in: "#ops"\n'
            f'    lines:\n      - "marcus: {long}"\n      - "> owen: {long}"\n'
            for number in range(30)
        )
    )
    messages = make_timetable(read_world(spec_folder)).messages
    talks = [messages[f"two-{number}"] for number in range(30)]

    assert any(message.part for talk in talks for message, _ in talk)
    for before, after in pairwise(talks):
        assert max(at for message, at in before if message.line == 0) < after[0].at
