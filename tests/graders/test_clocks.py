"""Times of day: those a text stands for, and few of them."""

import pytest

from brownout.core.instants import MINUTE
from graders.clocks import parse_about, states_time
from tests.graders.world import START, Ended

END = Ended(moments={"slow.from": START - 15 * 60 * MINUTE, "slow.until": START - 13 * 60 * MINUTE})  # 19:40, 21:40
SAID = [
    "On Monday our database was slow from 19:40 to 21:40.",
    "The database was slow between 19:40 and 21:40, and part of the payments failed.",
    "Payments could not be completed from 19:40 until 21:40.",
    "Between 19:40 and 21:40 buyers couldn't pay.",
    "Nobody could pay from 19:40 to 21:40.",
    "Seats were wrongly shown as taken from 19:40 to 21:40.",
    "19:40–21:40: slow database",
    "It began at 7:40 pm and was over by 9:40 pm.",
    "It began at 19:40 and ended at 21:40; the vendor's page says 20:05.",
    "If your buyers paid between 19:40 and 21:40, their payment may have failed.",
    "Start: 19:38 UTC. End: 21:41 UTC.",
    "- 19:40 the database slows down\n- 19:52 the first alert\n- 20:05 the vendor knows\n- 21:40 over",
]
UNSAID = [
    "It did not begin at 19:40. It did not end at 21:40.",
    "It began neither at 19:40 nor at 21:40.",
    "not ~~at 19:40~~ and not ~~at 21:40~~",
    "for a while\n```\nit was 19:40\nit was 21:40\n```",
    "> from 19:40 to 21:40\n\nis what somebody wrote",
    "Was it from 19:40 to 21:40?",
    "Maybe from 19:40, perhaps until 21:40.",
    "It is not true that it was slow from 19:40 to 21:40.",
    "It was slow from 19:40 to 21:40. That is wrong.",
    "<!-- 19:40 21:40 -->",
]


def stated(text: str, most: int = 8) -> list[bool]:
    abouts = [parse_about(f"slow.{edge} ~ 3m") for edge in ("from", "until")]
    return [states_time(END, text, about, most) for about in abouts if about is not None]


@pytest.mark.parametrize("text", SAID)
def test_a_time_that_a_text_gives_is_stated(text: str) -> None:
    assert stated(text) == [True, True]


@pytest.mark.parametrize("text", UNSAID)
def test_a_time_that_a_text_only_shows_or_denies_is_not(text: str) -> None:
    assert stated(text) == [False, False]


def test_the_truth_among_many_times_is_not_stated() -> None:
    every = [f"{minute // 60}:{minute % 60:02}" for minute in range(18 * 60 + 4, 23 * 60, 6)]
    frame = "The {} clock was at {} then."

    assert stated(" ".join(frame.format(n, time) for n, time in enumerate(every))) == [False, False]
    near = ["19:22", "19:28", "19:34", "19:40", "19:46", "21:40"]
    assert stated(" ".join(f"It was slow at {time}." for time in near)) == [False, True]


def test_a_timeline_may_have_more() -> None:
    timeline = "\n".join(f"- {hour}:{minute} something happened" for hour in range(10, 22) for minute in (10, 40))

    assert stated(timeline) == [False, False]
    assert stated(timeline, most=30) == [True, True]


def test_what_is_called_the_beginning_and_the_end_stands_out_of_a_timeline() -> None:
    timeline = "\n".join(f"- {hour}:{minute} something happened" for hour in range(10, 22) for minute in (10, 40))

    assert stated(f"From 19:40 to 21:40 nobody could pay.\n{timeline}") == [True, True]
    assert stated(f"Impact: 19:40\u201321:40.\n{timeline}") == [True, True]
    assert stated(f"It has been slow since 19:40.\n{timeline}") == [True, False]
    guesses = " ".join(f"It was slow since 19:{minute:02}." for minute in range(20, 60, 7))
    assert stated(f"{guesses}\n{timeline}") == [False, False]
