from pathlib import Path

import pytest

from brownout.store import StoreSession
from brownout.store.git import MergeConflict, MergeMethod, NothingToMerge, Repository, UnknownRevision, mirror
from tests.store_git.sample import git, lines, signed

ME = signed(50, 1)


def test_a_merge_has_two_parents_even_where_the_branch_could_move_forward(repository: Repository) -> None:
    old, head = repository.resolve("main"), repository.resolve("feature")
    made = repository.merge("main", "feature", "merge", "Merge\n", ME)
    assert made.parents == (old, head)
    assert repository.read_file("main", "src/new.py") == lines(1, 2, 3)
    repository.set_ref("refs/heads/next", made.sha, None)
    tip = repository.commit_files("next", {"x": b"1"}, "Next", signed(51))
    assert repository.merge("main", "next", "merge", "Again", ME).parents == (made.sha, tip.sha)


def test_a_squash_is_one_commit_by_its_author(repository: Repository) -> None:
    old = repository.resolve("main")
    made = repository.merge("main", "feature", "squash", "All of it (#7)\n", ME, author=signed(49))
    assert (made.parents, made.author, made.committer) == ((old,), signed(49), ME)
    assert repository.contains("main", old)
    assert not repository.contains("main", "feature")


def test_a_rebase_gives_the_tree_and_the_commits_that_git_gives(repository: Repository, tmp_path: Path) -> None:
    repository.commit_files("feature", {"src/app.py": lines(0, *range(1, 31))}, "Above", signed(8))
    repository.commit_files("main", {"same": b"1\n"}, "Same on both", signed(9))
    repository.commit_files("feature", {"same": b"1\n"}, "Same on both", signed(10))
    git(tmp_path, "clone", "-q", "-b", "feature", str(mirror(repository, tmp_path / "mirror")), "work")
    git(tmp_path / "work", "rebase", "-q", "origin/main")
    made = repository.merge("main", "feature", "rebase", "ignored", ME)
    told = git(tmp_path / "work", "log", "--format=%T %an %at %s", "-4").decode().splitlines()
    found = repository.log("main", limit=4)
    assert [f"{c.tree} {c.author.name} {c.author.seconds} {c.subject}" for c in found] == told
    assert made == found[0]
    assert [commit.committer == ME for commit in found] == [True, True, True, False]


@pytest.mark.parametrize("method", ["merge", "squash", "rebase"])
def test_a_conflict_names_the_files_and_leaves_nothing(
    repository: Repository, session: StoreSession, method: MergeMethod
) -> None:
    repository.commit_files("feature", {"src/app.py": b"other\n", "z": b"1\n"}, "Clash", signed(7))
    before = session.digest()
    found = repository.merge_check("main", "feature")
    assert (found.is_clean, found.conflicts) == (False, ("src/app.py",))
    with pytest.raises(MergeConflict) as caught:
        repository.merge("main", "feature", method, "No", ME)
    assert caught.value.paths == ("src/app.py",)
    assert session.digest() == before


def test_a_check_writes_nothing(repository: Repository, session: StoreSession) -> None:
    assert repository.merge_check("main", "feature").is_clean
    assert session.diff() == []


def test_what_is_merged_already_is_not_merged_again(repository: Repository) -> None:
    repository.merge("main", "feature", "merge", "Once", ME)
    for method in ("merge", "squash", "rebase"):
        with pytest.raises(NothingToMerge):
            repository.merge("main", "feature", method, "Twice", ME)
    with pytest.raises(UnknownRevision):
        repository.merge("nowhere", "feature", "merge", "No", ME)


def test_histories_without_a_common_commit_are_joined(repository: Repository) -> None:
    repository.commit_files("island", {"island": b"1\n"}, "Island", signed(1))
    assert repository.compare("main", "island").merge_base is None
    repository.merge("main", "island", "merge", "Join", ME)
    assert {"island", "README.md"} <= repository.files("main").keys()


def test_sides_that_changed_other_files_are_joined_as_git_joins_them(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.set_ref("refs/heads/side", repository.resolve("main"), None)
    repository.commit_files("main", {"src/app.py": b"ours\n", "docs/notes.md": b"ours\n"}, "Ours", signed(60))
    repository.commit_files("side", {"run.sh": b"theirs\n"}, "Theirs", signed(61))
    repository.commit_files("side", {"README.md": b"theirs\n", "docs/notes.md": b"ours\n"}, "Both alike", signed(62))
    told = git(mirror(repository, tmp_path / "mirror"), "merge-tree", "--write-tree", "main", "side").decode().strip()
    monkeypatch.setattr("brownout.store.git.merges.open_library", None)  # nothing is left for it to judge
    assert repository.merge_check("main", "side").tree == told


def test_a_revert_undoes_one_commit_or_what_a_merge_brought_in(repository: Repository) -> None:
    before = repository.tree_at("main")
    repository.merge("main", "feature", "merge", "Merge", ME)
    repository.commit_files("main", {"later": b"1\n"}, "Later", signed(51))
    repository.revert("main", "main~1", "Revert merge\n", signed(52))
    repository.revert("main", "main~1", "Revert later\n", signed(53))
    assert repository.tree_at("main") == before
    with pytest.raises(NothingToMerge):
        repository.revert("main", "main~2", "Once more", signed(54))
    repository.commit_files("main", {"src/app.py": b"all new\n"}, "Clash", signed(55))
    with pytest.raises(MergeConflict):
        repository.revert("main", "v0", "No", signed(56))
