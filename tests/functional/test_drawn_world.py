"""A world with drawn slots: each seed is a task of its own, and what was right with one earns nothing with another."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import copytree

import pytest

import brownout
from brownout.engine.world import World
from brownout.qa.played_episodes import Plays
from brownout.qa.rules import SMOKE
from brownout.qa.seed_transfer import calls_without_reads, played_blindly
from brownout.qa.seed_variants import Variants
from tests.functional.commands import Commands
from worlds.spec import read_world

DRAWN = Path(__file__).parents[1] / "data/drawn"
TASK = "order-ahead"
SEEDS = range(5)


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, World]]:
    """The world with five seeds."""
    folder = tmp_path_factory.mktemp("drawn")
    with ExitStack() as stack:
        yield {
            seed: stack.enter_context(World(brownout.build(DRAWN, seed=seed, out=folder / str(seed)), hot=2))
            for seed in SEEDS
        }


def test_its_oracle_earns_everything_whatever_is_drawn(worlds: dict[int, World], tmp_path: Path) -> None:
    for seed, world in worlds.items():
        plays = Plays(world, TASK, tmp_path / str(seed))

        assert plays.play("oracle").reward == 1.0
        assert plays.play("good", answer="other-way").reward == 1.0
        assert plays.play("lazy", answer="old").reward == 0.0
        assert plays.play("noop").reward == 0.0


def test_the_calls_of_one_seed_earn_nothing_with_another(worlds: dict[int, World], tmp_path: Path) -> None:
    spec = read_world(DRAWN)
    graded = Variants(spec, tmp_path).graded(TASK)
    assert graded == {"ahead.lead", "ahead.start", "ahead.keeper"}
    for own, world in worlds.items():
        plays = Plays(world, TASK, tmp_path / str(own))
        calls = calls_without_reads(world, plays.read(plays.play("oracle")).events)
        assert [call.name for call in calls if "search" in call.name or "read" in call.name] == []
        assert played_blindly(world, TASK, calls, plays).reward == 1.0
        for other in worlds:
            ours, theirs = spec.seeded(own).drawn, spec.seeded(other).drawn
            if all(ours[slot] != theirs[slot] for slot in graded):
                assert (played_blindly(worlds[other], TASK, calls, plays).reward or 0.0) <= 0.2


def transferred(folder: Path, tmp_path: Path) -> tuple[bool | None, str]:
    """What the rule says of a world."""
    with (
        World(brownout.build(folder, out=tmp_path / "package"), hot=4) as world,
        Variants(read_world(folder), tmp_path / "variants") as variants,
    ):
        finding = SMOKE["transfer"](Plays(world, TASK, tmp_path / "runs", variants=variants))
    return finding.passed, finding.detail


def test_a_world_whose_points_rest_on_what_is_drawn_passes(tmp_path: Path) -> None:
    passed, detail = transferred(DRAWN, tmp_path)

    assert passed
    assert detail.endswith("earns 0")


def test_points_that_nothing_drawn_decides_are_found(tmp_path: Path) -> None:
    folder = copytree(DRAWN, tmp_path / "text")
    task = folder / "tasks/order-ahead/task.yaml"
    told = "  points:\n    acted: {worth: 5, trajectory: {calls: {jira_transition_issue: 1..3}}}\n"
    task.write_text(task.read_text().replace("  points:\n", told))

    passed, detail = transferred(folder, tmp_path)

    assert passed is False
    assert detail.endswith("(acted)")


def test_a_grade_that_no_seed_changes_is_found(tmp_path: Path) -> None:
    folder = copytree(DRAWN, tmp_path / "text")
    for name in ("storylines/ahead.yaml", "tasks/order-ahead/task.yaml", "tasks/order-ahead/oracle.yaml"):
        text = (folder / name).read_text().replace("keeper: dov", "keeper: ben")
        text = text.replace("{one_of: [24, 30, 36, 40, 42, 48, 54, 60, 66, 72], not: [trial]}", "{one_of: [36]}")
        text = text.replace("2026-05-12..2026-06-05", "2026-05-12..2026-05-12")
        (folder / name).write_text(text.replace("{team: [bench, round]}, not: [emre]", "{team: bench}, not: [ben]"))

    passed, detail = transferred(folder, tmp_path)

    assert passed is False
    assert "no seed gives ahead.keeper, ahead.lead, ahead.start another value" in detail


def test_a_world_without_slots_is_left_out_by_name(tiny: World, tmp_path: Path) -> None:
    with Variants(read_world(brownout.catalog.find_spec("tiny")), tmp_path) as variants:
        finding = SMOKE["transfer"](Plays(tiny, "find-the-change", tmp_path, variants=variants))

    assert (finding.rule, finding.passed, finding.detail) == ("transfer", None, "nothing is drawn in this world")


def test_what_a_seed_draws_is_shown(command: Commands) -> None:
    shown = command("show", "drawn", DRAWN, "--seed", 4, "--json").document
    listed = shown["drawn"]

    assert shown["seed"] == 4
    assert isinstance(listed, list)
    assert {"slot": "ahead.keeper", "kind": "person", "value": "cleo"}.items() <= listed[6].items()
    assert "15 May" in command("show", "drawn", DRAWN, "--seed", 4).out
    assert "nothing is drawn" in command("show", "drawn", "tiny").out


def test_validate_names_the_seed_that_shows_a_mistake(command: Commands, tmp_path: Path) -> None:
    folder = copytree(DRAWN, tmp_path / "text")
    task = folder / "tasks/order-ahead/task.yaml"
    task.write_text(task.read_text().replace("when: {ahead.keeper: dov}", "when: {ahead.keeper: [dov, ben]}"))

    assert command("validate", folder).code == 0
    done = command("validate", folder, "--seeds", 10)

    assert done.code == 2
    assert done.err.count("(with seed 5)") == 1
    assert "1 mistake" in done.err
