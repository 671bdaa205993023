"""The studio over a cache and a folder of runs of its own."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from streamlit.testing.v1 import AppTest

import studio.known_worlds
from brownout.catalog import built_package
from brownout.engine.world import World
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.runner import Episode, run_episodes
from studio.serving.request_guard import TOKEN
from studio.start_options import READ_ONLY, RUNS
from tests.studio.asking import Post, asked
from worlds.package import Package

ENTRY = Path(studio.known_worlds.__file__).with_name("streamlit_script.py")
TASK = "find-the-change"


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with `tiny` in it."""
    folder = tmp_path_factory.mktemp("cache")
    built_package("tiny", folder=folder)
    return folder


@pytest.fixture(scope="session")
def package(cache: Path) -> Package:
    """`tiny` as the cache has it."""
    return built_package("tiny", folder=cache)


@pytest.fixture(scope="session")
def recorded(package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs: one that solves the task, one that stops half way, one that does nothing."""
    folder = tmp_path_factory.mktemp("runs")
    wanted = {
        "solved": ("oracle", AgentOptions()),
        "halfway": ("oracle", AgentOptions(stop_after=13)),
        "idle": ("noop", AgentOptions(answer="Done, resolved.")),
    }
    with World(package, hot=4) as world:
        episodes = [Episode(TASK, agent, 0, options, folder / name) for name, (agent, options) in wanted.items()]
        asyncio.run(run_episodes(world, episodes))
    return folder


@pytest.fixture
def at_home(
    cache: Path, recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[pytest.MonkeyPatch]:
    """The studio's surroundings: that cache, those runs, an empty working directory."""
    monkeypatch.setattr(studio.known_worlds, "default_cache", lambda: cache)
    monkeypatch.setenv(RUNS, str(recorded))
    monkeypatch.setenv(READ_ONLY, "0")
    monkeypatch.chdir(tmp_path)
    yield monkeypatch


@pytest.fixture
def open_page(at_home: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """A page by its name and link, run once."""

    def opened(page: str = "home", **link: str) -> AppTest:
        app = AppTest.from_file(str(ENTRY), default_timeout=30).run()
        if page != "home":
            app.switch_page(f"views/{page}.py")
        for name, value in link.items():
            app.query_params[name] = value
        return app.run()

    return opened


@pytest.fixture
def post(at_home: pytest.MonkeyPatch) -> Post:
    """Send something to a route as a page of the studio would, with other headers where they are given."""

    def sent(
        route: str, document: object = None, *, method: str = "POST", body: bytes = b"", query: str = "", **headers: str
    ) -> tuple[int, Any]:
        data = body or (orjson.dumps(document) if document is not None else b"")
        given = {
            "host": "127.0.0.1:8501", "x-studio-token": TOKEN, "origin": "http://127.0.0.1:8501",
            "content-type": "application/json", "sec-fetch-site": "same-origin",
        } | {name.replace("_", "-"): value for name, value in headers.items()}  # fmt: skip
        answer = asked(route, method=method, data=data, query=query, headers=given)
        return answer.status, answer.json

    return sent
