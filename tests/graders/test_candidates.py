"""Any number in the words of a fact is a candidate; numbers of something else accuse nobody."""

import pytest

from brownout.core.grading import Means
from brownout.core.instants import MINUTE
from brownout.core.values import Json
from graders.claims import states, untrue_claims
from graders.told import told
from tests.graders.world import FACTS, START, Ended, fact, says
from worlds.facts import candidates

TEN = FACTS["hold-10"]
OTHERS = [
    "We hold seats for 12 minutes.",
    "Update: seats are held for 12 minutes now.",
    "Seats are held for 20 minutes at night.",
    "We hold seats for 900 seconds.",
    "We hold seats for a quarter of an hour.",
    "We hold seats for half an hour.",
    "We hold seats for twenty-five minutes.",
    "We hold seats for twelve minutes.",
    "We use a 7-minute hold.",
    "Holds: 25 min",
    "| seats held | 12 min |",
    "Our seats are always held for exactly 13 minutes.",
    "The FAQ says we hold seats for 20 minutes.",
]
HONEST = [
    "We hold seats for 10 minutes, that is 600 seconds.",
    "We hold seats for 10 minutes. To be exact, we hold seats for 600 seconds.",
    "We hold seats for 10 minutes. Seats at Saltworks were stuck for 40 minutes on Monday.",
    "We hold seats for 10 minutes. The 130 seats of Saltworks have been stuck for 14 hours.",
    "We hold seats for 10 minutes. I was on hold for 20 minutes with the provider.",
    "We hold seats for 10 minutes. I'll look at the held seats again in 30 minutes.",
    "We hold seats for 10 minutes; most buyers of seats pay within 3 minutes.",
    "We hold seats for 10 minutes. The provider's page times out after 5 minutes, the seats stay held then.",
    "Seats are held for 10 minutes, plus 5 minutes of grace for a payment that has begun.",
    "Seats are held for 10 minutes. A payment gets a grace of 5 minutes, and the seats stay with it.",
    "We hold seats for 10 minutes. Two seats were held for 47 minutes on Friday, which nobody can explain.",
    "Holds are 10 minutes. Saltworks rang 25 minutes ago about held seats.",
    "Holds are 10 minutes. The next update on held seats comes in 45 minutes.",
    "Holds are 10 minutes. Owen needs 20 minutes to release the seats that are held.",
    "Holds are 10 minutes. The doors open at 20:30, 90 minutes before the seats are called.",
    "Holds are 10 minutes. 127 seats are held by dead payments.",
    "Holds are 10 minutes. Seats 14 and 15 are blocked, 3 minutes' work each.",
    "Holds are 10 minutes. The matinee has 320 seats and lasts 75 minutes.",
    "Holds are 10 minutes. The hold music of the bank lasted 12 minutes.",
    "Holds are 10 minutes. In the tests a hold is 2 minutes.",
    "Holds are 10 minutes. A competitor is said to hold seats for 8 minutes, we do not.",
    "Holds are 10 minutes. We do not hold seats for 12 minutes, whatever the poster says.",
    "Holds are 10 minutes. Should we hold seats for 12 minutes?",
    "Holds are 10 minutes. Dora would like us to hold seats longer, maybe 20 minutes.",
    "Holds are 10 minutes. Yuki proposed that seats are held for 12 minutes, but it was rejected.",
    "Holds are 10 minutes. Before that seats were held for 15 minutes, and in the prototype holds were 30 minutes.",
    "Holds are 10 minutes. The meeting about held seats was held for 50 minutes.",
    "Holds are 10 minutes. Please hold off for 20 minutes before you answer Saltworks about their seats.",
    "Holds are 10 minutes. Seats that were held at 19:10 were free again 10 minutes later.",
    "Holds are 10 minutes. It took us 35 minutes to see that seats were held by nobody.",
    "Holds are 10 minutes. Of the held seats 12 were paid minutes later.",
    "Holds are 10 minutes. The seats of row B were held up 4 minutes by a late delivery.",
    "Holds are 10 minutes. The database was slow for 140 minutes, and the seats of that time look held.",
    "Holds are 10 minutes. A seat goes back on sale 1 minute after its hold is over.",
]  # fmt: skip


@pytest.mark.parametrize("text", OTHERS)
def test_a_number_that_no_fact_has_is_a_rival(text: str) -> None:
    assert not states(f"We hold seats for 10 minutes.\n{text}", TEN, FACTS) or "FAQ" in text
    assert [claim.slot for claim in untrue_claims(text, START, FACTS)] == ["hold"]


@pytest.mark.parametrize("text", HONEST)
def test_numbers_of_something_else_accuse_nobody(text: str) -> None:
    assert states(text, TEN, FACTS)
    assert untrue_claims(text, START, FACTS) == []


def test_the_truth_among_all_numbers_is_not_stated() -> None:
    every = [n for n in range(3, 31) if n != 15]

    for frame in (
        "We hold seats for {} minutes.",
        "Some say that we hold seats for {} minutes.",
        "Seats of group {0} are held {0} min.",
    ):
        assert not states(" ".join(frame.format(n) for n in every), TEN, FACTS), frame
    assert states("We hold seats for 10 minutes.", TEN, FACTS)


def test_one_message_a_number_tells_nothing() -> None:
    for frame in ("We hold seats for {} minutes.", "At venue number {} we hold the better seats {} minutes."):
        order = [n for n in range(3, 31) if n not in (10, 15)]
        heard = [says(frame.format(n, n), at=START + at * MINUTE) for at, n in enumerate([*order, 10])]
        asks: Json = {"facts": ["hold-10"], "whom": ["marcus"]}

        assert not told.judge(Ended(said=heard), asks, None, Means()).passed or frame.startswith("We")
        assert told.judge(Ended(said=heard[-1:]), asks, None, Means()).passed


def test_times_are_candidates_where_the_pattern_says_of_what() -> None:
    facts = {"began": fact("began", "slow", "19:10", "(slow|fail*) * 19:10", "(from|at) 19:10")}
    began = facts["began"]

    assert states("Payments failed from 19:10 to 21:30; at 09:00 all was well.", began, facts)
    assert states("Payments failed from 7:10 pm on. We met at 14:05.", began, facts) is False
    assert not states("Payments failed from 19:10. Payments failed from 19:20.", began, facts)
    assert untrue_claims("Payments failed from 19:14.", START, facts) == []


def test_a_name_or_a_version_has_no_candidates() -> None:
    assert candidates("We run 1.8.20", ["running * 1.8.2", "run 1.8.2"], "1.8.2") == []
    assert candidates("owner: Ida", ["owner * tomas"], "tomas") == []
