"""git's index without the status that it caches."""

import subprocess
from hashlib import sha1
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store_git.sample import git
from tools.terminal.git_index import is_index, new_index, settled

NAMES = st.binary(min_size=1, max_size=40).filter(lambda name: b"\0" not in name)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "a b").mkdir()
    for name in ("x", "é", "a b/c", "a b/" + "n" * 200, "run.sh"):
        (tmp_path / name).write_text(name)
    (tmp_path / "run.sh").chmod(0o755)
    (tmp_path / "link").symlink_to("x")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    return tmp_path


def test_a_new_index_is_the_one_git_would_write(work: Path) -> None:
    place = work / ".git" / "index"
    files = []
    for line in git(work, "ls-files", "-sz").split(b"\0")[:-1]:
        head, _, path = line.partition(b"\t")
        mode, sha, _ = head.split()
        files.append((path, int(mode, 8), sha.decode()))
    place.unlink()
    git(work, "read-tree", "HEAD")
    made = new_index(files)
    assert settled(place.read_bytes())[: len(made) - 20] == made[:-20]  # git appends the ids of folders
    place.write_bytes(made)
    assert git(work, "status", "--porcelain") == b""
    assert git(work, "fsck", "--strict") == b""


@pytest.mark.parametrize("version", ["2", "3"])
def test_a_settled_index_knows_the_same_and_no_more(work: Path, version: str) -> None:
    place = work / ".git" / "index"
    if version == "3":
        (work / "later").write_text("later")
        git(work, "add", "--intent-to-add", "later")
    assert place.read_bytes()[4:8] == int(version).to_bytes(4, "big")
    (work / "x").write_text("changed")
    before = git(work, "ls-files", "-s"), git(work, "status", "--porcelain"), git(work, "diff")
    one = settled(place.read_bytes())
    assert settled(one) == one
    place.write_bytes(one)
    assert (git(work, "ls-files", "-s"), git(work, "status", "--porcelain"), git(work, "diff")) == before
    subprocess.run(["touch", "-d", "2001-01-01", "x", "é"], cwd=work, check=True)
    git(work, "status")
    assert settled(place.read_bytes()) == one


def test_what_is_no_index_stays_as_it_is(work: Path) -> None:
    whole = (work / ".git" / "index").read_bytes()
    for data in (b"", b"DIRC", b"TREE" + whole[4:], whole[:4] + (4).to_bytes(4, "big") + whole[8:], whole[:90]):
        assert settled(data) == data


@given(st.binary(max_size=400), st.integers(0, 2**32 - 1))
def test_nothing_an_index_says_does_harm(data: bytes, count: int) -> None:
    found = b"DIRC" + (2).to_bytes(4, "big") + count.to_bytes(4, "big") + data
    assert len(settled(found)) == len(found)


@given(st.lists(NAMES, max_size=20, unique=True))
def test_an_index_of_any_names_is_settled_already(names: list[bytes]) -> None:
    made = new_index((name, 0o100644, "ab" * 20) for name in names)
    assert settled(made) == made
    assert made[-20:] == sha1(made[:-20]).digest()


def test_indexes_are_known_by_their_place() -> None:
    assert is_index(b"home/wren/boxoffice/.git/index")
    assert is_index(b"home/wren/boxoffice/.git/modules/x/index")
    assert not is_index(b"home/wren/boxoffice/index")
