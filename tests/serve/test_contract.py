"""What a client can rely on, whichever transport carries its requests."""

import asyncio
from collections.abc import Callable

import pytest

from brownout.client import SessionClient, TurnCall
from brownout.client.errors import (
    BadRequest,
    CallConflict,
    EpisodeEnded,
    EpisodeGoesOn,
    NoSuchSession,
    NoSuchTask,
    SessionConflict,
    SessionGone,
)
from brownout.client.requests import CallTool
from brownout.core.values import Json, JsonObject
from tests.serve.scripts import TASK, play_oracle
from worlds.package import Package

Ids = Callable[[], str]


def test_the_same_creation_again_is_the_same_session(client: SessionClient, session: Ids) -> None:
    first = client.create(name := session(), TASK, seed=3)
    client.call(name, "slack_list_channels", {})

    again = client.create(name, TASK, seed=3)

    assert again == first
    assert client.state(name).calls == 1


def test_an_id_with_other_arguments_is_a_conflict(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK, seed=3)

    with pytest.raises(SessionConflict):
        client.create(name, TASK, seed=4)
    with pytest.raises(SessionConflict):
        client.create(name, "release-the-seats", seed=3)


def test_an_id_is_not_given_out_again_after_its_session_was_closed(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK)

    assert client.close_session(name).was_open
    assert not client.close_session(name).was_open
    for ask in (
        lambda: client.create(name, TASK),
        lambda: client.call(name, "slack_list_channels", {}),
        lambda: client.grade(name),
        lambda: client.log(name),
    ):
        with pytest.raises(SessionGone):
            ask()


def test_an_id_that_was_closed_before_it_was_created_is_never_created(client: SessionClient, session: Ids) -> None:
    name = session()
    assert not client.close_session(name).was_open

    with pytest.raises(SessionGone):
        client.create(name, TASK)


def test_what_was_never_created_is_not_there(client: SessionClient, session: Ids) -> None:
    name = session()
    for ask in (
        lambda: client.call(name, "slack_list_channels", {}),
        lambda: client.say(name, "Hello"),
        lambda: client.submit(name, "Done"),
        lambda: client.grade(name),
        lambda: client.state(name),
        lambda: client.log(name),
        lambda: client.stop(name, "done"),
        lambda: client.fork(name, f"{name}-2"),
    ):
        with pytest.raises(NoSuchSession):
            ask()


def test_an_unknown_task_is_refused_and_leaves_its_id_free(client: SessionClient, session: Ids) -> None:
    with pytest.raises(NoSuchTask, match="find-the-change"):
        client.create(name := session(), "find-nothing")

    assert client.create(name, TASK).task == TASK


def test_a_creation_tells_all_that_an_agent_needs(client: SessionClient, session: Ids) -> None:
    opened = client.create(session(), TASK)

    assert "Wren" in opened.instructions
    assert {"slack_send_message", "submit", "wait"} <= {tool.name for tool in opened.tools}
    assert opened.limits.calls > 0
    assert opened.world == "tiny"


def test_a_call_that_is_sent_again_is_made_once(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK)
    message: JsonObject = {"channel": "#support", "text": "Looking into it."}

    first = client.call(name, "slack_send_message", message, call_id="c1")
    before = client.state(name)
    again = client.call(name, "slack_send_message", message, call_id="c1")

    assert again == first
    assert client.state(name) == before


def test_a_call_id_that_is_used_for_another_call_is_a_conflict(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK)
    client.call(name, "slack_list_channels", {}, call_id="c1")
    before = client.state(name)

    with pytest.raises(CallConflict):
        client.call(name, "jira_search_issues", {"jql": "type = Bug"}, call_id="c1")
    with pytest.raises(CallConflict):
        client.turn(name, [TurnCall(name="wait", call_id="x"), TurnCall(name="submit", call_id="x")])

    assert client.state(name) == before


def test_calls_without_an_id_are_all_made(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK)
    for _ in range(2):
        client.call(name, "slack_list_channels", {})

    assert client.state(name).calls == 2


def test_a_turn_of_several_calls_costs_one_turn(client: SessionClient, session: Ids) -> None:
    client.create(several := session(), TASK)
    client.create(single := session(), TASK)
    calls = [TurnCall(name="slack_list_channels", call_id=f"c{number}") for number in range(3)]

    taken = client.turn(several, calls)
    for call in calls:
        client.call(single, call.name, call.arguments)

    assert [answer.call_id for answer in taken.answers] == ["c0", "c1", "c2"]
    assert client.state(several).now < client.state(single).now
    assert client.turn(several, calls) == taken
    assert client.state(several).calls == 3


def test_an_unknown_tool_and_wrong_arguments_are_observations(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK)

    unknown = client.call(name, "no/such tool ü", {})
    wrong = client.call(name, "slack_send_message", {"channel": 7})

    assert unknown.is_error
    assert "There is no tool called" in unknown.content
    assert wrong.is_error
    assert "text" in wrong.content


def test_the_requester_answers_what_is_said_and_hears_it_once(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), "mend-the-help-page")

    first = client.say(name, "Which venue complained?", turn_id="t1")
    again = client.say(name, "Which venue complained?", turn_id="t1")

    assert first.reply
    assert again == first
    assert sum(event["kind"] == "say" for event in client.log(name).events) == 1
    with pytest.raises(CallConflict):
        client.say(name, "Something else.", turn_id="t1")


def test_a_submission_ends_the_episode_and_can_be_sent_again(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK)

    first = client.submit(name, "Done.")

    assert first.ended == "submit"
    assert client.submit(name, "Done.") == first
    with pytest.raises(EpisodeEnded):
        client.submit(name, "Something else.")
    with pytest.raises(EpisodeEnded):
        client.call(name, "slack_list_channels", {})
    with pytest.raises(EpisodeEnded):
        client.say(name, "Hello?")


def test_a_submission_that_is_too_long_is_an_observation_and_a_shorter_one_counts(
    client: SessionClient, session: Ids
) -> None:
    client.create(name := session(), TASK)

    assert client.submit(name, "x" * 30_000).is_error
    assert client.submit(name, "Done.").ended == "submit"


def test_a_grade_changes_nothing_and_is_the_same_each_time(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK)
    client.submit(name, "Done.")
    before = client.state(name), client.log(name)

    grade = client.grade(name)

    assert grade.reward == 0
    assert not grade.resolved
    assert set(grade.components) == {line["criterion"] for line in grade.ledger if line["grader"] != "rubric"}
    assert client.grade(name) == grade
    assert (client.state(name), client.log(name)) == before


def test_an_episode_that_goes_on_is_not_graded(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK)

    with pytest.raises(EpisodeGoesOn):
        client.grade(name)

    assert client.stop(name, "done", "the agent went home").ended == "done"
    assert client.stop(name, "again").ended == "done"
    assert client.grade(name).reward == 0


def test_a_grader_that_there_is_not_cannot_be_skipped(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK)
    client.stop(name, "done")

    with pytest.raises(BadRequest, match="nobody"):
        client.grade(name, skip=["nobody"])


def test_the_state_says_what_was_changed(client: SessionClient, session: Ids) -> None:
    opened = client.create(name := session(), TASK)
    assert client.state(name).digest == opened.digest

    client.call(name, "slack_send_message", {"channel": "#support", "text": "Looking into it."})
    state = client.state(name)

    assert state.digest != opened.digest
    assert any("Looking into it." in str(change.after) for change in state.changes)


def test_the_log_can_be_read_on_from_where_it_was_left(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK)
    client.call(name, "slack_list_channels", {})
    first = client.log(name)
    client.call(name, "slack_list_channels", {})

    rest = client.log(name, since=first.next)

    assert [event["seq"] for event in (*first.events, *rest.events)] == list(range(rest.next))
    assert client.log(name, since=rest.next + 5).events == ()


def test_a_copy_goes_its_own_way(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK)
    first = client.call(name, "slack_list_channels", {}, call_id="c1")
    copied = client.fork(name, twin := session())
    assert client.state(twin).digest == client.state(name).digest == copied.digest

    assert client.call(twin, "slack_list_channels", {}, call_id="c1") == first
    client.call(twin, "slack_send_message", {"channel": "#support", "text": "A copy's."})

    assert client.state(twin).digest != client.state(name).digest
    assert client.fork(name, twin) == copied
    client.close_session(name)
    assert client.state(twin).calls == 2


def test_a_copy_does_not_take_an_id_that_is_taken(client: SessionClient, session: Ids) -> None:
    client.create(first := session(), TASK)
    client.create(second := session(), TASK)

    with pytest.raises(SessionConflict):
        client.fork(first, second)


def test_sessions_do_not_see_each_other(client: SessionClient, session: Ids) -> None:
    client.create(first := session(), TASK)
    client.create(second := session(), TASK)
    client.call(first, "slack_send_message", {"channel": "#support", "text": "Only here."})

    assert "Only here." in str(client.state(first).changes)
    assert "Only here." not in str(client.state(second).changes)
    assert client.state(second).calls == 0


def test_the_reference_solution_earns_everything(client: SessionClient, session: Ids, tiny_package: Package) -> None:
    client.create(name := session(), TASK)

    play_oracle(client, name, tiny_package)

    grade = client.grade(name)
    assert grade.reward == 1
    assert grade.resolved
    assert set(grade.components.values()) == {1.0}


def test_both_transports_tell_the_same(
    in_process: SessionClient, over_http: SessionClient, session: Ids, tiny_package: Package
) -> None:
    name = session()
    told = []
    for client in (in_process, over_http):
        opened = client.create(name, TASK, seed=5)
        play_oracle(client, name, tiny_package)
        told.append((opened.model_copy(update={"token": ""}), client.state(name), client.log(name), client.grade(name)))

    assert told[0] == told[1]


def test_an_event_loop_asks_in_the_same_way(client: SessionClient, session: Ids) -> None:
    client.create(name := session(), TASK)

    answer = asyncio.run(client.ask(CallTool(session_id=name, name="slack_list_channels")))

    assert not answer.is_error


@pytest.mark.parametrize("depth", [65, 300, 900])
def test_arguments_that_are_too_deep_are_the_agents_mistake_however_deep(
    client: SessionClient, session: Ids, depth: int
) -> None:
    client.create(name := session(), TASK)
    limit: Json = 1
    for _ in range(depth):
        limit = [limit]

    alone = client.call(name, "slack_list_channels", {"limit": limit}, call_id="alone")
    [in_a_turn] = client.turn(name, [TurnCall(name="slack_list_channels", arguments={"limit": limit})]).answers

    for answer in (alone, in_a_turn):
        assert answer.is_error and "expected at most 64 levels, found more" in answer.content
    assert client.state(name).calls == 2
    assert client.call(name, "slack_list_channels", {"limit": limit}, call_id="alone") == alone
