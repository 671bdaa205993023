"""What a framework does with an episode, whichever framework it is."""

import asyncio
import errno
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import pytest

from brownout.client import TurnCall
from brownout.core.blocking_steps import BlockingSteps, run_inline
from brownout.core.calls import ToolCall
from brownout.core.errors import GradingError, RunError, SessionBusy, SessionError
from brownout.core.grading import Grade
from brownout.engine.session import Session
from brownout.exporters.inside.episodes import Episodes, ExportedEpisode
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.agents import OracleAgent
from worlds.package import Package

TASK = "find-the-change"


@pytest.fixture
def episodes(tiny_package: Package) -> Iterator[Episodes]:
    made = Episodes(tiny_package.folder)
    yield made
    made.close()


def play_oracle(episodes: Episodes, key: str = "a") -> None:
    asyncio.run(OracleAgent(AgentOptions()).play(episodes.open(key, TASK).session))


def test_the_reference_solution_earns_everything(episodes: Episodes) -> None:
    play_oracle(episodes)
    episode = episodes.find("a")
    assert episode is not None

    outcome = episode.finish()

    assert outcome.reward == 1
    assert set(outcome.scores) == set(episodes.criteria(TASK))
    assert set(outcome.scores.values()) == {1.0}
    assert outcome.answer.startswith("The cause")
    assert episode.finish() == outcome
    assert episode.facts["calls"] == len(episodes.world.package.oracle(TASK))


def test_an_episode_that_was_left_is_judged_as_it_stands(episodes: Episodes) -> None:
    episode = episodes.open("a", TASK)

    assert episode.finish().reward == 0
    assert "stop" in [event["kind"] for event in episode.trajectory]


def test_a_call_of_a_client_is_a_call_too(episodes: Episodes) -> None:
    episode = episodes.open("a", TASK)
    calls: list[ToolCall | TurnCall] = [
        TurnCall(name="wait", arguments={"minutes": 5}, call_id="c"),
        ToolCall("wait", {"minutes": 5}, "c"),
    ]
    answers = asyncio.run(episode.turn(calls))

    assert [answer.is_error for answer in answers] == [False, False]
    assert len(episode.session.acts) == 2


def test_an_outcome_has_what_the_page_for_exporters_says(episodes: Episodes) -> None:
    play_oracle(episodes)
    episode = episodes.find("a")
    assert episode is not None
    outcome = episode.finish()

    assert outcome.grade.ledger
    assert {"reward", "criteria", "ledger", "answer"} <= set(outcome.document())


def test_every_call_is_made_even_where_a_model_repeats_its_ids(episodes: Episodes) -> None:
    episode = episodes.open("a", TASK)
    again = ToolCall("wait", {"minutes": 5, "until_notice": False}, "call_0")
    asyncio.run(episode.turn([again]))
    now = episode.session.now
    asyncio.run(episode.turn([again, again]))

    assert episode.session.now - now == 10 * 60_000_000 + episode.session.setting.turn_cost
    assert [act.call.call_id for act in episode.session.acts] == ["call_0", "call_0#2", "call_0#3"]


def test_after_the_end_no_call_is_made(episodes: Episodes) -> None:
    episode = episodes.open("a", TASK)
    asyncio.run(episode.turn([ToolCall("submit", {"answer": "x"}, "1")]))
    (answer,) = asyncio.run(episode.turn([ToolCall("wait", {}, "2")]))

    assert answer.is_error
    assert "has ended" in answer.content
    assert len(episode.session.acts) == 1


def test_a_recorded_episode_is_judged_again_only_if_it_comes_out_as_recorded(episodes: Episodes) -> None:
    play_oracle(episodes)
    episode = episodes.find("a")
    assert episode is not None
    outcome = episode.finish()
    recorded = json.loads(json.dumps(episode.trajectory))

    assert run_inline(episodes.outcome_of(recorded)) == outcome

    first = next(event for event in recorded if event["kind"] == "result")
    first["content"] = "something else"
    with pytest.raises(RunError, match="does not come out as recorded"):
        run_inline(episodes.outcome_of(recorded))


def test_a_listener_hears_every_event_in_order(episodes: Episodes) -> None:
    heard: list[object] = []
    episode = episodes.open("a", TASK, listener=lambda event: heard.append(event["seq"]))
    asyncio.run(episode.turn([ToolCall("wait", {"minutes": 30}, "1")]))

    assert heard == list(range(len(episode.trajectory)))
    assert len(heard) > 3


def test_an_id_is_one_episode_until_it_is_released(episodes: Episodes) -> None:
    episodes.open("a", TASK)
    with pytest.raises(SessionError, match="goes on already"):
        episodes.open("a", TASK)
    episodes.release("a")
    episodes.release("a")

    assert episodes.find("a") is None
    assert episodes.open("a", TASK).ended == ""


def test_a_null_reward_is_an_error_and_no_number(episodes: Episodes, monkeypatch: pytest.MonkeyPatch) -> None:
    def grading(self: Session, **_: object) -> BlockingSteps[Grade]:
        yield from ()
        return Grade(None, 0, 3, False, (), failure="the judge is away")

    monkeypatch.setattr(Session, "grading", grading)

    with pytest.raises(GradingError, match="the reward is null: the judge is away"):
        episodes.open("a", TASK).finish()


@pytest.mark.parametrize(
    ("where", "act"), [("steps", lambda each: each.call("wait", {})), ("say", lambda each: each.say("Hm?"))]
)
def test_an_episode_in_which_the_machine_failed_has_no_reward_whoever_goes_on_with_it(
    where: str, act: Callable[[ExportedEpisode], object], episodes: Episodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    episode, other = episodes.open("a", TASK), episodes.open("b", TASK)
    with monkeypatch.context() as patched:
        patched.setattr(Session, where, fail)
        with pytest.raises(OSError, match="No space left"):
            act(episode)
    episode.call("submit", {"answer": "Done."})

    with pytest.raises(GradingError, match=r"the reward is null: .*No space left on device"):
        episode.finish()
    assert other.finish().reward == 0.0


def test_a_second_call_at_once_costs_an_episode_nothing(episodes: Episodes, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise SessionBusy("another call is being made")

    episode = episodes.open("a", TASK)
    with monkeypatch.context() as patched:
        patched.setattr(Session, "steps", fail)
        with pytest.raises(SessionBusy):
            episode.call("wait", {})

    assert (episode.failure, episode.finish().reward) == (None, 0.0)


def test_a_world_that_may_not_be_written_is_copied_first(
    tiny_package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copytree(tiny_package.folder, tmp_path / "world")
    monkeypatch.setattr("brownout.exporters.inside.episodes.os.access", lambda *_: False)

    episodes = Episodes(folder)

    copied = episodes.world.package.folder
    assert not copied.is_relative_to(folder)
    assert episodes.open("a", TASK).ended == ""
    episodes.close()
    assert not copied.exists()
