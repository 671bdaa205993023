"""Files get another path or go into the trash: what names them follows, nothing is lost, and all of it is taken back."""

from pathlib import Path
from shutil import copytree

import pytest

from brownout.catalog import find_spec
from brownout.core.errors import EditRefused
from generators.world_check import spec_mistakes
from studio.authoring.locked_writes import undo
from studio.authoring.moving_files import delete_file, rename_file, uses_of_file
from studio.authoring.world_folders import trash_folder
from studio.known_worlds import KnownWorld, known_worlds
from tests.studio.asking import Post
from worlds.spec import read_world


@pytest.fixture
def acme(at_home: pytest.MonkeyPatch, tmp_path: Path) -> KnownWorld:
    """`tiny` as an author's own world, which has a flagship."""
    folder = copytree(find_spec("tiny"), tmp_path / "acme")
    world = folder / "world.yaml"
    world.write_text(world.read_text().replace("world: tiny", "world: acme"))
    return known_worlds()["acme"]


def _files(world: KnownWorld) -> dict[str, bytes]:
    return {
        path.relative_to(world.folder).as_posix(): path.read_bytes()
        for path in world.folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("old", "new", "follows"),
    [
        (
            "documents/why-is-a-seat-grey.md",
            "documents/grey-seats.md",
            ("storylines/holds.yaml", "file: grey-seats.md}"),
        ),
        (
            "repos/boxoffice/patches/0002-clock.patch",
            "repos/boxoffice/patches/0002-time.patch",
            ("repos/boxoffice/series.yaml", "- patch: 0002-time.patch"),
        ),
        ("tasks/find-the-change", "tasks/find-the-cause", ("world.yaml", "flagship: find-the-cause")),
        ("storylines/holds.yaml", "storylines/stuck.yaml", ("prose/stuck.yaml", "")),
    ],
)
def test_what_names_a_file_follows_it_and_all_of_it_is_taken_back(
    acme: KnownWorld, old: str, new: str, follows: tuple[str, str]
) -> None:
    before = _files(acme)

    edited = rename_file(acme, old, new)

    assert edited.is_written, edited.problems
    assert (acme.folder / new).exists()
    assert not (acme.folder / old).exists()
    assert follows[1] in (acme.folder / follows[0]).read_text()
    assert not spec_mistakes(read_world(acme.folder))
    assert undo(acme).label == f"Rename {old} to {new}"
    assert _files(acme) == before


def test_slots_that_another_storyline_tells_follow_the_storyline(acme: KnownWorld) -> None:
    story, other = acme.folder / "storylines/holds.yaml", acme.folder / "documents/runbook-boxoffice.md"
    story.write_text(story.read_text() + "\ndrawn:\n  minutes: {numbers: 10..20}\n")
    other.write_text(
        other.read_text() + "\nSeats are held {{holds.minutes}} minutes; {{household.minutes}} is something else.\n"
    )

    rename_file(acme, "storylines/holds.yaml", "storylines/stuck.yaml", anyway=True)

    assert "{{stuck.minutes}} minutes; {{household.minutes}}" in other.read_text()


def test_a_script_that_moves_still_finds_the_files_that_it_names(acme: KnownWorld) -> None:
    task = acme.folder / "tasks/release-the-seats"
    fixed = next(path for path in (task / "fixed").rglob("*") if path.is_file())
    script = task / "lazy/mine.yaml"
    script.write_text(f"- github_put_file: {{repo: x, path: y, content: {{file: ../fixed/{fixed.name}}}}}\n")

    rename_file(acme, "tasks/release-the-seats/lazy/mine.yaml", "tasks/release-the-seats/mine.yaml", anyway=True)

    assert f"file: fixed/{fixed.name}" in (task / "mine.yaml").read_text()


def test_what_names_a_file_is_shown_before_it_goes_into_the_trash(acme: KnownWorld) -> None:
    file = "documents/why-is-a-seat-grey.md"
    before = _files(acme)
    uses = uses_of_file(acme, file)
    assert [(use.file, "why-is-a-seat-grey.md" in use.text) for use in uses] == [("storylines/holds.yaml", True)]

    refused = delete_file(acme, file)
    assert not refused.is_written
    assert refused.problems
    assert _files(acme) == before

    assert delete_file(acme, file, anyway=True).is_written
    assert not (acme.folder / file).exists()
    assert [path.read_bytes() for path in trash_folder().rglob("why-is-a-seat-grey.md")] == [before[file]]
    undo(acme)
    assert _files(acme) == before


def test_a_task_goes_with_its_folder_and_leaves_nothing_to_be_read(acme: KnownWorld) -> None:
    edited = delete_file(acme, "tasks/mend-the-help-page", anyway=True)

    assert edited.is_written
    assert not (acme.folder / "tasks/mend-the-help-page").exists()
    assert not [one for one in edited.problems if "mend-the-help-page/task.yaml" in one.file]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("people.yaml", "customers.yaml"),
        ("people.yaml", "../people.yaml"),
        ("people.yaml", "/tmp/people.yaml"),
        ("people.yaml", ".git/people.yaml"),
        ("../elsewhere.txt", "mine.txt"),
        ("nowhere.yaml", "mine.yaml"),
        ("world.yaml", "worlds.yaml"),
        ("tasks/find-the-change", "tasks/release-the-seats"),
    ],
)
def test_nothing_is_moved_over_something_else_or_out_of_the_world(
    acme: KnownWorld, tmp_path: Path, old: str, new: str
) -> None:
    (tmp_path / "elsewhere.txt").write_text("theirs")
    before = _files(acme)

    with pytest.raises(EditRefused):
        rename_file(acme, old, new, anyway=True)

    assert _files(acme) == before
    assert (tmp_path / "elsewhere.txt").read_text() == "theirs"


def test_a_file_that_changed_since_it_was_read_is_not_deleted(acme: KnownWorld, post: Post) -> None:
    path = "documents/runbook-boxoffice.md"
    read = post("/api/author/acme/text", method="GET", query=f"file={path}")[1]
    (acme.folder / path).write_text("theirs")

    status, said = post("/api/author/acme/delete-file", {"path": path, "base": read["hash"], "anyway": True})

    assert status == 409
    assert said["text"] == "theirs"
    assert (acme.folder / path).read_text() == "theirs"
    assert post("/api/author/acme/delete-file", {"path": path}, x_studio_token="guess")[0] == 403
