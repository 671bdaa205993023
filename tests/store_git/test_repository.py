import pytest

from brownout.store import Pool, StoreSession
from brownout.store.git import (
    BadName,
    BadObject,
    BaseRepository,
    Built,
    File,
    GitError,
    MissingObject,
    RefMoved,
    Repository,
    TreeEntry,
    UnknownPath,
    UnknownRevision,
)
from tests.store_git.sample import NAME, git, lines, signed


def test_what_the_package_has_is_read_from_it(repository: Repository) -> None:
    assert repository.read_file("main", "README.md") == b"# Shop\n"
    assert repository.read_file("v1.0", "docs/old.md") == lines(*"xyz")
    assert list(repository.list_tree("main")) == ["README.md", "docs", "run.sh", "src"]
    assert list(repository.list_tree("feature", "src")) == ["app.py", "new.py"]
    assert [commit.subject for commit in repository.log("main")] == ["Tail", "More", "Fix line 3", "Add notes", "Begin"]
    assert repository.log("feature", limit=1)[0].author == signed(5, 1)


def test_a_new_commit_is_rows_and_moves_its_branch(repository: Repository, session: StoreSession) -> None:
    tip = repository.refs.get("refs/heads/main")
    made = repository.commit_files("main", {"src/app.py": b"new\n", "docs/notes.md": None}, "Change", signed(9))
    assert made.parents == (tip,)
    assert repository.read_file("main", "src/app.py") == b"new\n"
    assert "docs" not in repository.list_tree("main"), "an empty folder stayed"
    changed = {change.table for change in session.diff()}
    assert changed == {"engine_git_object", "engine_git_ref"}
    assert len(repository.log("main", limit=100)) == 6


def test_only_the_move_of_the_ref_is_an_effect(repository: Repository, session: StoreSession) -> None:
    made = repository.commit_files("main", {"a": b"1"}, "Change", signed(9))
    (effect,) = session.rows.take_effects()
    assert (effect.table, effect.kind) == ("engine_git_ref", "update")
    assert effect.after is not None
    assert (effect.after["name"], effect.after["target"]) == ("refs/heads/main", made.sha)


def test_an_object_of_the_package_is_never_written(repository: Repository, session: StoreSession) -> None:
    repository.write_blob(b"# Shop\n")
    assert repository.write_tree({}, repository.tree_at("main")) == repository.tree_at("main")
    assert session.diff() == []


def test_the_same_edits_give_the_same_ids(pool: Pool, base: BaseRepository) -> None:
    twins = [Repository(pool.open().rows, NAME, base) for _ in range(2)]
    made = [one.commit_files("main", {"x/y": b"1\n"}, "Same", signed(9)) for one in twins]
    assert made[0] == made[1]


def test_ids_are_those_of_git(repository: Repository, built: Built) -> None:
    blob = repository.write_blob(b"hello\n")
    assert blob == git(built.path, "hash-object", "--stdin", stdin=b"hello\n").decode().strip()
    commit = repository.commit_at("feature~1")
    assert git(built.path, "cat-file", "commit", commit.sha).decode().endswith("\n\nÜnïcode\n")
    assert git(built.path, "show", "-s", "--format=%an|%ae|%at|%ai", commit.sha).decode().strip() == (
        f"Jonas Reuter|jonas@acme.test|{signed(3).seconds}|2026-02-02 00:10:00 -0530"
    )


def test_bytes_keep_the_mode_of_the_file_they_replace(repository: Repository) -> None:
    repository.commit_files("main", {"run.sh": File(b"#!/bin/sh\ntrue\n", 0o100755)}, "Run", signed(9))
    repository.commit_files("main", {"run.sh": b"#!/bin/sh\nfalse\n"}, "Run", signed(10))
    assert repository.entry("main", "run.sh").mode == 0o100755
    assert repository.archive("main")["run.sh"] == File(b"#!/bin/sh\nfalse\n", 0o100755)


def test_a_file_may_give_way_to_a_folder_of_its_name(repository: Repository) -> None:
    repository.commit_files("main", {"README.md": None, "README.md/part": b"1"}, "Split", signed(9))
    assert repository.read_file("main", "README.md/part") == b"1"
    repository.commit_files("main", {"README.md": b"back"}, "Join", signed(10))
    assert repository.read_file("main", "README.md") == b"back"


@pytest.mark.parametrize("path", ["", "/abs", "a//b", "../up", "a/./b", ".git/config", "a/.GIT/x", "nul\0"])
def test_a_path_that_no_checkout_should_hold_is_refused(repository: Repository, path: str) -> None:
    with pytest.raises(BadName):
        repository.commit_files("main", {path: b"1"}, "No", signed(9))


def test_changes_that_do_not_fit_the_tree_are_refused(repository: Repository, session: StoreSession) -> None:
    with pytest.raises(UnknownPath, match="to delete"):
        repository.commit_files("main", {"nothing": None}, "No", signed(9))
    with pytest.raises(UnknownPath, match="is a file"):
        repository.commit_files("main", {"README.md/x": b"1"}, "No", signed(9))
    with pytest.raises(MissingObject):
        repository.write_tree({"x": TreeEntry(0o100644, "0" * 40)})
    with pytest.raises(BadObject):
        repository.write_tree({"x": TreeEntry(0o040000, repository.entry("main", "README.md").sha)})
    with pytest.raises(BadName):
        repository.write_tag("two\nlines", "main", signed(9), "No")
    with pytest.raises(UnknownPath):
        repository.read_file("main", "docs")
    with pytest.raises(UnknownPath):
        repository.list_tree("main", "README.md")
    assert session.diff() == []


def test_a_ref_moves_only_from_where_it_was_last_seen(repository: Repository) -> None:
    old, new = repository.resolve("main~1"), repository.resolve("feature")
    tip = repository.resolve("main")
    with pytest.raises(RefMoved) as caught:
        repository.set_ref("refs/heads/main", new, old)
    assert (caught.value.expected, caught.value.found) == (old, tip)
    with pytest.raises(RefMoved):
        repository.set_ref("refs/heads/main", new, None)
    repository.set_ref("refs/heads/main", new, tip)
    with pytest.raises(RefMoved):
        repository.delete_ref("refs/heads/main", tip)
    repository.delete_ref("refs/heads/main", new)
    assert repository.refs.get("refs/heads/main") is None
    with pytest.raises(UnknownRevision):
        repository.resolve("HEAD")


@pytest.mark.parametrize("name", ["main", "refs/heads/a b", "refs/heads/a..b", "refs/heads/x.lock", "refs/heads/-x",
                                  "refs/heads/main/sub", "refs/heads", "refs/heads/"])  # fmt: skip
def test_a_ref_that_git_would_not_take_is_refused(repository: Repository, name: str) -> None:
    with pytest.raises(BadName):
        repository.set_ref(name, repository.resolve("main"), None)


def test_a_ref_to_a_missing_object_is_refused(repository: Repository) -> None:
    with pytest.raises(MissingObject):
        repository.set_ref("refs/heads/x", "1" * 40, None)


def test_revisions_mean_what_git_means(repository: Repository, built: Built) -> None:
    tip = repository.resolve("main")
    for spelled in ("main", "HEAD", "heads/main", "refs/heads/main", "main~2", "main^", "v1.0", "v1.0^{}", "v1.0^{tree}",
                    "v0", "feature~1^1", "main:src/app.py", "main:", tip, tip[:8], f"{tip[:6]}~3", "feature^0"):  # fmt: skip
        assert repository.resolve(spelled) == git(built.path, "rev-parse", spelled).decode().strip(), spelled
    for unknown in ("nothing", "main~99", "main^2", "main:nothing", "", "~", "main^{blob}", "main~x", "0000"):
        with pytest.raises(GitError):
            repository.resolve(unknown)


def test_tags_are_written_and_read(repository: Repository) -> None:
    made = repository.write_tag("v2", "main", signed(9), "Second\n")
    repository.set_ref("refs/tags/v2", made.sha, None)
    assert repository.commit_at("v2") == repository.commit_at("main")
    assert repository.tag(repository.refs.tags()["v2"]).message == "Second\n"
    assert repository.refs.tags().keys() == {"v0", "v1.0", "v2"}


def test_a_fork_does_not_leak_and_a_reset_removes_everything(
    pool: Pool, base: BaseRepository, session: StoreSession, repository: Repository
) -> None:
    clean = session.digest()
    repository.commit_files("main", {"a": b"both\n"}, "Both", signed(9))
    twin = session.fork()
    assert twin.digest() == session.digest()
    one = Repository(session.rows, NAME, base).commit_files("main", {"a": b"one\n"}, "One", signed(10))
    with pytest.raises(UnknownRevision):
        Repository(twin.rows, NAME, base).resolve(one.sha)
    assert Repository(twin.rows, NAME, base).read_file("main", "a") == b"both\n"
    session.reset()
    assert session.digest() == clean
    repository = Repository(session.rows, NAME, base)
    assert "a" not in repository.list_tree("main")
    assert not repository.objects.has(one.sha)
    for answer in (lambda: repository.diff("main", one.sha), lambda: repository.blame(one.sha, "a")):
        with pytest.raises(UnknownRevision):
            answer()


def test_code_is_found_whatever_its_case(repository: Repository) -> None:
    found = repository.search_code("main", "THREE")
    assert [(match.path, match.line, match.text) for match in found] == [("src/app.py", 3, "three")]
    assert len(repository.search_code("main", "line", limit=7)) == 7
    assert repository.search_code("main", "line", path="docs/notes.md")[0].path == "docs/notes.md"
    assert repository.search_code("main", "") == []


def test_histories_are_compared_as_github_does(repository: Repository) -> None:
    found = repository.compare("main", "feature")
    assert (found.ahead, found.behind) == (2, 2)
    assert found.merge_base == repository.resolve("v0")
    assert [commit.subject for commit in found.commits] == ["Ünïcode", "Grow"]
    assert [(file.path, file.status, file.additions) for file in found.files] == [("src/new.py", "added", 3)]
    assert found.files[0].patch == "@@ -0,0 +1,3 @@\n+line 1\n+line 2\n+line 3"
