"""What the command line prints of a ledger, a reward and a number of things."""

import pytest

from brownout.cli.output import counted, show_ledger
from brownout.core.reward_words import reward_text
from brownout.core.values import JsonObject


def line(criterion: str, **more: object) -> JsonObject:
    plain = {"criterion": criterion, "gate": False, "penalty": False, "passed": True, "worth": 2, "counted": 2}
    return {**plain, "reason": "because [of] this", **more}  # type: ignore[dict-item]


def test_a_penalty_that_does_not_apply_costs_nothing_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    show_ledger(
        [
            line("kept"),
            line("missed", passed=False, counted=0),
            line("careless", penalty=True, passed=False, worth=-3, counted=0),
            line("rude", penalty=True, worth=-3, counted=-3),
            line("untouched", gate=True, worth=0, counted=0),
        ]
    )
    rows = [row.rstrip().split(maxsplit=3) for row in capsys.readouterr().out.splitlines()[1:]]

    assert rows == [
        ["✓", "kept", "2/2", "because [of] this"],
        ["✗", "missed", "0/2", "because [of] this"],
        ["–", "careless", "0", "does not apply, nothing lost"],
        ["✗", "rude", "-3/-3", "because [of] this"],
        ["✓", "untouched", "gate", "because [of] this"],
    ]


def test_one_thing_is_not_called_many() -> None:
    assert [counted(n, "step") for n in (0, 1, 2, 1200)] == ["0 steps", "1 step", "2 steps", "1,200 steps"]
    assert counted(1, "person", "people") == "1 person"
    assert counted(2, "person", "people") == "2 people"


def test_a_reward_is_written_in_one_way() -> None:
    assert [reward_text(reward) for reward in (None, 0.0, 1 / 3, 1.0)] == ["null", "0", "0.333", "1"]
    assert [reward_text(reward) for reward in (0.1 + 0.2, 0.5, 0.07, 1)] == ["0.3", "0.5", "0.07", "1"]


def test_a_reward_that_is_not_quite_everything_or_nothing_is_never_called_so() -> None:
    said = [reward_text(reward) for reward in (0.9999999999999999, 1e-9, 0.9996, 0.9994, 0.0006)]

    assert said == ["just under 1", "just over 0", "just under 1", "0.999", "0.001"]
