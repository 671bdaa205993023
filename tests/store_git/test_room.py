"""A few objects can unfold to more than a disk holds; that is seen without unfolding them."""

import pytest

from brownout.store.git import BadName, File, TooLarge
from brownout.store.git.checkout_size import check_room
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.trees import write_changes
from brownout.store.git.value_types import FOLDER, REGULAR


def blob(draft: DraftObjects, size: int) -> bytes:
    return draft.write("blob", b"x" * size).encode()


def test_ordinary_files_have_room() -> None:
    draft = DraftObjects(None, "x")
    tree = write_changes(draft, None, {"a/b/c.py": b"1\n", "d.md": b"2\n", "run": File(b"#!", 0o100755)})

    check_room(draft, [tree])


def test_one_large_file_under_many_names_has_none() -> None:
    draft = DraftObjects(None, "x")
    large = blob(draft, 1 << 20)
    tree = draft.write_tree({f"f{number:03}".encode(): (REGULAR, large) for number in range(65)})

    with pytest.raises(TooLarge, match="68157440 bytes"):
        check_room(draft, [tree])


def test_folders_that_name_each_other_have_none() -> None:
    draft = DraftObjects(None, "x")
    tree = draft.write_tree({b"f": (REGULAR, blob(draft, 0))})
    for _ in range(12):
        tree = draft.write_tree({bytes([97 + name]): (FOLDER, tree.encode()) for name in range(10)})

    with pytest.raises(TooLarge, match="too many files"):
        check_room(draft, [tree])


def test_folders_that_are_too_deep_have_none() -> None:
    draft = DraftObjects(None, "x")
    tree = draft.write_tree({b"f": (REGULAR, blob(draft, 0))})
    for _ in range(101):
        tree = draft.write_tree({b"d": (FOLDER, tree.encode())})

    with pytest.raises(TooLarge, match="folders too deep"):
        check_room(draft, [tree])


@pytest.mark.parametrize("path", ["n" * 256, "é" * 128, "/".join(["folder"] * 200)])
def test_names_that_no_file_system_takes_have_none(path: str) -> None:
    draft = DraftObjects(None, "x")

    with pytest.raises((TooLarge, BadName)):
        check_room(draft, [write_changes(draft, None, {path: b""})])
