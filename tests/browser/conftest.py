"""The studio in a real browser: one server and one chromium for all tests."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from shutil import copytree, rmtree

import orjson
import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from brownout.catalog import built_package, find_spec
from brownout.engine.world import World
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.runner import Episode, run_episodes
from brownout.testing.fake_openai import FakeOpenAI, Reply
from studio.start_options import DRAFT_BASE_URL, DRAFT_MODEL
from tests.tools.larger import write_spec

CHROMIUM = Path(os.environ.get("BROWNOUT_CHROMIUM", "/usr/bin/chromium"))
HOSTILE = "<img src=x onerror=\"document.title='owned'\"> <script>document.title='owned'</script> **BOX-31**"
_WAIT_SECONDS = 40
expect.set_options(timeout=20_000)  # a busy machine is no fault


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder needs a browser."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if not CHROMIUM.is_file():
                item.add_marker(pytest.mark.skip(reason=f"no chromium at {CHROMIUM}; BROWNOUT_CHROMIUM names another"))


@pytest.fixture(scope="session")
def studio_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the studio is started in."""
    return tmp_path_factory.mktemp("studio")


@pytest.fixture(scope="session")
def drafter() -> Iterator[FakeOpenAI]:
    """The model that the studio asks for drafts: it knows one person, whose story says hostile things."""
    story = orjson.dumps(HOSTILE).decode()
    person = f"name: Nell Okafor\nrole: support agent\nteam: support\nmanager: marcus\nstory: {story}\n"
    answer = Reply(orjson.dumps({"name": "nell", "yaml": person}).decode(), tokens=(1200, 80))
    with FakeOpenAI(answer) as server:
        yield server


@pytest.fixture(scope="session")
def studio(studio_home: Path, drafter: FakeOpenAI) -> Iterator[str]:
    """The address of a running studio with `tiny`, a world that says hostile things, a larger one, and two runs."""
    home = studio_home
    cache = home / f"brownout-cache-{Path.home().name}"
    package = built_package("tiny", folder=cache)
    hostile = _copied(home, "hostile")
    story = hostile / "prose" / "holds.yaml"
    lines = [line for line in story.read_text().splitlines() if not line.startswith("policy-in-channel:")]
    story.write_text("\n".join([*lines, f"policy-in-channel: {json.dumps(HOSTILE)}"]) + "\n")
    built_package(str(hostile), folder=cache)
    larger = write_spec(home / "worlds" / "larger")
    _rename(larger, "larger")
    built_package(str(larger), folder=cache)
    with World(package, hot=2) as opened:
        episodes = [
            Episode("find-the-change", "oracle", 0, AgentOptions(), home / "runs" / "solved"),
            Episode("find-the-change", "oracle", 0, AgentOptions(stop_after=13), home / "runs" / "halfway"),
        ]
        asyncio.run(run_episodes(opened, episodes))
    with _server(home, {DRAFT_MODEL: "openai/fake", DRAFT_BASE_URL: drafter.base_url}) as address:
        yield address


def _copied(home: Path, name: str) -> Path:
    """`tiny` under another name, where the studio looks for an author's own worlds."""
    folder = home / "worlds" / name
    copytree(find_spec("tiny"), folder)
    _rename(folder, name)
    return folder


def _rename(folder: Path, name: str) -> None:
    world = folder / "world.yaml"
    world.write_text(world.read_text().replace("world: tiny", f"world: {name}", 1))


class _server:  # noqa: N801 (used like a function)
    """The studio's own command, in a folder of its own, on a free port."""

    def __init__(self, home: Path, settings: Mapping[str, str]) -> None:
        self._home = home
        self._settings = settings

    def __enter__(self) -> str:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-c", "from brownout.cli import main; main()", "studio", "--port", str(port)]
        self._log = (self._home / "studio.log").open("wb")
        environment = {**os.environ, **self._settings, "TMPDIR": str(self._home)}
        self._process = subprocess.Popen(
            [*command, "--runs", "runs"], cwd=self._home, env=environment, stdout=self._log, stderr=subprocess.STDOUT
        )
        until = time.monotonic() + _WAIT_SECONDS
        while time.monotonic() < until:
            with suppress(OSError), closing(HTTPConnection("127.0.0.1", port, timeout=1)) as connection:
                connection.request("GET", "/_stcore/health")
                connection.getresponse().read()
                return f"http://127.0.0.1:{port}"
            time.sleep(0.1)
        self.__exit__()
        raise AssertionError((self._home / "studio.log").read_text())

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()


@pytest.fixture
def own_world(studio_home: Path) -> Iterator[Path]:
    """A world of the author's own that may be changed: `tiny` under another name, fresh for each test."""
    folder = _copied(studio_home, "design")
    yield folder
    rmtree(folder)


@pytest.fixture(scope="module")
def context(studio: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """Chromium, for a module at a time: Playwright's event loop holds the thread, and other tests want one too.

    With a profile, so that the studio's scripts, some megabytes, are loaded and compiled once and not for each test.
    """
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=str(CHROMIUM),
            headless=True,
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
            base_url=studio,
            viewport={"width": 1440, "height": 900},
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        )
        opened.set_default_timeout(20_000)
        yield opened
        opened.close()


@pytest.fixture
def page(context: BrowserContext, studio: str, studio_home: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A fresh page, of which nothing is left afterwards, no annotation either; it is dark where its test is called so.

    Errors of the page fail the test.
    """
    opened = context.new_page()
    opened.emulate_media(color_scheme="dark" if "dark" in request.node.name else "light")
    failures: list[str] = []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    yield opened
    forgetting = context.new_cdp_session(opened)
    forgetting.send("Storage.clearDataForOrigin", {"origin": studio, "storageTypes": "cookies,local_storage,indexeddb"})
    opened.close()
    rmtree(studio_home / "runs" / "annotations", ignore_errors=True)
    assert not failures
