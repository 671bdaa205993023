"""From the author's text to a graded and replayed run."""

from itertools import pairwise
from pathlib import Path

import pytest

import brownout
from brownout.core.calls import ToolCall
from brownout.core.errors import SessionClosed, UnknownTask
from brownout.engine.world import World
from brownout.rollouts.recorder import read_run
from brownout.rollouts.replay import replay
from tests.functional.playing import marked_tasks, play
from worlds.package import Package


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("task", marked_tasks())
def test_the_oracle_is_exactly_one(tiny: World, tmp_path: Path, task: str, seed: int) -> None:
    result = play(tiny, tmp_path / "run", task, "oracle", seed=seed)

    assert (result.status, result.reward, result.failure) == ("ok", 1.0, None)


@pytest.mark.parametrize("answer", ["", "Done, resolved."])
@pytest.mark.parametrize("task", marked_tasks())
def test_doing_nothing_is_exactly_zero(tiny: World, tmp_path: Path, task: str, answer: str) -> None:
    result = play(tiny, tmp_path / "run", task, "noop", answer=answer)

    assert (result.status, result.reward) == ("ok", 0.0)


@pytest.mark.parametrize("task", marked_tasks())
def test_an_oracle_stopped_earlier_never_earns_more(tiny: World, tmp_path: Path, task: str) -> None:
    calls = tiny.package.task(task).oracle_calls
    rewards = [play(tiny, tmp_path / str(k), task, "oracle", stop_after=k).reward for k in range(calls + 1)]

    assert rewards[0] == 0.0
    assert rewards[-1] == 1.0
    assert all(a is not None and b is not None and a <= b for a, b in pairwise(rewards))
    assert len({r for r in rewards if r is not None and 0 < r < 1}) >= 3


@pytest.mark.parametrize("task", marked_tasks())
def test_a_replay_matches_every_observation(tiny: World, tmp_path: Path, task: str) -> None:
    play(tiny, tmp_path / "run", task, "oracle", seed=3)
    report = replay(tiny, read_run(tmp_path / "run"))

    assert (report.matches, report.first_divergence) == (True, None)


def test_a_replay_says_where_it_differs(tiny: World, tmp_path: Path) -> None:
    play(tiny, tmp_path / "run", "find-the-change", "oracle")
    log = tmp_path / "run" / "trajectory.jsonl"
    log.write_text(log.read_text().replace('{"service":"boxoffice"', '{"service":"doorlist"', 1))

    report = replay(tiny, read_run(tmp_path / "run"))

    assert not report.matches
    assert report.first_divergence is not None
    assert report.first_divergence["step"] == 3


def test_two_builds_are_equal_and_another_seed_is_not(tiny_package: Package, tmp_path: Path) -> None:
    again = brownout.build("tiny", out=tmp_path / "again")
    other = brownout.build("tiny", seed=8, out=tmp_path / "other")

    assert again.manifest.digest == tiny_package.manifest.digest
    assert other.manifest.digest != tiny_package.manifest.digest


def test_a_fork_does_not_leak_and_a_reset_forgets(tiny: World) -> None:
    session = tiny.open_session("find-the-change")
    fresh = session.digest()
    session.call("slack_send_message", {"channel": "#ops", "text": "one"})
    twin = session.fork()
    before = session.digest()
    twin.call("slack_send_message", {"channel": "#ops", "text": "two"})

    assert session.digest() == before != twin.digest()
    session.call("slack_send_message", {"channel": "#ops", "text": "two"})
    assert session.digest() == twin.digest()
    session.reset()
    assert session.digest() == fresh


def test_a_retried_call_takes_effect_once(tiny: World) -> None:
    session = tiny.open_session("find-the-change")
    call = ToolCall("slack_send_message", {"channel": "#ops", "text": "once"}, "a")
    first = session.turn([call])[0]
    now = session.now
    again = session.turn([call])[0]

    assert again == first
    assert session.now == now
    found = session.call("slack_read_channel", {"channel": "#ops"})
    assert found.content.count('"once"') == 1


def test_nothing_can_be_done_after_the_end(tiny: World) -> None:
    session = tiny.open_session("find-the-change")
    session.submit("that's it")

    with pytest.raises(SessionClosed):
        session.call("slack_list_channels", {})
    assert session.grade().reward == session.grade().reward == 0.0


def test_an_unknown_task_names_those_there_are(tiny: World) -> None:
    with pytest.raises(UnknownTask, match="find-the-change"):
        tiny.open_session("find-the-chnage")


def test_mistakes_of_an_agent_are_observations(tiny: World) -> None:
    session = tiny.open_session("find-the-change")

    assert session.call("slack_fly", {}).is_error
    wrong = session.call("slack_send_message", {"channel": "#nowhere", "text": "hi"})
    assert (wrong.is_error, wrong.structured) == (True, {"ok": False, "error": "channel_not_found"})
    assert session.call("jira_get_issue", {"issue": "BOX-9999"}).is_error
    assert session.call("jira_search_issues", {"jql": "nonsense ~~ 3"}).is_error
    assert session.call("slack_send_message", {"channel": "#ops"}).is_error


def test_talk_alone_ends_at_the_tasks_world_time(tiny: World) -> None:
    with tiny.open_session("mend-the-help-page") as session:
        for _ in range(500):
            session.say("Hello?")
            if session.ended:
                break

        assert session.ended == "sim"
        assert session.now - session.task.start >= session.task.limit_sim


def test_ids_that_a_model_uses_again_are_other_calls(tiny: World) -> None:
    with tiny.open_session("find-the-change") as session:
        first = session.turn([ToolCall("slack_send_message", {"channel": "#ops", "text": "one"}, "c0")])
        again = session.turn([ToolCall("slack_send_message", {"channel": "#ops", "text": "two"}, "c0")])

        assert again == first  # a retried call has one effect; agents therefore name their calls by CallIds
