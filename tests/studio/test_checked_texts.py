"""A world's text is read and checked once, whoever asks and however often."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree
from time import sleep

import pytest

import studio.checked_texts
import studio.jobs.job
from brownout.catalog import find_spec
from studio.authoring.problems import AskerLeft, draft_of, problems_of
from studio.checked_texts import checked_text
from studio.jobs import list_jobs
from studio.known_worlds import KnownWorld, read_text
from worlds.spec import WorldDraft, read_draft


@pytest.fixture
def world(at_home: pytest.MonkeyPatch, tmp_path: Path) -> KnownWorld:
    return KnownWorld("acme", copytree(find_spec("tiny"), tmp_path / "acme"), is_shipped=False)


@pytest.fixture
def readings(at_home: pytest.MonkeyPatch) -> list[Path]:
    """The folder of each reading, as it is read."""
    found: list[Path] = []

    def read(folder: Path, *, texts: dict[str, bytes]) -> WorldDraft:
        found.append(folder)
        sleep(0.05)
        return read_draft(folder, texts=texts)

    at_home.setattr(studio.checked_texts, "read_draft", read)
    return found


def _slips(world: KnownWorld) -> str:
    """The text of people.yaml with three misspelt words."""
    text = (world.folder / "people.yaml").read_text()
    return text.replace("manager:", "managr:", 3)


def test_what_was_checked_before_it_was_saved_is_not_read_again_after_it(
    world: KnownWorld, readings: list[Path]
) -> None:
    text = (world.folder / "people.yaml").read_text().replace("role: platform engineer", "role: gardener")
    assert problems_of(world, {"people.yaml": text}) == []
    (world.folder / "people.yaml").write_text(text)

    assert problems_of(world) == []
    spec = draft_of(world).spec
    assert read_text(world).spec is spec
    assert spec is not None
    assert "gardener" in {person.role for person in spec.people.values()}
    assert len(readings) == 1


def test_a_mended_text_is_known_from_when_its_fix_was_tried(world: KnownWorld, readings: list[Path]) -> None:
    typed = _slips(world)
    assert len([one for one in problems_of(world, {"people.yaml": typed}) if one.fixes]) == 3
    assert len(readings) == 4

    mended = typed.replace("managr:", "manager:", 1)
    assert len([one for one in problems_of(world, {"people.yaml": mended}) if one.fixes]) == 2
    assert len(readings) == 6


def test_those_who_ask_the_same_at_once_share_one_reading(world: KnownWorld, readings: list[Path]) -> None:
    with ThreadPoolExecutor(4) as askers:
        found = [*askers.map(checked_text, [world.folder] * 4)]

    assert len(readings) == 1
    assert all(one is found[0] for one in found)


def test_fixes_are_not_tried_for_those_who_have_left(world: KnownWorld, readings: list[Path]) -> None:
    typed = {"people.yaml": _slips(world)}
    with pytest.raises(AskerLeft):
        problems_of(world, typed, has_left=lambda: True)
    assert len(readings) == 1

    assert len([one for one in problems_of(world, typed) if one.fixes]) == 3


def test_a_reading_with_everything_kept_is_the_same_as_the_first(world: KnownWorld) -> None:
    first, again = read_draft(world.folder), read_draft(world.folder)

    assert first.spec is not again.spec
    assert first == again


def test_jobs_that_are_over_are_not_read_again(world: KnownWorld, at_home: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for number in range(5):
        folder = tmp_path / ".studio" / "jobs" / f"20261125-01010{number}-build-abc"
        folder.mkdir(parents=True)
        (folder / "job.json").write_text('{"kind": "build", "title": "Build", "command": [], "state": "done"}')
    assert len(list_jobs("build")) == 5
    at_home.setattr(studio.jobs.job, "_read", lambda path, last=0: pytest.fail(f"{path} is read again"))

    assert len(list_jobs("build")) == 5
