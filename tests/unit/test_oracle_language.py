"""What scripts keep of an answer, and what they do where a part is missing."""

import asyncio
from typing import Final

import pytest

from brownout.core.values import Json
from brownout.engine.world import World
from brownout.rollouts.agents import play_steps
from brownout.rollouts.script_language import OracleMismatch, keep
from worlds.spec import OracleStep
from worlds.spec.script_names import path_mistake
from worlds.spec.tasks import counted_calls

ANSWER: Final[Json] = {"results": [{"id": 7, "subject": "door"}]}


def test_a_part_that_may_be_missing_is_left_out() -> None:
    assert keep({"first": "results[0].id", "second": "results[1].id?", "third": "results[0].id?"}, ANSWER) == {
        "first": "7",
        "third": "7",
    }
    with pytest.raises(OracleMismatch, match=r"results\[1\]\.id"):
        keep({"second": "results[1].id"}, ANSWER)


def test_a_path_may_end_with_a_question_mark() -> None:
    assert path_mistake("results[9].id?") == path_mistake("results[9].id") == ""
    assert path_mistake("results[?].id")


def test_steps_that_use_what_is_missing_are_left_out(tiny: World) -> None:
    steps = [
        OracleStep(call="slack_list_channels", keep={"none": "channels[99].name?", "some": "channels[0].name?"}),
        OracleStep(call="slack_read_channel", arguments={"channel": "$none"}),
        OracleStep(call="slack_read_channel", arguments={"channel": "$some"}),
    ]
    with tiny.open_session("find-the-change") as session:
        asyncio.run(play_steps(session, steps, "the oracle"))

        assert [act.call.name for act in session.end_state().acts] == ["slack_list_channels", "slack_read_channel"]


def test_the_calls_of_a_script_are_counted_with_those_that_may_be_left_out() -> None:
    lists = OracleStep(call="slack_list_channels", keep={"first": "channels[0].name", "last": "channels[99].name?"})
    reads = OracleStep(call="slack_read_channel", arguments={"channel": "$first"})
    may_read = OracleStep(call="slack_read_channel", arguments={"channel": "in ${last}"})

    assert counted_calls([reads]) == "1 call"
    assert counted_calls([lists, reads]) == "2 calls"
    assert counted_calls([lists, may_read, reads]) == "2 to 3 calls"
