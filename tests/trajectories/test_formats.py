"""Runs in other formats, and strangers' runs read in."""

import errno
from pathlib import Path
from typing import cast

import orjson
import pytest

from brownout.core.errors import RunError, UsageError
from brownout.core.trajectory import ReplyEvent, ResultEvent
from brownout.core.values import Json, JsonObject
from brownout.engine.world import World
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.recorder import Recorder, StoredRun, read_run
from brownout.rollouts.replay import replay
from brownout.rollouts.runner import Episode, run_episodes
from brownout.trajectories.conversation import AgentTurn, conversation_of
from brownout.trajectories.formats import convert_run, import_runs
from tests.functional.commands import Commands
from worlds.package import Package


@pytest.fixture(scope="module")
def played(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference solution's run of a task in which Slack goes away."""
    import asyncio

    folder = tmp_path_factory.mktemp("played") / "find"
    with World(tiny_package, hot=2) as world:
        asyncio.run(run_episodes(world, [Episode("find-the-change", "oracle", 0, AgentOptions(), folder)]))
    return folder


@pytest.fixture(scope="module")
def talked(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which the agent asks its requester, calls two tools in one turn, and hands in."""
    folder = tmp_path_factory.mktemp("talked") / "help"
    with (
        World(tiny_package, hot=2) as world,
        Recorder(folder) as recorder,
        world.open_session("mend-the-help-page", sink=recorder) as session,
    ):
        session.say("Which page do you mean?")
        session.call("wait", {"minutes": 2})
        session.submit("Done.")
    return folder


def _document(place: Path) -> JsonObject:
    found: JsonObject = orjson.loads(place.read_bytes())
    return found


def _list(value: Json) -> list[JsonObject]:
    return cast("list[JsonObject]", value)


@pytest.mark.parametrize("which", ["played", "talked"])
def test_an_atif_document_gives_the_very_same_run_again(
    which: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    folder: Path = request.getfixturevalue(which)
    place = convert_run(read_run(folder), "atif", tmp_path / "run.json")
    (back,) = import_runs(place, tmp_path / "runs")
    assert (back.folder / "trajectory.jsonl").read_bytes() == (folder / "trajectory.jsonl").read_bytes()
    before, after = read_run(folder).result, read_run(back.folder).result
    assert (before is None) == (after is None)
    if before is not None and after is not None:
        assert after.model_dump(exclude={"run"}) == before.model_dump(exclude={"run"})


def test_atif_steps_are_numbered_and_hold_what_the_agent_saw(played: Path, tmp_path: Path) -> None:
    document = _document(convert_run(read_run(played), "atif", tmp_path / "run.json"))
    steps = _list(document["steps"])
    assert document["schema_version"] == "ATIF-v1.7"
    assert [step["step_id"] for step in steps] == list(range(1, len(steps) + 1))
    assert steps[0]["source"] == "user" and "Marcus Bell" in str(steps[0]["message"])
    answers = [
        answer["content"]
        for step in steps[1:]
        for answer in _list(cast(JsonObject, step.get("observation", {"results": []}))["results"])
    ]
    results = [event for event in read_run(played).events if isinstance(event, ResultEvent)]
    assert answers == [result.content for result in results]
    assert cast(JsonObject, cast(JsonObject, document["final_metrics"])["extra"])["reward"] == 1.0


def test_what_the_agent_never_sees_stands_in_extra_only(played: Path, tmp_path: Path) -> None:
    document = _document(convert_run(read_run(played), "atif", tmp_path / "run.json"))
    for step in _list(document["steps"]):
        step.pop("extra")
        for part in (
            *_list(step.get("tool_calls", [])),
            *_list(cast(JsonObject, step.get("observation", {})).get("results", [])),
        ):
            part.pop("extra")
    document.pop("extra")
    assert b"slack-noon" not in orjson.dumps(document["steps"])


def test_a_reply_of_the_requester_is_in_the_log_and_in_every_format(talked: Path, tmp_path: Path) -> None:
    run = read_run(talked)
    (reply,) = [event for event in run.events if isinstance(event, ReplyEvent)]
    messages = _list(_document(convert_run(run, "openai", tmp_path / "run.json"))["messages"])
    assert [message["role"] for message in messages] == [
        "user",
        "assistant",
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
    ]
    assert messages[2]["content"] == reply.content != ""


def test_a_replay_compares_what_the_requester_replied(talked: Path, tiny_package: Package) -> None:
    run = read_run(talked)
    spoiled = [
        event
        if not isinstance(event, ReplyEvent)
        else ReplyEvent(seq=event.seq, at=event.at, content="No.", notices=())
        for event in run.events
    ]
    with World(tiny_package, hot=2) as world:
        assert replay(world, run).matches
        assert replay(world, StoredRun(run.folder, None, spoiled)).first_divergence is not None


def test_a_log_of_the_first_format_is_still_replayed(talked: Path, tiny_package: Package, tmp_path: Path) -> None:
    lines = [orjson.loads(line) for line in (talked / "trajectory.jsonl").read_bytes().splitlines()]
    lines[0]["format"] = 1
    del lines[0]["instructions"]
    old = [line for line in lines if line["kind"] != "reply"]
    folder = tmp_path / "old"
    folder.mkdir()
    renumbered = [orjson.dumps({**line, "seq": number}) for number, line in enumerate(old)]
    (folder / "trajectory.jsonl").write_bytes(b"\n".join(renumbered) + b"\n")
    with World(tiny_package, hot=2) as world:
        assert replay(world, read_run(folder)).matches


def test_every_event_stands_in_one_place_of_a_conversation(played: Path) -> None:
    run = read_run(played)
    talk = conversation_of(run)
    found = [talk.header, *talk.before]
    for message in talk.messages:
        if isinstance(message, AgentTurn):
            own = [message.model, message.said, message.handed_in]
            made = [part for each in message.calls for part in (each.call, each.result)]
            found.extend(event for event in (*own, *made) if event is not None)
        else:
            found.append(message.event)
        found.extend(message.meanwhile)
    assert sorted(found, key=lambda event: event.seq) == run.events


def test_the_tools_of_the_task_come_along_where_the_package_is_at_hand(played: Path, tmp_path: Path) -> None:
    document = _document(convert_run(read_run(played), "openai", tmp_path / "run.json"))
    names = {cast(JsonObject, tool["function"])["name"] for tool in _list(document["tools"])}
    assert {"jira_search_issues", "submit"} <= names


def test_inspects_document_has_the_reward_each_criterion_and_what_happened(played: Path) -> None:
    from brownout.trajectories.inspect_log import to_inspect

    document = to_inspect(conversation_of(read_run(played)), "find")
    (sample,) = _list(document["samples"])
    scores = cast(JsonObject, sample["scores"])
    assert cast(JsonObject, scores["reward"])["value"] == 1.0 and len(scores) > 3
    assert {"tool", "info"} == {event["event"] for event in _list(sample["events"])}


# -- strangers' runs --------------------------------------------------------------------------------------

_FOREIGN_ATIF = {
    "schema_version": "ATIF-v1.6",
    "session_id": "s-9",
    "agent": {"name": "terminus", "version": "2", "model_name": "m"},
    "steps": [
        {"step_id": 1, "source": "system", "message": "You are an engineer."},
        {"step_id": 2, "source": "user", "message": [{"type": "text", "text": "Find it."}, {"type": "image"}]},
        {
            "step_id": 3,
            "source": "agent",
            "timestamp": "2026-03-01T10:00:00Z",
            "message": "Looking.",
            "tool_calls": [
                {"tool_call_id": "a", "function_name": "bash", "arguments": {"cmd": "ls"}},
                {"tool_call_id": "b", "function_name": "bash", "arguments": {"cmd": "cat x"}},
            ],
            "observation": {"results": [{"source_call_id": "b", "content": "two"}, {"source_call_id": "a", "content": "one"}]},
        },
        {"step_id": 4, "source": "agent", "message": "It is x.", "observation": {"results": [{"content": "ok"}]}},
    ],
    "final_metrics": {"extra": {"reward": 0.25}},
}  # fmt: skip


def test_a_strangers_atif_document_becomes_a_run_that_can_be_read(tmp_path: Path) -> None:
    source = tmp_path / "foreign.json"
    source.write_bytes(orjson.dumps(_FOREIGN_ATIF))
    (kept,) = import_runs(source, tmp_path / "runs")
    talk = conversation_of(read_run(kept.folder))
    assert talk.header.instructions == "You are an engineer.\n\nFind it.\n\n[image]"
    first, second = talk.turns
    assert [(made.call.arguments["cmd"], made.result.content) for made in first.calls if made.result] == [
        ("ls", "one"),
        ("cat x", "two"),
    ]
    assert first.text == "Looking." and second.text == "It is x."
    assert kept.result is not None and (kept.result.reward, kept.result.agent, kept.result.steps) == (
        0.25,
        "terminus",
        2,
    )


def test_chat_messages_come_in_one_a_line_and_call_ids_that_come_again_are_told_apart(tmp_path: Path) -> None:
    call = {"id": "c0", "type": "function", "function": {"name": "look", "arguments": '{"n": 1}'}}
    messages = [
        {"role": "developer", "content": "Be kind."},
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c0", "content": "first"},
        {"role": "assistant", "content": "", "tool_calls": [{**call, "function": {"name": "look", "arguments": "not json"}}]},
        {"role": "tool", "tool_call_id": "c0", "content": "second"},
        {"role": "user", "content": "And?"},
        {"role": "assistant", "content": "Done."},
    ]  # fmt: skip
    source = tmp_path / "two.jsonl"
    source.write_bytes(orjson.dumps({"messages": messages}) + b"\n" + orjson.dumps({"messages": messages}) + b"\n")
    one, two = import_runs(source, tmp_path / "runs")
    assert (one.folder.name, two.folder.name) == ("two-1", "two-2")
    talk = conversation_of(read_run(one.folder))
    made = [(made.call.arguments, made.result.content) for turn in talk.turns for made in turn.calls if made.result]
    assert made == [({"n": 1}, "first"), ({"unreadable": "not json"}, "second")]
    assert one.result is not None and one.result.reward is None


def test_messages_of_ours_come_back_as_the_same_messages(talked: Path, tmp_path: Path) -> None:
    place = convert_run(read_run(talked), "openai", tmp_path / "run.json")
    (kept,) = import_runs(place, tmp_path / "runs")
    again = convert_run(read_run(kept.folder), "openai", tmp_path / "again.json")
    assert _document(again)["messages"] == _document(place)["messages"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"{", "foreign.json:1: expected JSON"),
        (b"[]", "messages: expected a list of at least one message"),
        (b'{"messages": [{"role": "robot"}]}', "messages[0].role: expected system, developer, user, assistant or tool"),
        (
            b'{"messages": [{"role": "assistant", "tool_calls": [{}]}]}',
            "messages[0].tool_calls: a call needs a function",
        ),
        (b'{"schema_version": "ATIF-v1.7"}', "steps: expected a list of at least one step"),
        (
            b'{"schema_version": "ATIF-v1.7", "steps": [{"source": "agent", "tool_calls": [{"arguments": []}]}]}',
            "steps[0]: a tool call needs function_name and arguments",
        ),
        (
            b'{"schema_version": "ATIF-v1.7", "steps": [{"source": "agent", "timestamp": "noon"}]}',
            "steps[0].timestamp: expected an ISO 8601 time, found 'noon'",
        ),
    ],
)
def test_a_file_that_holds_no_run_is_refused_by_place_and_nothing_is_written(
    content: bytes, says: str, tmp_path: Path
) -> None:
    source = tmp_path / "foreign.json"
    source.write_bytes(content)
    with pytest.raises(UsageError) as refused:
        import_runs(source, tmp_path / "runs")
    assert says in str(refused.value)
    assert not (tmp_path / "runs").exists()


def test_a_document_of_ours_that_was_changed_says_so(played: Path, tmp_path: Path) -> None:
    place = convert_run(read_run(played), "atif", tmp_path / "run.json")
    document = _document(place)
    del _list(_list(document["steps"])[3]["tool_calls"])[0]["arguments"]
    place.write_bytes(orjson.dumps(document))
    with pytest.raises(UsageError, match="was written here and has been changed since"):
        import_runs(place, tmp_path / "runs")


def test_a_run_that_is_there_is_not_written_over(played: Path, tmp_path: Path) -> None:
    place = convert_run(read_run(played), "atif", tmp_path / "run.json")
    with pytest.raises(UsageError, match="is there already"):
        convert_run(read_run(played), "atif", place)
    import_runs(place, tmp_path / "runs")
    with pytest.raises((UsageError, RunError), match="is there already"):
        import_runs(place, tmp_path / "runs")


def test_a_full_disk_leaves_no_half_of_a_document(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Path.write_bytes

    def full(place: Path, data: bytes) -> int:
        whole(place, data[:1000])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched, pytest.raises(RunError, match=r"run\.json: No space left on device"):
        patched.setattr(Path, "write_bytes", full)
        convert_run(read_run(played), "atif", tmp_path / "run.json")

    assert not [*tmp_path.iterdir()]
    assert convert_run(read_run(played), "atif", tmp_path / "run.json").is_file()


def test_the_command_line_converts_and_imports(played: Path, tmp_path: Path, command: Commands) -> None:
    place = tmp_path / "run.atif.json"
    assert command("trajectory", "convert", str(played), "--to", "atif", "--out", str(place)).code == 0
    kept = command("trajectory", "import", str(place), "--out", str(tmp_path / "runs"), "--json")
    assert orjson.loads(kept.out)["runs"][0]["reward"] == 1.0
    refused = command("trajectory", "convert", str(played), "--to", "morse")
    assert refused.code == 2 and "atif, inspect, openai" in refused.err
