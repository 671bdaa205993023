"""The pages that authors read are true: their world works, and their tables are those of the models."""

import re
import sys
from pathlib import Path
from typing import get_args

import pytest

import brownout
from brownout.cli.main import main
from brownout.core.vocabulary import WorldNames
from brownout.engine.simulation_setting import load_app
from brownout.engine.world import World
from brownout.qa import check_package
from docs.words import PAGE, page
from generators.world_check import mistakes_in
from worlds.spec.models import Action
from worlds.spec.short_forms import VERBS

AUTHORING = PAGE.with_name("authoring.md")
STARTER = PAGE.parent.parent / "worlds" / "starter"
BLOCK = re.compile(r"```(?:yaml|jsonl)\n# (\S+)\n(.*?)```", re.DOTALL)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The world of the page, as somebody who copies it would have it."""
    folder = tmp_path / "my-world"
    for name, text in BLOCK.findall(AUTHORING.read_text("utf-8")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def files_in(folder: Path) -> dict[str, str]:
    found = [path for path in folder.rglob("*") if path.suffix in (".yaml", ".jsonl")]
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in found}


def test_the_pages_world_keeps_every_rule(written: Path, tmp_path: Path) -> None:
    assert mistakes_in(written) == []
    with World(brownout.build(written, out=tmp_path / "package"), hot=4) as world:
        reports = check_package(world)

    assert [finding.passed for report in reports for finding in report.results] == [*[True] * 8, None], reports


def test_the_pages_world_is_the_one_that_new_writes(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["brownout", "new", "world", str(tmp_path / "new"), "--starter"])
    with pytest.raises(SystemExit) as stop:
        main()

    assert stop.value.code == 0
    assert files_in(tmp_path / "new") == files_in(written) == files_in(STARTER)


def test_new_overwrites_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "thesis.txt").write_text("twelve chapters")
    monkeypatch.setattr(sys, "argv", ["brownout", "new", "world", str(tmp_path), "--starter"])
    with pytest.raises(SystemExit) as stop:
        main()

    assert stop.value.code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_the_table_of_words_is_that_of_the_models() -> None:
    assert PAGE.read_text("utf-8") == page(), "docs/words.md is not what is read; write it again: python -m docs.words"


def test_every_kind_of_intent_says_who_carries_it_and_with_which_fields() -> None:
    rows = re.findall(
        r"^\| (\w+) \| (.*) \| (\w+) \| (.+) \|$", page().partition("|---|---|---|---|\n")[2], re.MULTILINE
    )
    kinds = get_args(Action.model_fields["kind"].annotation)

    assert {kind for kind, *_ in rows} == {*kinds}
    assert ("deploy", "`deploys`", "ops") in [row[:3] for row in rows]
    assert {verb for _, by, *_ in rows for verb in re.findall(r"`(\w+)`", by)} == {*VERBS}
    for kind, _, app, fields in rows:
        declared = load_app(app).text
        details = (
            declared.vocabulary({}, WorldNames("acme.test", frozenset(), frozenset(), {})).details if declared else {}
        )
        words = [*details[kind]] if kind in details else None
        assert re.findall(r"`(\w+)`", fields) == (words or []), (kind, app)
        assert fields == ("any, unchecked" if words is None else "none") or words


def test_every_word_has_a_meaning() -> None:
    assert [line for line in page().splitlines() if line.startswith("| `") and line.endswith("|  |")] == []


def test_the_prose_page_says_what_every_rule_is(written: Path) -> None:
    rules = re.findall(r"^\| `(\w+)` \|", AUTHORING.read_text("utf-8"), re.MULTILINE)

    assert rules == ["oracle", "nothing", "stopped", "lazy", "good", "random", "replay", "known"]
