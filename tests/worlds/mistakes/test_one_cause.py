"""What is wrong once is said once: the cause, where it stands, and nothing that is wrong because of it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from generators.world_check import draft_mistakes, mistakes_in
from tests.worlds.mistakes.table import HOLDS, HOURS, OUTAGES, PEOPLE, SLIPS, TASK, WORLD, Slip, drop, swap
from worlds.spec import read_draft
from worlds.spec.yaml_loading import BrokenText, load_yaml

Copied = Callable[[str], Path]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
def test_a_mistake_has_one_message(copied: Copied, slip: Slip) -> None:
    folder = copied(slip.world)
    slip.edit(folder)

    found = [str(mistake) for mistake in mistakes_in(folder)]

    assert len(found) == 1, found
    assert found[0].startswith(f"{slip.where(folder)}: "), found
    assert slip.says in found[0]


def test_the_table_is_long_and_its_names_are_different() -> None:
    assert len({slip.name for slip in SLIPS}) == len(SLIPS) > 100


@pytest.mark.parametrize("world", ["starter", "tiny"])
def test_a_valid_world_has_no_mistakes(copied: Copied, world: str) -> None:
    assert mistakes_in(copied(world)) == []


def test_two_mistakes_are_two_messages(copied: Copied) -> None:
    """What cannot be read excuses the names that stand in it, and nothing else."""
    folder = copied("starter")
    swap(HOURS, "  later: {", "\tlater: {")(folder)
    swap(OUTAGES, "mode: down", "mode: dwon")(folder)
    swap(TASK, "facts: [open-8]", "facts: [open-99]")(folder)
    swap(PEOPLE, "voice: warm", "voice: wram")(folder)

    found = [f"{mistake.file}:{mistake.line}" for mistake in mistakes_in(folder)]

    assert found == [f"{OUTAGES}:1", f"{PEOPLE}:1", f"{HOURS}:5", f"{TASK}:18"]


def test_two_misspelt_words_in_one_place_are_two_messages(copied: Copied) -> None:
    folder = copied("starter")
    swap(PEOPLE, "role: owner, reads", "rol: owner, raeds")(folder)

    found = [mistake.message for mistake in mistakes_in(folder)]

    assert found == [
        "ana.rol: unknown word; did you mean 'role'?",
        "ana.raeds: unknown word; did you mean 'reads'?",
    ]


def test_what_is_below_a_misspelt_word_is_checked_all_the_same(copied: Copied) -> None:
    folder = copied("starter")
    swap(HOURS, "beats:", "beets:")(folder)
    swap(HOURS, "who: ben", "who: bne")(folder)

    found = [f"{mistake.file}:{mistake.line}" for mistake in mistakes_in(folder)]

    assert found == [f"{HOURS}:4", f"{HOURS}:6"]


def test_a_misspelt_name_in_many_places_is_one_message_with_them(copied: Copied) -> None:
    folder = copied("starter")
    text = (folder / "tasks/opening/task.yaml").read_text().replace("jira:complaint", "jira:complant", 2)
    (folder / TASK).write_text(text)

    [found] = mistakes_in(folder)

    assert (found.file, found.line) == (TASK, 14)
    assert "did you mean 'complaint'?; likewise in tasks/opening/task.yaml:19" in found.message


def test_a_name_that_is_another_in_numbers_only_is_not_taken_for_a_slip(copied: Copied) -> None:
    folder = copied("starter")
    text = (folder / TASK).read_text().replace("[open-8]", "[open-9]")
    (folder / TASK).write_text(text)

    [found] = mistakes_in(folder)

    assert found.message.startswith("rubric.points.page: holds: there is no fact 'open-9'")


def test_a_missing_file_and_a_slip_are_two(copied: Copied) -> None:
    folder = copied("tiny")
    drop("customers.yaml")(folder)
    swap(HOLDS, "project: BOX", "project: BXO")(folder)
    swap(WORLD, "flagship: find-the-change", "flagship: find-a-change")(folder)

    found = [f"{mistake.file}:{mistake.line}" for mistake in mistakes_in(folder)]

    lines = (folder / HOLDS).read_text().splitlines()
    [ticket] = [number for number, line in enumerate(lines, 1) if "project: BXO" in line]
    assert found == ["customers.yaml:0", f"{HOLDS}:{ticket}", f"{WORLD}:8"]


@pytest.mark.parametrize("world", ["starter", "tiny"])
def test_a_file_that_cannot_be_read_is_the_only_mistake(copied: Copied, world: str) -> None:
    """Also where a storyline has words of an app that world.yaml names, and where names stand in it only in part."""
    folder = copied(world)
    files = [path.relative_to(folder).as_posix() for path in folder.rglob("*.yaml") if "repos" not in path.parts]
    for file in files:
        texts = {file: (folder / file).read_bytes() + b"\n  x: [\n:: {"}
        found = [str(mistake) for mistake in draft_mistakes(read_draft(folder, texts=texts))]
        assert len(found) == 1, found
        assert found[0].startswith(f"{file}:"), found


def test_words_of_an_app_are_known_though_the_app_cannot_be_read(copied: Copied) -> None:
    folder = copied("tiny")
    with (folder / "storylines/house.yaml").open("a") as file:
        file.write("accounts: {}\nmeetings: {}\n")
    (folder / "world.yaml").write_text((folder / "world.yaml").read_text().replace("apps:", "apps: ["))

    [found] = mistakes_in(folder)

    assert found.file == "world.yaml"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb [x]\nc: 2\n", 2),
        ("a:\n  b: 1\n  # c\n  d [x]\n  e: 2\n", 4),
        ("a:\n  b:x [1]\n    c:\n", 2),
        ("a: 1\nb: c: d\n", 2),
    ],
)
def test_broken_yaml_is_said_of_the_line_that_has_the_fault(text: str, line: int) -> None:
    with pytest.raises(BrokenText) as broken:
        load_yaml(text.encode())

    assert broken.value.line == line


def test_all_that_is_wrong_in_one_entry_is_told_at_once(copied: Copied) -> None:
    folder = copied("tiny")
    entry = "y: {on: nope, from: 2026-02-30 10:00, for: -5m, mode: errors, share: 400%}\nrds-evening: {"
    swap(OUTAGES, "rds-evening: {", entry)(folder)

    found = [mistake.message.partition(":")[0] for mistake in mistakes_in(folder)]

    assert sorted(found) == ["y.for", "y.from", "y.on", "y.share"]


def test_an_unknown_mode_is_told_with_those_that_there_are(copied: Copied) -> None:
    folder = copied("starter")
    swap(OUTAGES, "mode: down", "mode: exploded")(folder)

    [mistake] = mistakes_in(folder)

    assert (
        "there is no fault mode 'exploded'; there are: auth_expired, delayed_delivery, down, errors" in mistake.message
    )


def test_what_is_left_out_hides_nothing_beside_it(copied: Copied) -> None:
    folder = copied("starter")
    swap(PEOPLE, "ana: {name: Ana Reis, role: owner, reads: [slack]", "ana: {name: Ana Reis, reads: [slak]")(folder)

    found = [mistake.message for mistake in mistakes_in(folder)]

    assert found == [
        "ana.role: expected this, found nothing",
        "ana.reads: there is no app 'slak'; did you mean 'slack'?",
    ]
