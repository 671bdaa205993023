"""The NeMo Gym export under the framework's own checks, and run by its own servers with a scripted model."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from threading import Thread

import pytest

from brownout.core.values import JsonObject
from brownout.exporters.export_folder import foreign_files
from brownout.exporters.exporter import export_world
from tests.frameworks.environment import PYTHONS, Environment, environment_for, python_of, readme_commands
from tests.frameworks.parity import Recorded, ledger_of, recorded_actions
from tests.frameworks.policy import ScriptedPolicy
from worlds.package import Package

pytestmark = [pytest.mark.frameworks, pytest.mark.sandbox]

BEGIN = """
import json, sys
from fastapi.testclient import TestClient
from nemo_gym.server_utils import SESSION_ID_KEY
from brownout.exporters.nemo_gym import smoke_play
from brownout.exporters.nemo_gym.server import CompanyVerifyRequest
from brownout_tiny.server import TinyServer

ROW = {"task": "find-the-change", "seed": 0}
"""

CONTRACT = """
from nemo_gym.base_resources_server import ResourcesSeedSessionRequest
from nemo_gym.testing.session_conformance import check_resources_session_contract

ids = {"episode_id": {"rollout_id": "r1"}, "task_id": {"taskset": "tiny", "task_id": "t1"}}
seed = ResourcesSeedSessionRequest(resources_session_id="mine", task_data=ROW, **ids)
check_resources_session_contract(smoke_play.app_of(TinyServer), seed, keeps_state=True)

agent = TestClient(smoke_play.app_of(TinyServer))
other = {"resources_session_id": "yours", "task_data": ROW, **ids}
assert agent.post("/seed_session", json=other).status_code == 200
assert agent.post("/seed_session", json={**other, "task_data": {**ROW, "seed": 1}}).status_code == 409
assert agent.post("/seed_session", json={**other, "task_data": {}}).status_code == 422
assert TestClient(smoke_play.app_of(TinyServer)).post("/seed_session", json={"task": "nowhere"}).status_code == 404
print("kept")
"""

VERIFIER = """
import asyncio
from httpx import ASGITransport, AsyncClient
from nemo_gym.verifier_fixture import VerifierFixture, exercise_verifier_fixture
from brownout.exporters.smoke_test import Script

async def invoke(app, request):
    async with AsyncClient(transport=ASGITransport(app=app), base_url="http://company", timeout=None) as agent:
        await agent.post("/seed_session", json=ROW)
        for call in request.script["calls"]:
            await agent.post("/" + call["name"], json=call["arguments"])
        return (await agent.post("/verify", json=request.model_dump())).json()

fixture = VerifierFixture(
    server_factory=lambda: smoke_play.app_of(TinyServer), request_model=CompanyVerifyRequest, cases_path=sys.argv[1],
    invoke=invoke, reseed=lambda app, request: None,
)
found = asyncio.run(exercise_verifier_fixture(fixture, reward_range=(0.0, 1.0), determinism="seeded"))
print(json.dumps([[each.kind, each.observed_rewards] for each in found]))
"""

FAILURE = """
from brownout.exporters.smoke_test import Script

app = smoke_play.app_of(TinyServer)
agent = TestClient(app)
[server] = [route.endpoint.__self__ for route in app.routes if getattr(route, "path", "") == "/{tool}"]
asked = {**ROW, "responses_create_params": {"input": []}, "response": smoke_play.responded(Script(row={**ROW, "split": "", "prompt": ""}))}
agent.post("/seed_session", json=ROW)
told = [agent.post("/notices_list", json=given).text for given in ({}, [1], {"nothing": 1})] + [agent.post("/nowhere", json={}).text]
server._server._process.kill()
server._server._process.wait()
called, verified = agent.post("/notices_list", json={}), agent.post("/verify", json=asked)
print(json.dumps({"told": told, "called": called.status_code, "verified": verified.json()}))
"""

OVER_MCP = """
from nemo_gym.mcp_auto_exposure import maybe_auto_expose
from brownout.exporters.nemo_gym.server import CompanyServerConfig
from nemo_gym.server_utils import ServerClient

config = CompanyServerConfig(host="127.0.0.1", port=1, entrypoint="app.py", domain="agent", name="company", expose_tools_over_mcp=True)
server = TinyServer(config=config, server_client=ServerClient.model_construct())
app = server.setup_webserver()
maybe_auto_expose(server, app)
with TestClient(app) as agent:
    said = agent.post("/seed_session", json=ROW).json()["mcp"]
    headers = {**said["headers"], "accept": "application/json, text/event-stream"}
    def ask(method, **params):
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = agent.post(said["url_path"], json=body, headers=headers).text
        return json.loads(answer[answer.index("{"):])["result"]
    tools = [tool["name"] for tool in ask("tools/list")["tools"]]
    answer = ask("tools/call", name="notices_list", arguments={})
    print(json.dumps([tools, answer["content"][0]["text"], agent.post("/notices_list", json={}).status_code]))
"""


NOTHING_SAID: JsonObject = {
    "id": "response", "created_at": 0, "model": "script", "object": "response", "output": [],
    "parallel_tool_calls": False, "tool_choice": "auto", "tools": [],
}  # fmt: skip


@pytest.fixture(scope="module")
def export(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_world("nemo-gym", tiny_package, tmp_path_factory.mktemp("nemo-gym") / "tiny")


@pytest.fixture(scope="module")
def gym(export: Path) -> Iterator[Environment]:
    with environment_for(export, python_of(PYTHONS["nemo-gym"])) as environment:
        yield environment


@pytest.fixture(scope="module")
def recorded(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> list[Recorded]:
    return recorded_actions(tiny_package, tmp_path_factory.mktemp("recorded"), seed=0)


@pytest.fixture(scope="module")
def failing(gym: Environment, tmp_path_factory: pytest.TempPathFactory) -> JsonObject:
    """What calls that are wrong are told, and what is said when the session server is gone."""
    found: JsonObject = json.loads(program(gym, FAILURE, tmp_path_factory.mktemp("failing")))
    return found


@pytest.fixture(scope="module")
def policy() -> Iterator[ScriptedPolicy]:
    with ScriptedPolicy({}) as served:
        yield served


@pytest.fixture(scope="module")
def running(gym: Environment, export: Path, policy: ScriptedPolicy) -> Iterator[tuple[Environment, Path]]:
    """All of NeMo Gym's servers, as the README starts them, and the folder in which that is done."""
    settings = {
        "POLICY_BASE_URL": policy.base_url, "POLICY_API_KEY": "any", "POLICY_MODEL": "scripted",
        "VIRTUAL_ENV": str(gym.folder), "NEMO_GYM_EXTRA_ROOTS": str(export),
    }  # fmt: skip
    gym, folder = replace(gym, settings={**gym.settings, **settings}), export.parent / "gym"
    prepared, start = gym.run(readme_commands(export)[1], cwd=export), readme_commands(export)[2]
    assert prepared.returncode == 0, prepared.stderr
    assert not foreign_files(export)
    command = ["bash", "-euc", f"exec {start}"]
    with subprocess.Popen(command, cwd=folder, env=gym.variables(), stdout=subprocess.PIPE, text=True) as servers:
        assert servers.stdout is not None
        told = list(takewhile(lambda line: "servers ready! Polling" not in line, servers.stdout))
        assert servers.poll() is None, "".join(told[-50:])
        Thread(target=servers.stdout.read, daemon=True).start()
        yield gym, folder
        servers.terminate()


def program(gym: Environment, text: str, cwd: Path, *arguments: Path) -> str:
    """What a Python program prints last, with the export in its environment."""
    (cwd / "program.py").write_text(BEGIN + text)
    done = gym.run(" ".join(["python", "program.py", *map(str, arguments)]), cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()[-1]


def test_the_frameworks_own_validation_passes(gym: Environment, export: Path, tmp_path: Path) -> None:
    gym = replace(gym, settings={**gym.settings, "NEMO_GYM_EXTRA_ROOTS": str(export)})
    done = gym.run("gym env validate brownout_tiny --kind environment", cwd=tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "train: 3 rows (train)" in done.stdout
    assert "Warning" not in done.stdout


def test_sessions_keep_the_frameworks_contract(gym: Environment, tmp_path: Path) -> None:
    assert program(gym, CONTRACT, tmp_path) == "kept"


def test_the_verifier_passes_the_frameworks_cases(gym: Environment, recorded: list[Recorded], tmp_path: Path) -> None:
    full, half = (each for each in recorded[:2])
    asked: JsonObject = {"responses_create_params": {"input": []}, "response": NOTHING_SAID}
    kinds: list[tuple[str, Recorded | None, float]] = [
        ("full_reward", full, 1.0),
        ("zero_reward", None, 0.0),
        ("determinism", half, half.result.reward or 0.0),
    ]
    cases: list[JsonObject] = [
        {
            "name": "no response",
            "kind": "malformed",
            "request": {"responses_create_params": {"input": []}},
            "expected_error": "response",
        }
    ]
    for kind, played, reward in kinds:
        script = played.script.model_dump(mode="json") if played else {"calls": []}
        cases.append({"name": kind, "kind": kind, "request": {**asked, "script": script}, "expected_reward": reward})
    (tmp_path / "cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases))
    found = json.loads(program(gym, VERIFIER, tmp_path, tmp_path / "cases.jsonl"))

    assert {kind: set(rewards) for kind, rewards in found} == {
        "malformed": set(), "full_reward": {1.0}, "zero_reward": {0.0}, "determinism": {half.result.reward},
    }  # fmt: skip


def test_a_failing_environment_masks_the_sample(failing: JsonObject) -> None:
    verified = failing["verified"]

    assert isinstance(verified, dict)
    assert failing["called"] == 503
    assert (verified["mask_sample"], verified["reward"], verified["resolved"]) == (True, 0.0, False)
    assert verified["failure_kind"] == "transport_unreachable"


def test_what_is_wrong_with_a_call_is_answered_as_everywhere(failing: JsonObject) -> None:
    told = failing["told"]
    assert isinstance(told, list)
    good, no_object, unknown, nowhere = map(str, told)

    assert "error" not in good
    assert "arguments" in no_object
    assert "nothing" in unknown
    assert "nowhere" in nowhere


def test_tools_can_be_had_over_mcp(gym: Environment, tiny_package: Package, tmp_path: Path) -> None:
    names, text, after = json.loads(program(gym, OVER_MCP, tmp_path))

    assert "notices_list" in names
    assert len(names) > 10
    assert text
    assert after == 200


@pytest.mark.parametrize("number", [0, 1, 5])
def test_a_policy_is_worth_there_what_its_actions_are_worth_here(
    running: tuple[Environment, Path],
    policy: ScriptedPolicy,
    export: Path,
    tiny_package: Package,
    recorded: list[Recorded],
    number: int,
) -> None:
    chosen = {each.script.row.task: each for each in recorded[number::7]}
    policy.scripts = {
        tiny_package.task(task).prompt[:30]: [*([(call.name, call.arguments)] for call in each.script.calls), ""]
        for task, each in chosen.items()
    }
    gym, folder = running
    command = (
        readme_commands(export)[3]
        .replace("rollouts.jsonl", f"rollouts-{number}.jsonl")
        .replace("repeats 4", "repeats 17")
    )
    done = gym.run(command.replace("concurrency 16", "concurrency 51"), cwd=folder)
    rollouts = [json.loads(line) for line in (folder / f"rollouts-{number}.jsonl").read_text().splitlines()]

    assert done.returncode == 0, done.stdout + done.stderr
    assert len(rollouts) == 51
    for rollout in rollouts:
        here = chosen[rollout["task"]].result
        assert rollout["reward"] == pytest.approx(here.reward, abs=1e-9)
        assert ledger_of(rollout["brownout"]) == ledger_of(here)
        assert not rollout["mask_sample"]
