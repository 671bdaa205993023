from dataclasses import replace
from pathlib import Path
from time import perf_counter

import pytest

from brownout.core.errors import BuildError, PackageError
from brownout.store.git import BaseRepository, NewCommit, create_repository
from tests.store_git.sample import build, git, history, lines, signed


def test_the_same_history_gives_the_same_ids_and_a_clean_repository(tmp_path: Path) -> None:
    one, other = build(tmp_path / "one.git"), build(tmp_path / "other.git")
    assert (one.refs, one.commits) == (other.refs, other.commits)
    assert git(one.path, "fsck", "--strict", "--full") == b""
    told = dict(line.split(" ")[::-1] for line in git(one.path, "show-ref").decode().splitlines())
    assert {"HEAD": "ref: refs/heads/main", **told} == one.refs
    assert git(one.path, "cat-file", "tag", "v1.0").decode().endswith("\n\nFirst release\n")
    assert len(git(one.path, "rev-list", "--all", "--objects").splitlines()) == len(BaseRepository(one.path))


def test_a_merge_is_made_for_a_commit_with_two_parents(tmp_path: Path) -> None:
    merge = NewCommit("Merge feature\n", signed(9), parents=("main", "feature"))
    made = create_repository(tmp_path / "a.git", [*history(), merge], gone=frozenset({"feature"}))
    assert "refs/heads/feature" not in made.refs
    assert git(made.path, "show", "main:src/new.py") == lines(1, 2, 3)
    assert git(made.path, "rev-parse", "main^2").decode().strip() == made.commits[5]


def test_what_no_ref_reaches_is_not_in_the_package(tmp_path: Path) -> None:
    made = create_repository(tmp_path / "a.git", history(), gone=frozenset({"feature"}))
    assert not BaseRepository(made.path).has(made.commits[5])
    kept = create_repository(tmp_path / "b.git", history(), gone=frozenset({"feature"}), refs={"refs/pull/1/head": 5})
    assert kept.refs["refs/pull/1/head"] == made.commits[5]
    assert BaseRepository(kept.path).has(made.commits[5])


def test_mistakes_name_the_commit(tmp_path: Path) -> None:
    begin = history()[0]
    clash = [begin, replace(begin, branch="b", parents=("main",), changes={"README.md": b"b"}),
             replace(begin, changes={"README.md": b"a"}), NewCommit("Join", signed(3), parents=("main", "b"))]  # fmt: skip
    for commits, told in (
        ([begin, NewCommit("Second", signed(1), changes={"x": None})], "commit 2 of a.git ('Second')"),
        ([replace(begin, parents=("nowhere",))], "branches so far: none"),
        (clash, "conflict in README.md"),
        (
            [replace(begin, patch="diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")],
            "x: there is no such file",
        ),
        ([replace(begin, branch="bad name")], "bad name"),
    ):
        with pytest.raises(BuildError, match=told.replace("(", r"\(").replace(")", r"\)")):
            create_repository(tmp_path / "a.git", commits)
        assert not (tmp_path / "a.git").exists()
    (tmp_path / "a.git").mkdir()
    with pytest.raises(BuildError, match="already"):
        create_repository(tmp_path / "a.git", [begin])
    with pytest.raises(PackageError):
        BaseRepository(tmp_path / "nothing.git")


def test_forty_commits_take_well_under_a_second(tmp_path: Path) -> None:
    files = {f"d{n % 9}/f{n}.py": lines(*range(60)) for n in range(120)}
    commits = [NewCommit("Begin", signed(0), changes=files)]
    for number in range(40):
        path = f"d{number % 9}/f{number}.py"
        patch = (f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n"
                 f"@@ -29,3 +29,3 @@\n line 28\n-line 29\n+number {number}\n line 30\n")  # fmt: skip
        commits.append(NewCommit(f"Commit {number}", signed(number + 1), patch=patch))
    began = perf_counter()
    create_repository(tmp_path / "a.git", commits)
    assert perf_counter() - began < 1
