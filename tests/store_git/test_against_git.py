"""Whatever the session says of a history, the real git says of its mirror."""

import re
from pathlib import Path
from random import Random

import pytest

from brownout.store import StoreSession
from brownout.store.git import BaseRepository, FileDiff, Repository, mirror
from tests.store_git.histories import begin, grow, tangle
from tests.store_git.sample import NAME, git, signed

MERGES = 40
STATUSES = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "T": "modified"}


SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.fuzz) for seed in range(4, 40))]


@pytest.fixture(params=SEEDS)
def tangled(request: pytest.FixtureRequest, repository: Repository, tmp_path: Path) -> tuple[Repository, Path, Random]:
    draw = Random(request.param)
    tangle(draw, repository, 40)
    return repository, mirror(repository, tmp_path / "mirror"), draw


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.fuzz) for seed in range(2, 12))])
def test_merges_give_the_tree_or_the_conflicts_that_git_gives(
    session: StoreSession, base: BaseRepository, tmp_path: Path, seed: int
) -> None:
    draw, renames = Random(seed), seed % 2 == 1
    repository = Repository(session.rows, NAME, base)
    for number in range(MERGES):
        begin(draw, repository, f"{number}/ours", 6, 60)
        repository.set_ref(f"refs/heads/{number}/theirs", repository.resolve(f"{number}/ours"), None)
        for hour in range(1, 3):
            for side in ("ours", "theirs"):
                grow(draw, repository, f"{number}/{side}", hour, renames)
    folder = mirror(repository, tmp_path)
    outcomes = {True: 0, False: 0}
    for number in range(MERGES):
        sides = (f"{number}/ours", f"{number}/theirs")
        told = (
            git(
                folder,
                "-c",
                "merge.directoryRenames=false",
                "merge-tree",
                "--write-tree",
                "--name-only",
                "--no-messages",
                *sides,
                check=False,
            )
            .decode()
            .splitlines()
        )
        found = repository.merge_check(*sides)
        outcomes[found.is_clean] += 1
        assert found.is_clean == (len(told) == 1), (number, found, told)
        if found.is_clean:
            assert found.tree == told[0], number
        elif not renames:
            assert list(found.conflicts) == sorted(told[1:]), number
    assert min(outcomes.values()) > MERGES // 10, "the draw is one-sided, the test says little"


def test_the_log_is_that_of_git(tangled: tuple[Repository, Path, Random]) -> None:
    repository, folder, _ = tangled
    for branch in repository.refs.branches():
        assert [commit.sha for commit in repository.log(branch, limit=999)] == shas(folder, branch)
        for path in ["d0", "d1/f1.txt", "m0", *list(repository.files(branch))[:6]]:
            assert [commit.sha for commit in repository.log(branch, path, limit=999)] == shas(
                folder, branch, "--", path
            ), path
    assert [commit.sha for commit in repository.log("b0", limit=3, skip=2)] == shas(folder, "b0")[2:5]


def test_histories_relate_as_git_says(tangled: tuple[Repository, Path, Random]) -> None:
    repository, folder, _ = tangled
    branches = list(repository.refs.branches())
    for base in branches:
        for head in branches:
            found = repository.compare(base, head)
            told = git(folder, "rev-list", "--left-right", "--count", f"{base}...{head}").decode().split()
            assert [found.behind, found.ahead] == [int(count) for count in told]
            bases = git(folder, "merge-base", "--all", base, head, check=False).decode().split()
            assert (found.merge_base in bases) if bases else found.merge_base is None
            assert {commit.sha for commit in found.commits} == set(shas(folder, f"{base}..{head}"))


def test_differences_are_those_of_git(tangled: tuple[Repository, Path, Random]) -> None:
    repository, folder, _ = tangled
    commits = repository.log("b0", limit=20)
    for new, old in zip(commits, commits[3:], strict=False):
        told = git(folder, "diff", "-M", "--no-ext-diff", old.sha, new.sha).decode()
        found = repository.diff(old.sha, new.sha)
        assert repository.patch(old.sha, new.sha) == short(told, repository.patch(old.sha, new.sha))
        told_files = git(folder, "diff", "-M", "--raw", "--no-abbrev", "--numstat", "-z", old.sha, new.sha).decode()
        assert sorted(summary(file) for file in found) == sorted(summaries(told_files))


def test_exact_moves_are_found(tangled: tuple[Repository, Path, Random]) -> None:
    repository, _, _ = tangled
    paths = list(repository.files("b0"))[:2]
    archive = repository.archive("b0")
    repository.commit_files("b0", {paths[0]: None, "moved/here.txt": archive[paths[0]]}, "Move", signed(99))
    (found,) = repository.diff_commit("b0")
    assert (found.status, found.old_path, found.path, found.patch) == ("renamed", paths[0], "moved/here.txt", "")


def test_blame_is_that_of_git(tangled: tuple[Repository, Path, Random]) -> None:
    repository, folder, _ = tangled
    for path, entry in list(repository.files("b0").items())[:8]:
        told = git(folder, "blame", "--porcelain", "b0", "--", path).decode()
        lines = [line.split()[0] for line in re.findall(r"^[0-9a-f]{40} \d+ \d+.*$", told, re.M)]
        found = [span.commit.sha for span in repository.blame("b0", path) for _ in range(span.start, span.end + 1)]
        assert len(found) == len(lines), entry
        assert found == lines, path


def shas(folder: Path, *arguments: str) -> list[str]:
    return git(folder, "log", "--format=%H", *arguments).decode().split()


def short(told: str, found: str) -> str:
    """git's patch with ids abbreviated as in ours."""
    width = re.search(r"^index ([0-9a-f]+)\.\.", found, re.M)
    return re.sub(
        r"^index ([0-9a-f]+)\.\.([0-9a-f]+)",
        lambda ids: f"index {ids[1][: len(width[1])]}..{ids[2][: len(width[1])]}" if width else ids[0],
        told,
        flags=re.M,
    )


def summary(file: FileDiff) -> tuple[str, str, str, int, int]:
    return (file.old_path, file.path, file.status, file.additions, file.deletions)


def summaries(told: str) -> list[tuple[str, str, str, int, int]]:
    """From `git diff --raw --numstat -z`."""
    fields = told.split("\0")[:-1]
    files: list[tuple[str, str, str]] = []
    while fields and fields[0].startswith(":"):
        status = fields.pop(0).split()[-1]
        old = fields.pop(0)
        new = fields.pop(0) if status[0] in "RC" else old
        files.append((old, new, STATUSES[status[0]]))
    counts: list[tuple[int, int]] = []
    while fields:
        added, deleted, path = fields.pop(0).split("\t")
        counts.append((int(added), int(deleted)))
        if not path:
            del fields[:2]
    return [(*file, *count) for file, count in zip(files, counts, strict=True)]
