"""The Inspect export, run by Inspect: what an agent does there is worth what it is worth here."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import pytest

import brownout
from brownout.core.trajectory import ModelEvent, ToolCallEvent, dump_event
from brownout.core.values import JsonObject
from brownout.engine.world import World
from brownout.exporters.exporter import export_world
from brownout.llm import Model
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.agents import make_agent
from brownout.rollouts.recorder import read_run
from tests.frameworks.environment import Environment, environment_for, readme_commands
from tests.frameworks.inspect_log import Log, read_log
from tests.frameworks.policy import ScriptedPolicy, Step
from tests.functional.playing import play
from tests.todo import installed_todo, unpack_todo
from worlds.package import Package

pytestmark = [
    pytest.mark.frameworks,
    pytest.mark.filterwarnings("ignore:Item .* on TypedDict class .* is using the `ReadOnly` qualifier"),  # litellm's
]

DONE = "Done, resolved."


@pytest.fixture(scope="module")
def export(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_world("inspect", tiny_package, tmp_path_factory.mktemp("inspect") / "tiny")


@pytest.fixture(scope="module")
def inspect(export: Path) -> Iterator[Environment]:
    """Inspect, with the export installed by the README's own command."""
    with environment_for(export) as environment:
        yield replace(environment, settings={"BROWNOUT_EVALUATION": str(export / "brownout_tiny-evaluation.zip")})


def evaluate(inspect: Environment, folder: Path, script: Sequence[Step], *words: str) -> Log:
    """The log of one evaluation against a scripted policy, by the README's command with more words."""
    with ScriptedPolicy({"": script}) as policy:
        command = f"inspect eval brownout_tiny/world --model openai-api/policy/scripted {' '.join(words)}"
        done = inspect.run(command, cwd=folder, POLICY_BASE_URL=policy.base_url, POLICY_API_KEY="any")
    assert done.returncode == 0, done.stdout + done.stderr
    return read_log(folder)


def oracle_script(tiny: World, folder: Path, task: str) -> list[Step]:
    play(tiny, folder, task, "oracle")
    return [[(event.name, event.arguments)] for event in read_run(folder).events if isinstance(event, ToolCallEvent)]


def play_here(tiny: World, script: Sequence[Step]) -> tuple[float | None, list[JsonObject]]:
    """What the same policy's answers come to in this process: reward, and every event but the model's."""
    with ScriptedPolicy({"": script}) as policy, tiny.open_session(first(tiny)) as session:
        agent = make_agent("llm", AgentOptions(model=Model(name="openai/scripted", base_url=policy.base_url)))
        asyncio.run(agent.play(session))
        kept = [json.loads(dump_event(event)) for event in session.events if not isinstance(event, ModelEvent)]
        return session.grade().reward, kept


def first(tiny: World) -> str:
    return next(iter(tiny.package.tasks))


def without_seq(events: Sequence[JsonObject]) -> list[JsonObject]:
    return [{name: value for name, value in event.items() if name != "seq"} for event in events]


def test_the_readmes_commands_run_as_they_are_written(
    export: Path, inspect: Environment, tiny: World, tmp_path: Path
) -> None:
    first_commands, *more = readme_commands(export)
    commands = [first_commands.splitlines()[-1], *more]
    scripts = {
        tiny.package.task(task).prompt[:30]: oracle_script(tiny, tmp_path / f"{task}-here", task)
        for task in tiny.package.tasks
    }
    with ScriptedPolicy(scripts) as policy:
        variables = {"POLICY_BASE_URL": policy.base_url, "POLICY_API_KEY": "any", "POLICY_MODEL": "scripted"}
        for number, command in enumerate(commands):
            folder = tmp_path / str(number)
            folder.mkdir()
            done = inspect.run(command, cwd=folder, **variables)
            assert done.returncode == 0, done.stdout + done.stderr
            assert read_log(folder).rewards == [1.0] * len(tiny.package.tasks)

    assert len(commands) == 2
    assert policy.requests


def test_actions_are_worth_what_they_are_worth_here(inspect: Environment, tiny: World, tmp_path: Path) -> None:
    for task in tiny.package.tasks:
        script = oracle_script(tiny, tmp_path / f"{task}-oracle", task)
        nothing = play(tiny, tmp_path / f"{task}-noop", task, "noop", answer=DONE)
        idle: list[Step] = [DONE, [("submit", {"answer": DONE})]]
        for name, steps, expected in [("best", script, 1.0), ("idle", idle, nothing.reward)]:
            folder = tmp_path / f"{task}-{name}"
            folder.mkdir()
            log = evaluate(inspect, folder, steps, f"-T task={task}")
            assert log.rewards == [expected]
            (sample,) = log.samples
            assert set(sample.score.value) == {"reward"}.union(
                line["criterion"] for line in sample.score.metadata["ledger"] if line["criterion"] != "flooding"
            )
        assert nothing.reward == 0


def test_every_way_of_a_turn_is_the_same_turn_as_here(inspect: Environment, tiny: World, tmp_path: Path) -> None:
    script: list[Step] = [
        [("wait", {"minutes": 10, "until_notice": False}), ("notices_list", {}), ("wait", {"minutes": 20})],
        [("nowhere_to_be_found", {"x": 1}), ("wait", {"minutes": "soon"}), ("notices_list", {"limit": 3, "no": 1})],
        [("wait", '{"minutes": 5'), ("notices_list", {})],
        [("notices_list", {"limit": 200}), ("submit", {"answer": DONE}), ("notices_list", {})],
    ]
    reward, here = play_here(tiny, script)
    log = evaluate(inspect, tmp_path, script, f"-T task={first(tiny)}")
    there = log.samples[0].trajectory
    unreadable = [event for event in (*here, *there) if event.get("call_id") == "call-2-0" and event["kind"] == "call"]

    assert len(unreadable) == 2
    for event in unreadable:
        assert "_unreadable" in event.pop("arguments")  # type: ignore[operator]
    assert without_seq(there) == without_seq(here)
    assert log.rewards == [reward]
    assert [call["turn"] for call in log.samples[0].calls] == [1, 1, 1, 2, 2, 2, 3, 3, 4, 4]


def test_plain_text_goes_to_the_requester(inspect: Environment, tiny: World, tmp_path: Path) -> None:
    script: list[Step] = ["What do you mean?", "Still there?", [("submit", {"answer": DONE})]]
    reward, here = play_here(tiny, script)
    log = evaluate(inspect, tmp_path, script, f"-T task={first(tiny)}")

    assert without_seq(log.samples[0].trajectory) == without_seq(here)
    assert log.rewards == [reward]


def test_samples_of_one_process_do_not_mix(inspect: Environment, tmp_path: Path, tiny: World) -> None:
    words = "--solver brownout_tiny/oracle --model mockllm/model --max-samples 8"
    done = inspect.run(f"inspect eval brownout_tiny/world {words} -T seed=5 -T epochs=8", cwd=tmp_path)
    log = read_log(tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert log.rewards == [1.0] * 8 * len(tiny.package.tasks)
    seeds = {(sample.epoch, sample.trajectory[0]["seed"]) for sample in log.samples}
    assert seeds == {(epoch, epoch + 4) for epoch in range(1, 9)}


def test_a_finished_log_can_be_judged_again(inspect: Environment, tiny: World, tmp_path: Path) -> None:
    task = first(tiny)
    before = evaluate(inspect, tmp_path, oracle_script(tiny, tmp_path / "here", task), f"-T task={task}")
    (path,) = (tmp_path / "logs").glob("*.json")
    words = "--scorer brownout_tiny/graded --model mockllm/model --action overwrite --overwrite"
    done = inspect.run(f"inspect score {path} {words}", cwd=tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert read_log(tmp_path).rewards == before.rewards == [1.0]


def test_the_judge_can_be_left_out(inspect: Environment, tiny: World, tmp_path: Path) -> None:
    words = "--solver brownout_tiny/oracle --model mockllm/model -T task=mend-the-help-page -T skip=judge"
    done = inspect.run(f"inspect eval brownout_tiny/world {words}", cwd=tmp_path)
    (sample,) = read_log(tmp_path).samples

    assert done.returncode == 0, done.stdout + done.stderr
    [left] = sample.score.metadata["left_out"]
    assert (sample.reward, sample.score.metadata["complete"], left["because"]) == (1.0, False, "skipped")


def test_a_model_in_the_role_of_grader_judges(inspect: Environment, tiny: World, tmp_path: Path) -> None:
    script = oracle_script(tiny, tmp_path / "here", "mend-the-help-page")
    call = script[8][0]
    assert not isinstance(call, str)
    _, page = call
    assert isinstance(page, dict)
    page["body"] = str(page["body"]).replace("we will look at each of them", "we look at each")
    verdict = {"verdict": False, "reason": "No.", "quote": ""}
    with ScriptedPolicy({"Question: ": [json.dumps(verdict)], "": script}) as policy:
        words = (
            "--model openai-api/policy/scripted --model-role grader=openai-api/policy/judge -T task=mend-the-help-page"
        )
        variables = {"POLICY_BASE_URL": policy.base_url, "POLICY_API_KEY": "any"}
        done = inspect.run(f"inspect eval brownout_tiny/world {words}", cwd=tmp_path, **variables)
    log = read_log(tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert log.rewards == [0.9]
    assert "judged by openai-api/policy/judge" in str(log.samples[0].score.metadata["ledger"])


def test_a_call_that_was_not_approved_was_not_made(inspect: Environment, tiny: World, tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(
        "approvers:\n"
        "  - {name: auto, tools: notices_list, decision: reject}\n"
        '  - {name: auto, tools: "*", decision: approve}\n'
    )
    script: list[Step] = [
        [("wait", {"minutes": 1}), ("notices_list", {}), ("wait", {"minutes": 2})],
        [("submit", {"answer": DONE})],
    ]
    log = evaluate(inspect, tmp_path, script, f"-T task={first(tiny)} --approval policy.yaml")
    calls = log.samples[0].calls

    assert [(call["name"], call["turn"]) for call in calls] == [("wait", 1), ("wait", 2), ("submit", 3)]
    assert calls[1]["arguments"] == {"minutes": 2}


def hidden_words(package: Package) -> list[str]:
    """Words that stand nowhere but in what agents must not see."""
    tests = [path.read_text() for path in (package.folder / "graders").rglob("*.py")]
    names = [name for text in tests for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)]
    ledger = [name for task in package.tasks for name in package.rubric(task).points if "-" in name]
    return [*names, *ledger, *(task.hard_because for task in package.tasks.values()), "grader", "oracle"]


def test_another_solver_makes_each_call_a_turn(inspect: Environment, tiny: World, tmp_path: Path) -> None:
    script: list[Step] = [
        [("wait", {"minutes": 1}), ("wait", {"minutes": "soon"}), ("notices_list", {})],
        [("submit", {"answer": DONE})],
        [("notices_list", {})],
    ]
    log = evaluate(inspect, tmp_path, script, f"-T task={first(tiny)} --solver generate")
    calls = log.samples[0].calls
    answers = [message.content for message in log.samples[0].messages if message.role == "tool"]

    assert log.rewards == [0.0]
    assert [(call["name"], call["turn"]) for call in calls] == [("wait", 1), ("notices_list", 2), ("submit", 3)]
    assert "has ended" in answers[-1]


def test_the_model_is_shown_the_sessions_tools_and_nothing_hidden(
    inspect: Environment, tiny: World, tmp_path: Path
) -> None:
    task = first(tiny)
    with ScriptedPolicy({"": oracle_script(tiny, tmp_path / "here", task)}) as policy:
        command = f"inspect eval brownout_tiny/world --model openai-api/policy/scripted -T task={task}"
        inspect.run(command, cwd=tmp_path, POLICY_BASE_URL=policy.base_url, POLICY_API_KEY="any")
    shown = [tool["function"] for tool in policy.requests[0]["tools"]]  # type: ignore[union-attr,index,call-overload]
    with tiny.open_session(task) as session:
        instructions, tools = session.instructions, session.tools

    assert [(tool["name"], tool["description"]) for tool in shown] == [(t["name"], t["description"]) for t in tools]  # type: ignore[index,call-overload]
    for there, here in zip(shown, tools, strict=True):
        schema = here["input_schema"]
        assert list(there["parameters"]["properties"]) == list(schema["properties"])  # type: ignore[index,call-overload,arg-type]
        assert there["parameters"]["required"] == schema.get("required", [])  # type: ignore[index,call-overload,union-attr]
        assert "$ref" not in json.dumps(there)
    assert policy.requests[0]["messages"] == [{"role": "user", "content": instructions}]
    said = json.dumps(policy.requests, ensure_ascii=False)
    assert not [word for word in hidden_words(tiny.package) if word in said]


def test_nothing_generic_is_imported_there(inspect: Environment, tmp_path: Path) -> None:
    program = "import sys, brownout_tiny._registry; print([m for m in sys.modules if m.partition('.')[0] in ('worlds', 'tools', 'graders', 'generators', 'studio', 'streamlit', 'typer', 'litellm')])"
    imported = inspect.run(f'python -c "{program}"', cwd=tmp_path)

    assert imported.stdout.strip() == "[]", imported.stderr


def test_the_modules_are_typed_against_the_real_inspect(inspect: Environment, tmp_path: Path) -> None:
    where = "import brownout_tiny, brownout; print(brownout_tiny.__path__[0], brownout.__path__[0])"
    [export, runtime] = inspect.run(f"python -c '{where}'", cwd=tmp_path).stdout.split()
    modules = [str(copyfile(path, tmp_path / f"own{path.name}")) for path in Path(export).glob("*.py")]
    adapter = Path(runtime) / "exporters" / "inspect_ai"
    for path in adapter.glob("*.py"):  # their comments are for those who have no Inspect
        text = "".join(line for line in path.read_text().splitlines(True) if not line.startswith("# mypy: disable"))
        (tmp_path / path.name).write_text(text)
        modules.append(str(tmp_path / path.name))
    options = ["--strict", "--follow-imports=silent", "--python-executable", str(inspect.python), "--no-incremental"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *modules], cwd=tmp_path, capture_output=True, text=True
    )

    assert modules
    assert done.returncode == 0, done.stdout


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The stranger's package, with a grader that gives up when asked for the impossible."""
    folder = unpack_todo(tmp_path / "plugins")
    listed = folder / "todo_app" / "listed.py"
    text = listed.read_text().replace(
        "        found = end.find(",
        "        if asks == 'impossible':\n            raise ValueError('nobody can tell')\n        found = end.find(",
    )
    listed.write_text(text)
    with installed_todo(folder, monkeypatch):
        yield folder


def test_a_strangers_app_comes_along_and_a_null_reward_is_an_error(
    stranger: Path, spec_folder: Path, inspect: Environment, tmp_path: Path
) -> None:
    edits = {
        "world.yaml": [("world: tiny", "world: strange"), ("  jira:\n", "  todo: {}\n  jira:\n")],
        "tasks/find-the-change/task.yaml": [("  points:\n", "  points:\n    chore: {worth: 1, listed: impossible}\n")],
    }
    for name, changes in edits.items():
        path = spec_folder / name
        for old, new in changes:
            assert old in path.read_text()
            path.write_text(path.read_text().replace(old, new, 1))
    export = export_world("inspect", brownout.build(spec_folder, out=tmp_path / "package"), tmp_path / "export")
    installed = inspect.run("python -m pip install --no-deps runtime/*.whl .", cwd=export)
    command = "inspect eval brownout_strange/world --solver brownout_strange/oracle --model mockllm/model"
    inspect = replace(inspect, settings={"BROWNOUT_EVALUATION": str(export / "brownout_strange-evaluation.zip")})
    strict, lenient = tmp_path / "strict", tmp_path / "lenient"
    for folder, more in [(strict, ""), (lenient, "--no-fail-on-error")]:
        folder.mkdir()
        inspect.run(f"{command} {more} -T task=find-the-change", cwd=folder)

    assert installed.returncode == 0, installed.stderr
    assert read_log(strict).status == "error"
    (sample,) = read_log(lenient).samples
    assert sample.error is not None
    assert "the reward is null: chore: grader_failed" in sample.error.message
    assert not sample.scores
    assert sample.trajectory[0]["world"] == "strange"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "release-the-seats runs code (terminal, unit_tests): the sandbox needs bubblewrap"),
        ("-T task=release-the-seats", "apt-get install bubblewrap"),
        (
            "-T task=nowhere",
            "expected tasks out of find-the-change, mend-the-help-page, release-the-seats; found nowhere",
        ),
        ("-T skip=juge", "no graders named 'juge'"),
    ],
)
def test_what_cannot_be_played_is_said_before_it_is_begun(
    inspect: Environment, tmp_path: Path, words: str, said: str
) -> None:
    command = f"inspect eval brownout_tiny/world --solver brownout_tiny/oracle --model mockllm/model {words}"
    done = inspect.run(command, cwd=tmp_path, BROWNOUT_BUBBLEWRAP=str(tmp_path / "bwrap"))
    shown = " ".join((done.stdout + done.stderr).split())

    assert done.returncode != 0
    assert said in shown
    assert "Traceback" not in shown
    assert not list(tmp_path.rglob("*.eval"))


def test_a_log_is_not_judged_again_without_a_sandbox(inspect: Environment, tmp_path: Path) -> None:
    words = "--solver brownout_tiny/oracle --model mockllm/model"
    inspect.run(f"inspect eval brownout_tiny/world {words} -T task=release-the-seats", cwd=tmp_path)
    [log] = (tmp_path / "logs").iterdir()
    again = f"inspect score {log} --scorer brownout_tiny/graded --model mockllm/model --action overwrite --overwrite"
    done = inspect.run(again, cwd=tmp_path, BROWNOUT_BUBBLEWRAP=str(tmp_path / "bwrap"))
    shown = " ".join((done.stdout + done.stderr).split())

    assert done.returncode != 0
    assert "apt-get install bubblewrap" in shown
    assert "Traceback" not in shown
