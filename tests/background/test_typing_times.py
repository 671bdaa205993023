"""Messages come no sooner after one another than they can be typed, and people wait as long as before."""

from collections import Counter
from itertools import pairwise

from brownout.background.days import Days
from brownout.background.typing_times import fitted_gaps, typing_time
from brownout.core.instants import MINUTE, SECOND
from tests.background.lives import life_of_people


def test_a_long_message_takes_longer_and_what_is_pasted_takes_no_time() -> None:
    assert typing_time("ok", is_answer=True) < 2 * SECOND
    assert typing_time("x" * 200, is_answer=False) > 20 * SECOND
    assert typing_time("see\n```\n" + "x" * 500 + "\n```", is_answer=False) < 3 * SECOND


def test_gaps_change_places_within_their_kind_and_none_is_lost() -> None:
    texts = ("a", "b" * 150, "c", "d" * 150, "e", "f")
    speakers = (0, 1, 0, 0, 0, 1)
    gaps = (40 * SECOND, 2 * SECOND, 3 * SECOND, 9 * MINUTE, 2 * SECOND)

    found = fitted_gaps(gaps, speakers, texts)

    assert Counter(found) == Counter(gaps)
    assert found == (40 * SECOND, 2 * SECOND, 9 * MINUTE, 3 * SECOND, 2 * SECOND)


def test_what_no_gap_is_long_enough_for_stays_where_it_is() -> None:
    gaps = (SECOND, 2 * SECOND)

    assert fitted_gaps(gaps, (0, 1, 0), ("a", "b" * 900, "c" * 900)) == gaps


def test_nobody_writes_a_long_message_in_no_time() -> None:
    life = life_of_people(30, weeks=3)
    talks: dict[str, list[tuple[int, str, str]]] = {}
    for item in Days(life).between(None, life.calendar[1]):
        if item.intent.kind == "tell":
            talk = item.intent.key.rpartition("/")[0]
            talks.setdefault(talk, []).append((item.at, item.intent.who, item.intent.text))
    gaps = [
        (after[0] - before[0], typing_time(after[2], is_answer=before[1] != after[1]))
        for lines in talks.values()
        for before, after in pairwise(lines)
    ]

    assert len(gaps) > 1000
    assert sum(gap < needed for gap, needed in gaps) < len(gaps) // 200
    assert sum(gap < 6 * SECOND for gap, _ in gaps) > len(gaps) // 100
