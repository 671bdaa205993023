"""A storyline more for a world that exists: told by people who are there, and nothing is written that would break it."""

import sys
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

import brownout
from brownout.catalog import find_spec
from brownout.cli import main
from brownout.core.errors import UsageError
from brownout.engine.world import World
from generators.authoring.new_storyline import storyline_files
from generators.authoring.new_world import write_world
from generators.authoring.world_request import WorldRequest
from generators.world_check import read_whole, spec_mistakes
from tests.functional.playing import play

WRITTEN = WorldRequest(name="acme", trade="shops", people=18, tasks=1, storylines=("migration",), seed=9)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A written company with one storyline."""
    write_world(WRITTEN, tmp_path / "acme")
    return tmp_path / "acme"


def said(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str
) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["brownout", "new", "storyline", str(folder), *words])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(str(stop.value.code or 0)), " ".join("".join(capsys.readouterr()).split())


def test_a_storyline_more_is_played_and_paid(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (folder / "people.yaml").read_text("utf-8")
    for kind in ("policy-changed", "access-requests"):
        assert said(folder, capsys, monkeypatch, kind)[0] == 0

    assert (folder / "people.yaml").read_text("utf-8") == before
    spec = read_whole(folder)
    assert spec_mistakes(spec) == []
    with World(brownout.build(folder, out=tmp_path / "package"), hot=2) as world:
        for task in spec.tasks:
            assert play(world, tmp_path / task, task, "oracle").reward == 1.0, task


def test_the_same_kind_again_gets_another_name(folder: Path) -> None:
    assert "storylines/migration-2.yaml" in storyline_files(read_whole(folder), "migration")
    assert "storylines/third.yaml" in storyline_files(read_whole(folder), "migration", name="third")


def test_a_world_written_by_hand_says_whose_words_it_wants(tmp_path: Path) -> None:
    folder = tmp_path / "larkspur"
    copytree(find_spec("larkspur"), folder)
    text = (folder / "world.yaml").read_text()
    (folder / "world.yaml").write_text(text.replace(", trade: clinics}", "}"))
    spec = read_whole(folder)
    with pytest.raises(UsageError, match="expected --trade"):
        storyline_files(spec, "policy-changed")

    assert "storylines/policy-changed.yaml" in storyline_files(spec, "policy-changed", trade="clinics")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["migraton"], "there is no storyline kind 'migraton'; did you mean 'migration'?"),
        (["migration", "--trade", "shop"], "there is no trade 'shop'; did you mean 'shops'?"),
        (["policy-changed", "migration"], "acme has 'migration' already"),
        (
            ["harmless-change"],
            "writes a company with both; kinds that need none: access-requests, contradictory-orders",
        ),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    words: list[str],
    why: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = sorted(folder.rglob("*"))
    code, answer = said(folder, capsys, monkeypatch, *words)

    assert (code, why in answer) == (2, True), answer
    assert sorted(folder.rglob("*")) == before


def test_a_world_that_would_break_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_world(replace(WRITTEN, people=24), tmp_path / "acme")
    text = (tmp_path / "acme/world.yaml").read_text("utf-8")
    (tmp_path / "acme/world.yaml").write_text(text.replace('"#support"', '"#helpdesk"'), "utf-8")
    copytree(tmp_path / "acme", tmp_path / "before")
    code, answer = said(tmp_path / "acme", capsys, monkeypatch, "policy-changed")

    assert code == 2
    assert "#support" in answer
    assert not (tmp_path / "acme/storylines/policy-changed.yaml").exists()
