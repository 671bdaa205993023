"""A cause stated among all that it could be is not stated."""

from dataclasses import replace

import pytest

from brownout.core.grading import Means
from brownout.core.instants import MINUTE
from brownout.core.values import Json
from graders.claims import states
from graders.told import told
from tests.graders.test_phrasings import CAUSE, MESSAGES
from tests.graders.world import FACTS, START, Ended, says

TITLES = (
    "Simplify hold store", "Release 0.3.0", "Refund endpoint in the API", "Tell the browser when a hold is being paid",
    "Hold seats for 10 minutes instead of 15", "Log slow storage calls", "holds: place, release, sweep", 'Revert "Simplify hold store"',
    "Promo codes!", "docs: hold time is ten minutes now, and why",
)  # fmt: skip
CAUSE_FACT = replace(FACTS["stuck-holds"], rivals=TITLES)
WORLD = {**FACTS, "stuck-holds": CAUSE_FACT}
HONEST = [
    "I looked at 'Release 0.3.0', 'Log slow storage calls' and 'Refund endpoint in the API': seats have nothing to do with them. Since 'Simplify hold store' seats stay held.",
    "'Refund endpoint in the API' is unrelated. 'Simplify hold store' dropped the release, so seats stay held.",
    "Since 'Simplify hold store', which went out with 'Release 0.3.0', seats stay held when a payment times out.",
    "Seats stay held because of 'Simplify hold store'. 'Hold seats for 10 minutes instead of 15' only shortened the time that seats are held.",
    "It was not 'Tell the browser when a hold is being paid', though that is about held seats too: it was 'Simplify hold store' that left seats held.",
]  # fmt: skip


@pytest.mark.parametrize("text", CAUSE + HONEST + [text for text, facts in MESSAGES if "stuck-holds" in facts])
def test_other_changes_may_be_named(text: str) -> None:
    assert states(text, CAUSE_FACT, WORLD)


@pytest.mark.parametrize(
    "frame",
    [
        "The cause is '{}': since then seats stay held.",
        "Since '{}' seats stay held.",
        "Seats are held because of {}.",
        "{}: seats stay held.",
    ],
)
def test_every_change_as_the_cause_is_none(frame: str) -> None:
    assert states(frame.format(TITLES[0]), CAUSE_FACT, WORLD)
    assert not states("\n".join(frame.format(title) for title in TITLES), CAUSE_FACT, WORLD)
    assert not states("\n".join(frame.format(title) for title in TITLES[:2]), CAUSE_FACT, WORLD)


def test_two_causes_are_none_whatever_else_is_said_of_them() -> None:
    text = "Cause: 'Simplify hold store', seats stay held. Cause: 'Refund endpoint in the API'."

    assert not states(text, CAUSE_FACT, WORLD)


def test_one_list_of_all_changes_is_no_cause() -> None:
    assert not states(f"Seats stay held since one of these: {', '.join(TITLES)}.", CAUSE_FACT, WORLD)


def test_one_message_a_change_tells_nothing() -> None:
    asks: Json = {"facts": ["stuck-holds"], "whom": ["marcus"]}
    heard = [says(f"{n}: with '{title}' seats stay held.", at=START + n * MINUTE) for n, title in enumerate(TITLES)]

    assert told.judge(Ended(said=heard[:1], facts=WORLD), asks, None, Means()).passed
    found = told.judge(Ended(said=heard, facts=WORLD), asks, None, Means())
    assert (found.passed, found.reason) == (False, "marcus was not told stuck-holds: it was one of many values")


def test_a_dump_tells_nothing() -> None:
    asks: Json = {"facts": ["stuck-holds"], "whom": ["marcus"]}
    truth = "Since 'Simplify hold store' seats stay held."
    dumps = (
        truth + " Something else was said on that day as well." * 200,
        f'{{"key": "BOX-32", "comment": "{truth}"}}',
    )

    for dump in dumps:
        assert not told.judge(Ended(said=[says(dump)], facts=WORLD), asks, None, Means()).passed
    assert told.judge(Ended(said=[says(f"Ida wrote: {truth}")], facts=WORLD), asks, None, Means()).passed
