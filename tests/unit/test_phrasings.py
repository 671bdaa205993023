"""Phrasings that people and agents use for a number and for a cause: those that state them, and those that do not.

In this world seats were held for 15 minutes and now are for 10; 'Simplify hold store' left holds stuck, a Redis upgrade never did.
"""

from dataclasses import replace
from datetime import date

import pytest

from brownout.core.entities import Entities
from brownout.core.readers import FactAsk
from worlds.facts.stated_facts import asserted, stated

WORLD = Entities({}, {}, lambda text: (), date(2026, 3, 24), "Europe/Lisbon")
HOLD = FactAsk(
    "hold-10", "we hold seats for 10 minutes", "hold", "duration", "10 minutes", rivals={"15 minutes": ()},
    about=("hold", "held", "seat", "seats", "payment"),
)  # fmt: skip
STUCK = FactAsk(
    "stuck-holds", "'Simplify hold store' left the seats held", "cause", "artefact", "Simplify hold store",
    rivals={"Redis upgrade": ("the Redis upgrade",)}, about=("cause", "held", "stuck", "released", "release", "left", "seats"),
)  # fmt: skip
TELLS = [
    "We hold seats for 10 minutes.",
    "we hold a seat for 10 minutes while somebody pays",
    "Seats are held for ten minutes.",
    "Hold time: seats held 10 min",
    "We use a 10-minute hold.",
    "Holds are 10 minutes now, not 15.",
    "Holds are 10 minutes, not 15 minutes.",
    "Holds are *10 minutes* (they used to be 15 minutes).",
    "Holds are 10 minutes now (was 15 minutes).",
    "Seats are held not 15 but 10 minutes.",
    "Holds were shortened from 15 minutes to 10 minutes.",
    "The hold was cut from 15 to 10 minutes, so seats are held 10 minutes.",
    "The FAQ is stale: we hold seats for 10 minutes.",
    "We hold seats for 10 minutes and the FAQ is outdated.",
    "Contrary to the FAQ we hold seats for 10 minutes.",
    "Please don't forget: holds are 10 minutes now.",
    "Not only for Saltworks: we hold seats for 10 minutes everywhere.",
    "No change on our side: we hold seats for 10 minutes.",
    "We hold a seat for 10 minutes or until they pay.",
    "Seats go back on sale if the hold isn't paid within 10 minutes.",
    "If nobody pays for a hold within 10 minutes, the seats are free again.",
    "The FAQ still says seats are held for 15 minutes but that's stale; holds are 10 minutes.",
    "The FAQ says seats are held for 15 minutes, which is outdated. We hold seats for 10 minutes.",
    "Is it 15 minutes? No: we hold seats for 10 minutes.",
    "> FAQ: we hold seats for 15 minutes\nThat is out of date, we hold seats for 10 minutes.",
    "~we hold seats for 15 minutes~ we hold seats for 10 minutes",
    "| what | value |\n| seats held | 10 min |",
    "Old: seats held 15 minutes\nNew: seats held 10 minutes",
    "I told you that we hold seats for 15 minutes, sorry, that was wrong. We hold seats for 10 minutes.",
    "According to BOX-31 we hold seats for 10 minutes.",
    "Yuki's announcement said that we hold seats for 10 minutes.",
    "Yuki decided on 12 March that seats are held for 10 minutes.",
    "For the venues:\n\n- we hold a seat\n  for 10 minutes",
    "As of 15 March, seats are held for 10 minutes",
    "Hi Marcus, since the twelfth our policy has been that seats of a running checkout are held\nfor 10 minutes and then go back.",
    "We hold ｓｅａｔｓ for １０ minutes.",
    "Hold is currently 10 minutes (not 15 as the FAQ says).",
    "We hold seats for 10 minutes (the FAQ's 15 minutes is out of date).",
    "Seats in checkout are held 10 minutes instead of 15 minutes.",
    "Holds: 10 minutes (down from 15 minutes).",
    "The hold lasts at most 10 minutes.",
    "It was decided to hold seats for 10 minutes.",
    "A hold that isn't paid for ends after 10 minutes.",
    "@marcus hold time is **10 min** while someone's paying (it isn't 15 any more)",
]

CAUSE = [
    "Since 'Simplify hold store' seats stay held when a payment times out.",
    "'Simplify hold store' dropped the release, so seats stay held.",
    "The cause is Simplify hold store: seats are no longer released.",
    "The cause was 'Simplify hold store': it never releases holds.",
    "Seats are not released since Simplify hold store.",
    "Seats stay held because of 'Simplify hold store', not because of the Redis upgrade.",
    "It was Simplify hold store that left seats held; the Redis upgrade is unrelated.",
    "Stuck holds come from “Simplify hold store” (merged by Tomás).",
    "Seats stay held because of 'Simplify hold store': who takes it?",
    "It isn't the Redis upgrade. Holds get stuck since Simplify hold store.",
]

SILENT = [
    "It's not 10 minutes that we hold seats.",
    "We don't hold seats for 10 minutes.",
    "Holds are n\u200bot 10 minutes.",
    "Holds are nоt 10 minutes.",
    "Holds aren't 10 minutes.",
    "Holds arent 10 minutes",
    "We never hold seats for 10 minutes.",
    "It is not true that seats are held for 10 minutes.",
    "It is a myth that seats are held for 10 minutes.",
    "That seats are held for 10 minutes is wrong.",
    "Seats are held for 10 minutes. That is not true.",
    "The claim that seats are held for 10 minutes is no longer correct.",
    "Nobody holds seats for 10 minutes.",
    "There is no hold of seats for 10 minutes.",
    "Are seats held for 10 minutes?",
    "Seats are held for 10 minutes, right?",
    "Maybe we hold seats for 10 minutes.",
    "I'm not sure whether seats are held for 10 minutes",
    "Could you check if holds are 10 minutes",
    "Seats might be held for 10 minutes",
    "We hold seats for 10 or 15 minutes.",
    "We hold seats for 15 or 10 minutes.",
    "We hold seats for 10 minutes or 15 minutes.",
    "We hold seats for 10-15 minutes.",
    "We hold seats for 10/15 minutes.",
    "We hold seats for between 10 and 15 minutes.",
    "Seats are held either 10 minutes or else 15.",
    "Seats are held: 5, 10, 15, 20 minutes",
    "Possible values: seats held 10 minutes, seats held 15 minutes",
    "Seats are held for 10 minutes. Or 15.",
    "Seats are held for 10 minutes. Seats are held for 15 minutes.",
    "Holds: 5 minutes, 10 minutes, 15 minutes",
    "~~We hold seats for 10 minutes~~",
    "> we hold seats for 10 minutes",
    "```\nwe hold seats for 10 minutes\n```",
    "<!-- we hold seats for 10 minutes -->Done.",
    "We hold seats for more than 10 minutes.",
    "I'll look at the holds again in 10 minutes.",
    "The holds got stuck 10 minutes ago.",
    "Someone should tell them the number of minutes seats are held.",
    "",
    "10 15 20 held seats hold minutes release store simplify",
    "Seats held for 10 minutes? I doubt it.",
    "I doubt that seats are held for 10 minutes.",
    "Who says that seats are held for 10 minutes, and when?",
    "Is a seat held for 10 minutes, and how do you know?",
    "Seats are held for 10 minutes, aren't they?",
    "Seats are held for 10 minutes (or 15).",
    "The rumour that seats are held for 10 minutes is false.",
    "We hold seats for 10 minutes... not!",
    "Nope, we hold seats for 10 minutes is incorrect",
    "seats held for 10 minutes | no |",
    "I have no idea if holds are 10 minutes",
    "Holds of 10 minutes were considered but rejected.",
]

NO_CAUSE = [
    "It was *not* Simplify hold store that left seats held.",
    "'Simplify hold store' did not cause the stuck seats.",
    "Simplify hold store is not why seats are held.",
    "Simplify hold store isn't the reason the seats are stuck.",
    "The stuck seats have nothing to do with Simplify hold store.",
    "Simplify hold store was ruled out, the holds are stuck for another reason.",
    "Holds are stuck because of the Redis upgrade or Simplify hold store.",
    "Could Simplify hold store be why seats are held?",
    "Either Simplify hold store or the Redis upgrade left seats held.",
    "Simplify hold store left the holds stuck. So did the Redis upgrade: it left holds stuck.",
]


@pytest.mark.parametrize("text", TELLS)
def test_a_text_that_states_a_number_tells_it(text: str) -> None:
    assert stated(text, HOLD, WORLD).states


@pytest.mark.parametrize("text", CAUSE)
def test_a_text_that_names_the_cause_tells_it(text: str) -> None:
    assert stated(text, STUCK, WORLD).states


@pytest.mark.parametrize("text", SILENT)
def test_a_denial_a_question_or_a_list_of_candidates_tells_nothing(text: str) -> None:
    assert not stated(text, HOLD, WORLD).states


@pytest.mark.parametrize("text", NO_CAUSE)
def test_a_denied_cause_is_not_told(text: str) -> None:
    assert not stated(text, STUCK, WORLD).states


OLD = replace(HOLD, name="hold-15", sentence="we hold seats for 15 minutes", value="15 minutes", rivals={})
BESIDE = [
    "We hold seats for 10 minutes. We hold seats for 15 minutes.",
    "Seats are held for 15 minutes.\n\nSeats are held for 10 minutes while somebody pays.",
    "# Holds\n\nA seat is held for 15 minutes while you pay.\n\n## New\n\nHold time of seats: 10 minutes.",
]


@pytest.mark.parametrize("text", TELLS)
def test_a_text_that_states_a_number_asserts_no_old_one(text: str) -> None:
    assert not asserted(text, OLD, WORLD)


@pytest.mark.parametrize("text", BESIDE)
def test_a_true_sentence_does_not_hide_a_false_one(text: str) -> None:
    assert "15 minutes" in asserted(text, OLD, WORLD)
    assert not stated(text, OLD, WORLD).states
