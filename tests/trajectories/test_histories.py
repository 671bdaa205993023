"""Histories only grow: what a model was sent, to the byte, and what a trainer showed its policy, to the token."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from brownout.core.errors import UsageError
from brownout.core.values import Json, JsonObject, objects_in
from brownout.engine.world import World
from brownout.llm import Model
from brownout.rollouts.recorder import read_run
from brownout.testing.fake_openai import FakeOpenAI, Reply
from brownout.trajectories.chat_messages import from_messages
from brownout.trajectories.conversation import conversation_of
from brownout.trajectories.formats import FORMATS
from brownout.trajectories.growing_prompts import TokenPrompt, check_run_history, check_token_file, first_break
from brownout.trajectories.message_history import history_of
from tests.functional.commands import Commands
from tests.functional.playing import play

pytestmark = pytest.mark.filterwarnings("ignore")  # litellm's own


def answer(calls: Sequence[tuple[str, str]] = (), text: str | None = None, **tokens: list[int]) -> Reply:
    """What an endpoint sends: calls with their arguments as text, and token ids by vLLM's names."""
    listed = [
        {"id": "c0", "type": "function", "function": {"name": name, "arguments": arguments}}
        for name, arguments in calls
    ]
    message = {"role": "assistant", "content": text, **({"tool_calls": listed} if listed else {})}
    choice = {"message": message, "finish_reason": "stop", "index": 0, "token_ids": tokens.get("said", [])}
    body = {"id": "1", "created": 1, "model": "fake", "object": "chat.completion", "choices": [choice], "usage": {}}
    return Reply(json.dumps({**body, "prompt_token_ids": tokens.get("shown", [])}), is_raw=True)


SCRIPT = [
    answer([("slack_list_users", "{}"), ("jira_get_issue", '{ "issue" :  "BOX-32" }')]),
    answer([("slack_list_channels", "{nonsense"), ("wait", '{"minutes":1}')], text="Wait."),
    answer(text="Which ticket is it?"),
    answer([("submit", '{"answer": "x"}')]),
]


def played(tiny: World, folder: Path, script: Sequence[Reply]) -> list[JsonObject]:
    """What a scripted model was sent, request by request."""
    with FakeOpenAI(*script) as endpoint:
        model = Model(name="openai/fake", base_url=endpoint.base_url, patience_seconds=0, pause_seconds=0.01)
        assert play(tiny, folder, "mend-the-help-page", "llm", model=model).status == "ok"
    return endpoint.requests


def test_what_a_model_was_sent_is_a_prefix_of_the_runs_messages_to_the_byte(tiny: World, tmp_path: Path) -> None:
    sent = played(tiny, tmp_path / "run", SCRIPT)
    history = history_of(conversation_of(read_run(tmp_path / "run")))

    assert (
        [asked.sent for asked in history.asked] == [1, 4, 7, 9] == [len(objects_in(body["messages"])) for body in sent]
    )
    for asked, body in zip(history.asked, sent, strict=True):
        assert json.dumps(history.messages[: asked.sent]) == json.dumps(body["messages"])


def test_a_run_whose_histories_only_grow_passes(tiny: World, tmp_path: Path, command: Commands) -> None:
    played(tiny, tmp_path / "run", SCRIPT)
    report = check_run_history(read_run(tmp_path / "run"))

    assert (report.episodes, report.prompts, report.unit, report.breaks) == (1, 4, "messages", ())
    done = command("trajectory", "check", tmp_path / "run")
    assert (done.code, done.out) == (0, "4 prompts in 1 episodes, compared by messages: no breaks\n")


def test_a_log_that_tells_another_story_than_was_sent_is_named_by_its_prompt(
    tiny: World, tmp_path: Path, command: Commands
) -> None:
    played(tiny, tmp_path / "run", SCRIPT)
    log = tmp_path / "run" / "trajectory.jsonl"
    log.write_bytes(log.read_bytes().replace(b"BOX-32", b"BOX-33"))

    [found] = check_run_history(read_run(tmp_path / "run")).breaks
    assert (found.prompt, "is not what was sent" in found.why) == (2, True)
    done = command("trajectory", "check", tmp_path / "run")
    assert done.code == 1 and "prompt 2 is not what was sent" in done.out


@pytest.mark.parametrize(("second", "breaks"), [([1, 2, 3, 9], []), ([1, 2, 9, 9], [2])])
def test_tokens_that_the_endpoint_gave_are_compared(
    second: list[int], breaks: list[int], tiny: World, tmp_path: Path
) -> None:
    script = [
        answer([("slack_list_users", "{}")], shown=[1, 2], said=[3]),
        answer([("submit", '{"answer": "x"}')], shown=second, said=[4]),
    ]
    played(tiny, tmp_path / "run", script)
    report = check_run_history(read_run(tmp_path / "run"))

    assert (report.unit, [each.prompt for each in report.breaks]) == ("tokens", breaks)


def test_a_run_that_no_model_played_has_nothing_to_check(tiny: World, tmp_path: Path) -> None:
    play(tiny, tmp_path / "run", "find-the-change", "noop")

    with pytest.raises(UsageError, match="no model played this run"):
        check_run_history(read_run(tmp_path / "run"))


def test_a_run_whose_model_never_answered_says_so_and_why(tiny: World, tmp_path: Path) -> None:
    with FakeOpenAI(Reply(status=401)) as endpoint:
        model = Model(name="openai/fake", base_url=endpoint.base_url)
        play(tiny, tmp_path / "run", "mend-the-help-page", "llm", model=model)

    with pytest.raises(
        UsageError, match=r"the model never answered, so there are no prompts to check: .*AuthenticationError"
    ):
        check_run_history(read_run(tmp_path / "run"))


def test_a_run_without_its_models_answers_says_so(tiny: World, tmp_path: Path) -> None:
    played(tiny, tmp_path / "run", SCRIPT)
    (tmp_path / "run" / "model.jsonl").unlink()

    with pytest.raises(UsageError, match="expected what the model answered in"):
        check_run_history(read_run(tmp_path / "run"))


@pytest.mark.parametrize(
    ("prompts", "why"),
    [
        ([[1, 2], [1, 2, 3, 9]], ""),
        ([[1, 2], [1, 9, 3]], "has 9 as token 1, which was 2 before"),
        ([[1, 2], [1, 2]], "ends at token 2, and 3 were seen before"),
        ([[1, 2], [1, 2, 4, 9]], "has 4 as token 2, which was 3 before"),
        ([], ""),
    ],
)
def test_the_first_token_that_differs_is_told(prompts: list[list[int]], why: str) -> None:
    found = first_break([TokenPrompt(prompt, [3]) for prompt in prompts], "e")

    assert (found.why if found else "") == why


@pytest.mark.parametrize(
    "lines",
    [
        [{"episode": "a", "prompt_ids": [1], "completion_ids": [2]}, {"episode": "b", "prompt_ids": [7], "completion_ids": [8]},
         {"episode": "a", "prompt_ids": [1, 5], "completion_ids": [2]}],
        [{"steps": [{"metrics": {"prompt_token_ids": [1], "completion_token_ids": [2]}},
                    {"metrics": {"prompt_token_ids": [1, 5], "completion_token_ids": [2]}}]},
         {"steps": [{"metrics": {"prompt_token_ids": [7], "completion_token_ids": [8]}}]}],
        [{"output": [{"prompt_token_ids": [1], "generation_token_ids": [2]}, {"role": "tool"},
                     {"prompt_token_ids": [1, 5], "generation_token_ids": [2]}]},
         {"output": [{"prompt_token_ids": [7], "generation_token_ids": [8]}]}],
    ],
)  # fmt: skip
def test_files_of_tokens_are_read_by_the_names_of_trl_atif_and_nemo_gym(
    lines: list[JsonObject], tmp_path: Path
) -> None:
    source = tmp_path / "tokens.jsonl"
    source.write_text("\n".join(map(json.dumps, lines)))
    report = check_token_file(source)

    assert (report.episodes, report.prompts, report.unit) == (2, 3, "tokens")
    assert [each.why for each in report.breaks] == ["has 5 as token 1, which was 2 before"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "found none"),
        ("[]", "found none"),
        ('{"prompt_ids": [1]}', "found none"),
        ('{"prompt_ids": [1]}\n{"prompt', "tokens.jsonl:2: expected JSON"),
        ('{"prompt_ids": "12", "completion_ids": [3]}', "prompt_ids: expected a list of integers, found 12"),
        ('{"prompt_ids": [1], "completion_ids": [null]}', "completion_ids: expected a list of integers"),
    ],
)
def test_a_file_without_tokens_is_refused(content: str, says: str, tmp_path: Path) -> None:
    source = tmp_path / "tokens.jsonl"
    source.write_text(content)

    with pytest.raises(UsageError) as refused:
        check_token_file(source)
    assert says in str(refused.value)


WRITTEN: dict[str, Json] = {
    "half": '{"jql": "text',
    "list": "[1]",
    "text": '"BOX-32"',
    "null": "null",
    "object": {"seconds": 1},
    "nothing": None,
    "empty": "",
}
"""What a model may send as arguments; the last three can be read."""


def calls_with(arguments: Iterable[Json]) -> Reply:
    calls = [
        {"function": {"name": "notices_list", "arguments": each}, "id": f"c{n}"} for n, each in enumerate(arguments)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    choice = {"message": message, "finish_reason": "tool_calls", "index": 0}
    return Reply(json.dumps({"id": "1", "created": 1, "model": "fake", "choices": [choice]}), is_raw=True)


@pytest.mark.parametrize("to", FORMATS)
def test_arguments_that_nobody_can_read_are_kept_as_they_were_written(to: str, tiny: World, tmp_path: Path) -> None:
    sent = [calls_with([written]) for written in WRITTEN.values()]
    played(tiny, tmp_path / "run", [*sent, answer([("submit", '{"answer": "x"}')])])
    document = FORMATS[to].document(conversation_of(read_run(tmp_path / "run")), "run")
    if (read := FORMATS[to].read) is not None:
        read(document)

    if to == "inspect":
        [sample] = objects_in(document["samples"])
        calls = [call for each in objects_in(sample["messages"]) for call in objects_in(each.get("tool_calls"))]
        said = dict(zip(WRITTEN, calls, strict=False))
        unread = {name for name, call in said.items() if "parse_error" in call}
        assert unread == {"half", "list", "text", "null"}
        assert all(said[name]["arguments"] == {} for name in unread)
        for name in unread:
            assert f"following tool call arguments:\n\n{WRITTEN[name]}\n\n" in str(said[name]["parse_error"])
        assert said["object"]["arguments"] == {"seconds": 1}
    if to == "openai":
        turns = from_messages(document).turns
        read_back = dict(zip(WRITTEN, (turn.calls[0].arguments for turn in turns if turn.calls), strict=False))
        assert read_back["half"] == {"unreadable": WRITTEN["half"]}
        assert read_back["nothing"] == read_back["empty"] == {}
