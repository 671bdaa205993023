"""A model plays through an OpenAI-compatible endpoint; one that fails gives no reward, never a zero."""

import json
from pathlib import Path
from time import monotonic

import pytest

from brownout.core.trajectory import DefectEvent, ModelEvent, ResultEvent, ToolCallEvent
from brownout.core.values import JsonObject
from brownout.engine.world import World
from brownout.llm import Model, chat
from brownout.rollouts.recorder import read_run
from brownout.testing.fake_openai import FakeOpenAI, Reply
from tests.functional.playing import play

TASK = "find-the-change"
pytestmark = pytest.mark.filterwarnings("ignore")  # litellm's own


def turn(*calls: tuple[str, JsonObject], text: str = "") -> Reply:
    """An assistant's message with tool calls, as an endpoint sends it."""
    listed = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for n, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text, **({"tool_calls": listed} if listed else {})}
    choices = [{"message": message, "finish_reason": "stop"}]
    return Reply(
        json.dumps({"model": "fake", "policy_version": "step-120", "choices": choices, "usage": {}}), is_raw=True
    )


@pytest.fixture(scope="module", autouse=True)
def imported() -> None:
    """litellm is here, and has asked once, before anybody counts seconds."""
    with FakeOpenAI("Hello.") as endpoint:
        chat(Model(name="openai/fake", base_url=endpoint.base_url), [{"role": "user", "content": "Hello?"}], [], 1.0)


def options(endpoint: FakeOpenAI, **more: float) -> Model:
    return Model(
        name="openai/fake",
        base_url=endpoint.base_url,
        timeout_seconds=more.get("timeout", 20.0),
        patience_seconds=more.get("patience", 0.0),
        pause_seconds=0.01,
    )


def test_a_model_calls_tools_and_submits(tiny: World, tmp_path: Path) -> None:
    script = [
        turn(("slack_read_channel", {"channel": "#ops"}), ("jira_get_issue", {"issue": "BOX-32"})),
        turn(("jira_update_issue", {"issue": "BOX-32", "assignee": "tomas", "priority": "High"})),
        turn(("submit", {"answer": "Tomás has it."})),
    ]
    with FakeOpenAI(*script) as endpoint:
        result = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint))

    assert (result.status, result.steps, result.reward) == (
        "ok",
        4,
        0.0,
    )  # nobody is paid for giving the ticket to somebody without the cause
    asked = endpoint.requests[1]["messages"]
    assert isinstance(asked, list)
    assert [str(m["role"]) for m in asked if isinstance(m, dict)] == ["user", "assistant", "tool", "tool"]
    completions = [event for event in read_run(tmp_path / "run").events if isinstance(event, ModelEvent)]
    assert [event.policy_version for event in completions] == ["step-120"] * 3


def test_a_run_says_what_its_model_took(tiny: World, tmp_path: Path) -> None:
    with FakeOpenAI(Reply("Tomás has it.", tokens=(1200, 30))) as endpoint:
        play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint))

    result = read_run(tmp_path / "run").result
    assert result is not None
    asked = len(endpoint.requests)
    assert result.usage == {"input_tokens": 1200 * asked, "output_tokens": 30 * asked}


def test_calls_of_one_turn_share_its_time(tiny: World, tmp_path: Path) -> None:
    script = [turn(("slack_list_users", {}), ("slack_list_channels", {})), turn(("submit", {"answer": "x"}))]
    with FakeOpenAI(*script) as endpoint:
        result = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint))

    settle = tiny.package.task(TASK).settle / 60_000_000
    assert result.sim_minutes - settle == 1.0


def test_arguments_that_are_no_json_are_an_observation(tiny: World, tmp_path: Path) -> None:
    broken = {"id": "a", "type": "function", "function": {"name": "slack_list_users", "arguments": "{nonsense"}}
    body = {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [broken]}}]}
    with FakeOpenAI(Reply(json.dumps(body), is_raw=True), turn(("submit", {"answer": "x"}))) as endpoint:
        result = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint))

    assert (result.status, result.reward) == ("ok", 0.0)


def calls(*functions: object) -> Reply:
    """A message whose calls are as they are given, whether or not they are any."""
    listed = [{"id": f"c{n}", "type": "function", "function": function} for n, function in enumerate(functions)]
    body = {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": listed}}]}
    return Reply(json.dumps(body), is_raw=True)


@pytest.mark.parametrize(
    "function",
    [
        {"name": "no_such_tool", "arguments": "{}"},
        {"name": "wait", "arguments": '{"minutes": "soon", "until_notice": [1]}'},
        {"name": "wait", "arguments": "[1, 2]"},
        {"name": "wait", "arguments": '{"minutes": 5'},
        {"name": "", "arguments": ""},
        {"name": "slack_send_message", "arguments": json.dumps({"channel": "#ops", "text": "x" * 10_000_000})},
    ],
)
def test_what_a_model_calls_wrongly_is_an_answer_to_it_and_the_episode_goes_on(
    tiny: World, tmp_path: Path, function: object
) -> None:
    with FakeOpenAI(calls(function), turn(("submit", {"answer": "x"}))) as endpoint:
        result = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint))
    run = read_run(tmp_path / "run")
    first, *_ = (event for event in run.events if isinstance(event, ResultEvent))

    assert (result.status, result.stop, result.reward) == ("ok", "submit", 0.0)
    assert first.is_error
    assert not [event for event in run.events if isinstance(event, DefectEvent)]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(trouble="hang"), "no whole answer within"),
        (Reply(trouble="cut"), "onnection"),
        (Reply(trouble="half"), "onnection"),
        (Reply(trouble="trickle"), "no whole answer within"),
        (Reply('{"choices": [{"message": {"role": "assistant", "content": "I w', is_raw=True), "malformed"),
        (Reply(status=429), "RateLimitError"),
        (Reply("not json", is_raw=True), "malformed"),
        (Reply('{"choices": []}', is_raw=True), "no message"),
        (Reply('{"choices": [{"message": {"tool_calls": [3]}}]}', is_raw=True), "server"),
        (Reply(status=500), "server: InternalServerError"),
        (Reply(status=401), "refused: AuthenticationError"),
    ],
)
def test_a_model_that_fails_gives_no_reward(tiny: World, tmp_path: Path, reply: Reply, expected: str) -> None:
    with FakeOpenAI(reply) as endpoint:
        result = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint, timeout=0.6))

    assert (result.status, result.reward) == ("agent_error", None)
    assert expected in str(result.failure)


def test_passing_trouble_is_tried_again(tiny: World, tmp_path: Path) -> None:
    with FakeOpenAI(Reply(status=429), turn(("submit", {"answer": "x"}))) as endpoint:
        result = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint, patience=20))

    assert (result.status, len(endpoint.requests)) == ("ok", 2)


def test_a_model_that_is_busy_is_waited_for_as_long_as_it_asks(tiny: World, tmp_path: Path) -> None:
    busy = Reply(status=429, headers={"retry-after": "1"})
    with FakeOpenAI(busy, busy, turn(("submit", {"answer": "x"}))) as endpoint:
        begun = monotonic()
        result = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint, patience=20))
        assert monotonic() - begun >= 2
    [asked] = [event for event in read_run(tmp_path / "run").events if isinstance(event, ModelEvent)]

    assert (result.status, asked.attempts) == ("ok", 3)


def test_an_episode_that_was_cut_short_asks_the_model_nothing_twice(tiny: World, tmp_path: Path) -> None:
    script = [turn(("slack_list_users", {})), turn(("submit", {"answer": "x"}))]
    with FakeOpenAI(*script) as endpoint:
        first = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint))
        (tmp_path / "run" / "run.json").unlink()
        again = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint))

        assert len(endpoint.requests) == 2
    assert (again.reward, again.steps) == (first.reward, first.steps)


TOO_LONG = Reply(
    json.dumps({"error": {"message": "too long", "type": "invalid_request_error", "code": "context_length_exceeded"}}),
    status=400,
    is_raw=True,
)
FIRST = turn(("jira_update_issue", {"issue": "BOX-32", "priority": "High"}))


def test_an_agent_that_fills_its_context_is_graded_for_what_it_did(tiny: World, tmp_path: Path) -> None:
    play(tiny, tmp_path / "oracle", TASK, "oracle")
    *made, _ = [event for event in read_run(tmp_path / "oracle").events if isinstance(event, ToolCallEvent)]
    with FakeOpenAI(*(turn((call.name, call.arguments)) for call in made), TOO_LONG) as endpoint:
        result = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint))

    assert (result.status, result.stop, result.steps) == ("ok", "context", len(made))
    assert result.reward is not None and result.reward > 0.5


def test_a_first_prompt_that_does_not_fit_is_not_the_agents_doing(tiny: World, tmp_path: Path) -> None:
    with FakeOpenAI(TOO_LONG) as endpoint:
        result = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint))

    assert (result.status, result.reward, result.failure_kind) == ("agent_error", None, "model_failed")


@pytest.mark.parametrize("reply", [Reply(status=400, text="no such parameter"), Reply(status=413)])
def test_a_refusal_for_something_else_gives_no_reward(tiny: World, tmp_path: Path, reply: Reply) -> None:
    with FakeOpenAI(FIRST, reply) as endpoint:
        result = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint))

    assert (result.status, result.reward) == ("agent_error", None)


def test_an_answer_that_was_withheld_is_the_stop_reason(tiny: World, tmp_path: Path) -> None:
    with FakeOpenAI(FIRST, Reply("part of", finish="content_filter")) as endpoint:
        result = play(tiny, tmp_path / "run", TASK, "llm", model=options(endpoint))

    assert (result.status, result.stop, result.steps) == ("ok", "content_filter", 1)
    assert result.reward is not None
