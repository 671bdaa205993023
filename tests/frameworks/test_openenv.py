"""What OpenEnv's own validators say of an export, and what happens where too many play."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from brownout.exporters.exporter import export_world
from tests.frameworks.environment import Environment, environment_for
from worlds.package import Package

pytestmark = pytest.mark.frameworks

PROGRAM = """
import asyncio, json, sys
from openenv.core.generic_client import GenericEnvClient

async def play(address):
    async def one():
        client = GenericEnvClient(base_url=address)
        async with client as company:
            told = await company.reset(task="find-the-change", seed=1)
            listed = await company.step({"type": "list_tools"})
            turn = await company.step({"calls": [{"name": "notices_list"}, {"name": "nowhere"}]})
            await asyncio.sleep(1)
            return [len(told.metadata["tools"]), len(listed.observation["tools"]), turn.observation["errors"], turn.done]
    return await asyncio.gather(*(one() for _ in range(6)), return_exceptions=True)

print(json.dumps([found if isinstance(found, list) else str(found) for found in asyncio.run(play(sys.argv[1]))]))
"""


@pytest.fixture(scope="module")
def export(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_world("openenv", tiny_package, tmp_path_factory.mktemp("openenv") / "tiny")


@pytest.fixture(scope="module")
def openenv(export: Path) -> Iterator[Environment]:
    with environment_for(export) as environment:
        yield environment


@pytest.fixture(scope="module")
def address(openenv: Environment, export: Path) -> Iterator[str]:
    """The server as the README starts it, with room for four."""
    command = [str(openenv.python), "-m", "uvicorn", "brownout_tiny.server:app", "--port", "0", "--no-access-log"]
    variables = openenv.variables(MAX_CONCURRENT_ENVS="4")
    server = subprocess.Popen(command, cwd=export, env=variables, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    line = next(line for line in server.stderr if "running on" in line)
    yield line.partition("running on ")[2].partition(" ")[0]
    server.terminate()
    server.wait(30)
    server.stderr.close()


def test_the_package_passes_openenvs_static_validation(openenv: Environment, export: Path) -> None:
    done = openenv.run("openenv validate . --level static", cwd=export)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Verdict: PASS" in done.stdout


def test_the_running_server_passes_openenvs_validation(openenv: Environment, address: str, tmp_path: Path) -> None:
    done = openenv.run(f"openenv validate --url {address}", cwd=tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAIL" not in done.stdout


def test_the_readmes_program_plays_an_episode_to_its_reward(
    openenv: Environment, address: str, export: Path, tmp_path: Path
) -> None:
    [program] = re.findall(r"^```python\n(.*?)^```$", (export / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "play.py").write_text(program.replace("http://127.0.0.1:8000", address))
    done = openenv.run("python play.py", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("True 0.0 [{")


def test_too_many_are_refused_and_the_others_play(openenv: Environment, address: str, tmp_path: Path) -> None:
    (tmp_path / "play.py").write_text(PROGRAM)
    done = openenv.run(f"python play.py {address}", cwd=tmp_path)
    found = json.loads(done.stdout)

    played = [each for each in found if isinstance(each, list)]
    assert len(played) == 4, done.stderr
    assert all(shown == listed > 10 for shown, listed, *_ in played)
    assert all(rest == [[False, True], False] for _, _, *rest in played)
    assert all("CAPACITY" in each for each in found if isinstance(each, str)), found
