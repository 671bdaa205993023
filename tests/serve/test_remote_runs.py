"""Runs whose agents are here and whose sessions are behind servers."""

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from brownout.core.errors import UsageError
from brownout.core.trajectory import dump_event
from brownout.engine.world import World
from brownout.llm import Model
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.recorder import RunResult, read_run
from brownout.rollouts.remote_rollouts import ServerAddress, read_servers, run_on_servers
from brownout.rollouts.replay import replay
from brownout.rollouts.runner import Episode, run_episodes
from brownout.serve.server import SessionServer
from brownout.testing.fake_openai import FakeOpenAI, Reply
from tests.functional.commands import Commands
from tests.functional.test_llm_agent import turn
from tests.serve.conftest import TASK, serving
from worlds.package import Package

pytestmark = pytest.mark.filterwarnings("ignore")  # litellm's own

HELP = "mend-the-help-page"


def address_of(server: SessionServer) -> ServerAddress:
    return ServerAddress(
        base_url=server.base_url, token=server.token, admin_url=server.admin_url, admin_token=server.admin_token
    )


def model_of(endpoint: FakeOpenAI) -> Model:
    return Model(
        name="openai/fake", base_url=endpoint.base_url, timeout_seconds=20.0, patience_seconds=0, pause_seconds=0.01
    )


def script() -> list[Reply]:
    return [
        turn(("slack_list_channels", {}), ("jira_search_issues", {"jql": "project = BOX"})),
        turn(text="Which page is it?"),
        turn(("wait", {"minutes": 20})),
        turn(("submit", {"answer": "Done."})),
    ]


def told(folder: Path) -> list[bytes]:
    return [dump_event(event) for event in read_run(folder).events]


def comparable(result: RunResult) -> dict[str, object]:
    return result.model_dump(exclude={"run", "package_folder", "ledger"})


def test_a_model_plays_on_a_server_what_it_plays_here(
    server: SessionServer, tiny_package: Package, tmp_path: Path
) -> None:
    for place in ("here", "there"):
        with FakeOpenAI(*script()) as endpoint, World(tiny_package, hot=2) as world:
            episode = Episode(HELP, "llm", 3, AgentOptions(model=model_of(endpoint)), tmp_path / place)
            if place == "here":
                (here,) = asyncio.run(run_episodes(world, [episode]))
            else:
                (there,) = asyncio.run(run_on_servers(tiny_package, [address_of(server)], [episode]))
    assert (here.status, here.steps, here.stop) == ("ok", 4, "submit")
    assert comparable(there) == comparable(here)
    assert there.ledger == here.ledger
    assert told(tmp_path / "there") == told(tmp_path / "here")
    with World(tiny_package, hot=2) as world:
        assert replay(world, read_run(tmp_path / "there")).matches


def test_episodes_are_shared_out_among_servers_and_come_back_in_order(
    server: SessionServer, tiny_package: Package, tmp_path: Path
) -> None:
    plan = [Episode(TASK, "noop", seed, AgentOptions(answer="Done."), tmp_path / f"s{seed}") for seed in range(6)]
    ended: list[int] = []
    with serving(tiny_package) as second:
        results = asyncio.run(
            run_on_servers(
                tiny_package,
                [address_of(server), address_of(second)],
                plan,
                concurrency=4,
                progress=lambda result: ended.append(result.seed),
            )
        )
    assert [(result.seed, result.reward, result.stop) for result in results] == [(n, 0.0, "submit") for n in range(6)]
    assert sorted(ended) == list(range(6))


def test_an_episode_whose_server_loses_its_worker_has_no_reward(tiny_package: Package, tmp_path: Path) -> None:
    with serving(tiny_package) as server, FakeOpenAI(*script()) as endpoint:
        (worker,) = server.workers.processes

        async def play() -> RunResult:
            episode = Episode(HELP, "llm", 0, AgentOptions(model=model_of(endpoint)), tmp_path / "lost")
            playing = asyncio.create_task(run_on_servers(tiny_package, [address_of(server)], [episode]))
            while not endpoint.requests and not playing.done():
                await asyncio.sleep(0.01)
            os.kill(worker, signal.SIGKILL)
            return (await playing)[0]

        result = asyncio.run(play())
    assert (result.status, result.reward) == ("env_error", None)
    assert result.failure is not None and result.failure.startswith("session_lost: ")


def test_a_server_of_another_package_is_refused(server: SessionServer, tiny_package: Package, tmp_path: Path) -> None:
    other = replace(tiny_package, manifest=tiny_package.manifest.model_copy(update={"digest": "0" * 32}))
    episode = Episode(TASK, "noop", 0, AgentOptions(), tmp_path / "run")
    (result,) = asyncio.run(run_on_servers(other, [address_of(server)], [episode]))
    assert result.failure is not None and result.failure.startswith("other_package: the server plays package ")


def test_an_agent_that_reads_what_agents_do_not_see_is_refused(
    server: SessionServer, tiny_package: Package, tmp_path: Path
) -> None:
    episode = Episode(TASK, "oracle", 0, AgentOptions(), tmp_path / "run")
    with pytest.raises(UsageError, match="the oracle agent reads what agents do not see"):
        asyncio.run(run_on_servers(tiny_package, [address_of(server)], [episode]))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "is empty"),
        ("{}\n", ":1: expected the line that `brownout serve` prints"),
        ("no\n", ":1: expected the line"),
    ],
)
def test_a_file_without_servers_says_what_it_takes(content: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "servers.jsonl"
    file.write_text(content)
    with pytest.raises(UsageError) as refused:
        read_servers(file)
    assert says in str(refused.value)


def test_the_command_line_plays_on_a_server(server: SessionServer, tmp_path: Path, command: Commands) -> None:
    file = tmp_path / "servers.jsonl"
    file.write_bytes(orjson.dumps(address_of(server).model_dump()) + b"\n")
    words = ("run", "tiny", "--task", TASK, "--agent", "noop", "--servers", str(file), "--out", str(tmp_path / "runs"))
    done = command(*words, "--json")
    assert done.code == 0 and orjson.loads(done.out)["runs"][0]["reward"] == 0.0
    assert command(*words, "--workers", "2").code == 2
    judged = command(*words, "--judge-model", "openai/any")
    assert judged.code == 2 and "say --judge-model to `brownout serve`" in judged.err


def test_an_answer_that_is_not_accepted_ends_the_episode_as_it_does_here(
    server: SessionServer, tiny_package: Package, tmp_path: Path
) -> None:
    options = AgentOptions(answer="x" * 30_000)
    with World(tiny_package, hot=2) as world:
        (here,) = asyncio.run(run_episodes(world, [Episode(TASK, "noop", 0, options, tmp_path / "here")]))
    (there,) = asyncio.run(
        run_on_servers(tiny_package, [address_of(server)], [Episode(TASK, "noop", 0, options, tmp_path / "there")])
    )
    assert comparable(there) == comparable(here)
    assert (there.status, there.steps) == ("env_error", 1)
    assert there.failure is not None and there.failure.startswith("session_error: the answer was not accepted")
