"""What a ticket or mail names as still to come is so to everybody who speaks of it, and what says that it is over comes after it."""

from collections.abc import Iterable
from itertools import pairwise

import pytest

from brownout.background.days import Days, Item
from brownout.background.life_sources import Life
from brownout.background.named_times import NamedTimes
from brownout.background.packs import Later, MailThread, TicketCase
from brownout.core.instants import DAY, HOUR, Instant, local
from brownout.core.seeds import Stream
from tests.background.test_mails import _life as life_with_mail
from tests.background.test_said_times import NOON, ZONE
from tests.background.test_tickets import _life as life_with_tickets

WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
LONG = "and some words more so that nobody takes this one for a short text"
SAID = ("deal {weekday_ahead}", "or {day_ahead} if you like", "it is {day_ahead} as was said", "it was {weekday_ahead}")


def _items(life: Life, app: str) -> dict[str, list[Item]]:
    """What is done in an app, by the matter it belongs to."""
    found: dict[str, list[Item]] = {}
    for item in Days(life).between(None, life.calendar[1]):
        if item.intent.via == app and item.intent.key.startswith(("work/", "mail/")):
            found.setdefault(item.intent.key.rpartition("/")[0], []).append(item)
    return found


def _day(at: Instant) -> int:
    return local(at, ZONE).toordinal()


def _named(item: Item, opened: Instant) -> int:
    """The day that a text speaks of, as a number, seen from when the ticket or mail that names it was written."""
    text = " ".join(line for line in item.intent.text.lower().split("\n") if not line.startswith((">", "on ")))
    for word, away in (("tomorrow", 1), ("today", 0), ("yesterday", -1)):
        if word in text:
            return _day(item.at) + away
    day = next(number for number, name in enumerate(WEEK) if name[:3].lower() in text)
    return next(_day(opened) + away for away in range(1, 8) if (local(opened, ZONE).weekday() + away) % 7 == day)


def _told(life: Life, app: str) -> Iterable[tuple[list[Item], int]]:
    """Matters with the number of the day that they name first."""
    for steps in _items(life, app).values():
        if "deal" in steps[0].intent.text:
            yield steps, _named(steps[0], steps[0].at)


def _tickets(later: dict[int, Later]) -> Life:
    case = TicketCase(
        title="Case", text=SAID[0], talk=f"A: {SAID[1]}\nR: {SAID[2]}", done=f"A: {SAID[3]}", later=later, type="Task"
    )
    return life_with_tickets((case,) * 120)


def _mails(later: dict[int, Later]) -> Life:
    mails = tuple(
        {who: f"{said}, {LONG} {number}"} for number, (who, said) in enumerate(zip("ABAB", SAID, strict=True))
    )
    threads = tuple(MailThread(subject=f"Case {number}", mails=mails, later=later) for number in range(120))
    return life_with_mail(30).model_copy(update={"mail_threads": {"": threads}})


LIVES = {"tracker": _tickets, "mail": _mails}
LAST = {"tracker": 3, "mail": 4}


@pytest.mark.parametrize("app", LIVES)
def test_all_who_speak_of_a_day_to_come_mean_the_same_one_and_it_is_still_to_come(app: str) -> None:
    spoken = 0
    for steps, day in _told(LIVES[app]({}), app):
        for step in steps[1:]:
            if step.intent.text:
                assert _named(step, steps[0].at) == day
                spoken += 1
        assert all(_day(step.at) <= day for step in steps)
    assert spoken > 40


@pytest.mark.parametrize("app", LIVES)
def test_what_says_that_a_day_is_over_comes_after_it(app: str) -> None:
    over = 0
    for steps, day in _told(LIVES[app]({LAST[app]: "weekday_ahead"}), app):
        last = next((step for step in steps if "it was" in step.intent.text.split("\n")[0]), None)
        over += last is not None
        assert last is None or _day(last.at) > day
    assert over > 20


def test_a_comment_may_wait_for_days() -> None:
    waited = 0
    for steps, _ in _told(_tickets({3: 5}), "tracker"):
        for before, step in pairwise(steps):
            if "it was" in step.intent.text:
                assert step.at - before.at >= 5 * DAY
                waited += 1
    assert waited > 20


def test_a_day_is_called_what_it_is_when_it_is_spoken_of() -> None:
    for number in range(60):
        times = NamedTimes(ZONE)
        stream = Stream("named", number)
        first = times.named("weekday_ahead", NOON, stream)
        away = 1 + WEEK.index(first) - 1
        at = [times.named("day_ahead", NOON + days * DAY, stream) for days in range(away - 1, away + 2)]
        assert at[1:] == ["today", "yesterday"]
        assert at[0] in ("tomorrow", first)
        assert times.named("day_ahead", NOON + (away + 9) * DAY, stream).split()[-1] in ("March", "April", "February")


def test_what_is_announced_for_a_time_is_spoken_of_before_it() -> None:
    times = NamedTimes(ZONE)
    clock = times.named("clock_ahead", NOON, Stream("clock"))
    until = times.until("", NOON)

    assert until is not None
    assert f"{local(until, ZONE):%-H:%M}" == clock
    assert times.until("", until) is None
    assert times.over("clock_ahead") == until
    assert times.over("day_ahead") is None
    assert until < NOON + 12 * HOUR
