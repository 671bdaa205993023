"""Every framework gives the same actions the same reward, to the letter of the ledger, however many play at once."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from brownout.core.values import JsonObject
from brownout.exporters.export_request import ExportRequest
from brownout.exporters.exporter import export_world
from tests.frameworks.environment import PYTHONS, Environment, environment_for, python_of, readme_commands
from tests.frameworks.parity import Recorded, ledger_of, play_there, recorded_actions
from worlds.package import Package

pytestmark = [pytest.mark.frameworks, pytest.mark.sandbox]

OUTAGE = "aws-down-slack-down"


@dataclass(frozen=True)
class Installed:
    """A framework with an export of `tiny` installed in it."""

    name: str
    export: Path
    environment: Environment
    check: str


@pytest.fixture(scope="module", params=sorted(PYTHONS.keys() - {"inspect"}))
def installed(
    request: pytest.FixtureRequest, tiny_package: Package, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installed]:
    name = str(request.param)
    export = export_world(name, tiny_package, tmp_path_factory.mktemp(name) / "tiny")
    evaluation = {"BROWNOUT_EVALUATION": str(export / "brownout_tiny-evaluation.zip")}
    check = readme_commands(export)[0].splitlines()[-1]
    with environment_for(export, python_of(PYTHONS[name])) as environment:
        yield Installed(name, export, replace(environment, settings={**environment.settings, **evaluation}), check)


@pytest.fixture(scope="module")
def tiny_actions(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> list[Recorded]:
    return recorded_actions(tiny_package, tmp_path_factory.mktemp("recorded"))


@pytest.fixture(scope="module")
def outage_actions(larkspur_package: Package, tmp_path_factory: pytest.TempPathFactory) -> list[Recorded]:
    return recorded_actions(larkspur_package, tmp_path_factory.mktemp("recorded"), tasks=[OUTAGE])


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing of the checkout is to be found by its place."""
    monkeypatch.chdir(tmp_path)
    yield


def test_the_readmes_check_passes_fifty_episodes_at_once(installed: Installed, tmp_path: Path) -> None:
    done = installed.environment.run(f"{installed.check} --episodes 17", cwd=tmp_path)
    lines = [line for line in done.stdout.splitlines() if " earns " in line]

    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.rpartition(" ")[2] for line in lines] == ["1.0", "0.0"] * 3


def test_recorded_actions_are_worth_what_they_were_here(
    installed: Installed, tiny_actions: list[Recorded], tmp_path: Path
) -> None:
    outcomes = play_there(installed.environment, installed.check, tiny_actions, tmp_path, tmp_path)

    assert_same(tiny_actions, outcomes)
    assert {each.result.reward for each in tiny_actions} > {0.0, 1.0}


def test_so_are_those_of_a_task_with_an_outage(
    installed: Installed, larkspur_package: Package, outage_actions: list[Recorded], tmp_path: Path
) -> None:
    export = export_world(installed.name, larkspur_package, tmp_path / "larkspur", ExportRequest([OUTAGE]))
    command = installed.check.replace("brownout_tiny", "brownout_larkspur")
    outcomes = play_there(installed.environment, command, outage_actions, tmp_path, export)

    assert_same(outage_actions, outcomes)


def test_nothing_generic_is_imported_there(installed: Installed, tmp_path: Path) -> None:
    program = "import sys, brownout_tiny; print([m for m in sys.modules if m in ('worlds', 'tools', 'graders', 'generators', 'studio')])"
    done = installed.environment.run(f'python -c "{program}"', cwd=tmp_path)

    assert done.stdout.strip() == "[]", done.stderr


def assert_same(recorded: list[Recorded], outcomes: list[JsonObject]) -> None:
    assert len(outcomes) == len(recorded) > 3
    for each, outcome in zip(recorded, outcomes, strict=True):
        assert outcome["reward"] == pytest.approx(each.result.reward, abs=1e-9)
        assert ledger_of(outcome) == ledger_of(each.result)
