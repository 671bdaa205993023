"""The real git against a session over HTTP."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from brownout.store import StoreSession
from brownout.store.git import BaseRepository, Repository
from tests.store_git.sample import git, signed
from tests.store_git.server import Server, serving


@pytest.fixture
def server(session: StoreSession, base: BaseRepository, tmp_path: Path) -> Server:
    return Server(session, base, tmp_path / "mirror")


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    with serving(server) as url:
        yield url


@pytest.fixture
def work(url: str, tmp_path: Path) -> Path:
    git(tmp_path, "clone", "-q", url, "work")
    return tmp_path / "work"


def commit(work: Path, path: str, text: str, message: str = "Work") -> str:
    (work / path).parent.mkdir(parents=True, exist_ok=True)
    (work / path).write_text(text)
    git(work, "add", "-A")
    git(work, "commit", "-qm", message)
    return git(work, "rev-parse", "HEAD").decode().strip()


def refused(work: Path, *arguments: str) -> str:
    """What git prints when the push is refused."""
    done = subprocess.run(["git", "push", *arguments], cwd=work, capture_output=True, check=False, text=True)
    assert done.returncode, done.stderr
    return done.stderr


def test_a_clone_is_whole_and_a_push_arrives(server: Server, work: Path, tmp_path: Path, url: str) -> None:
    assert git(work, "fsck", "--strict") == b""
    tip = commit(work, "src/app.py", "new\n")
    git(work, "push", "-q", "origin", "HEAD:main")
    assert server.repository.resolve("main") == tip
    assert server.repository.read_file("main", "src/app.py") == b"new\n"
    (update,) = server.pushes[-1].updates
    assert (update.name, update.new, update.is_fast_forward) == ("refs/heads/main", tip, True)
    git(tmp_path, "clone", "-q", url, "again")
    assert git(tmp_path / "again", "rev-parse", "HEAD").decode().strip() == tip


def test_branches_and_tags_come_and_go(server: Server, work: Path) -> None:
    tip = commit(work, "a/b.txt", "1\n")
    git(work, "tag", "-am", "Second", "v2.0")
    git(work, "push", "-q", "--follow-tags", "--atomic", "origin", "HEAD:refs/heads/topic", "v2.0")
    assert server.repository.refs.branches()["topic"] == tip
    assert server.repository.commit_at("v2.0").sha == tip
    git(work, "push", "-q", "origin", ":topic", ":v2.0")
    assert server.repository.refs.branches().keys() == {"main", "feature"}
    assert "v2.0" not in server.repository.refs.tags()


def test_five_hundred_files_and_a_large_body_arrive(server: Server, work: Path) -> None:
    for number in range(500):
        (work / f"f{number}.txt").write_text(f"{number}\n" * 20)
    (work / "big.bin").write_bytes(Random(1).randbytes(1_500_000))
    tip = commit(work, "last.txt", "end\n")
    git(work, "-c", "http.postBuffer=65536", "push", "-q", "origin", "HEAD:main")
    assert server.repository.resolve("main") == tip
    assert len(server.repository.files("main")) == 506


def test_a_branch_that_moved_meanwhile_is_not_overwritten(server: Server, work: Path) -> None:
    commit(work, "x", "mine\n")
    made = server.repository.commit_files("main", {"y": b"theirs\n"}, "Meanwhile", signed(20))
    assert "fetch first" in refused(work, "origin", "HEAD:main")
    assert server.repository.resolve("main") == made.sha
    git(work, "pull", "-q", "--rebase", "origin", "main")
    git(work, "push", "-q", "origin", "HEAD:main")
    assert server.repository.read_file("main", "x") == b"mine\n"


def test_a_protected_branch_keeps_its_history_and_a_refused_push_leaves_nothing(
    server: Server, work: Path, session: StoreSession
) -> None:
    before = session.digest()
    git(work, "reset", "-q", "--hard", "HEAD~2")
    commit(work, "x", "other\n")
    told = refused(work, "--force", "origin", "HEAD:main")
    assert "protected branch hook declined" in told
    assert "remote: error: GH006" in told
    assert "refusing to delete the current branch" in refused(work, "origin", ":main")
    assert session.digest() == before
    git(work, "push", "-q", "--force", "origin", "HEAD:feature")
    assert not server.pushes[-1].updates[0].is_fast_forward


def test_a_push_above_the_limit_is_refused_and_leaves_nothing(
    server: Server, work: Path, session: StoreSession
) -> None:
    before = session.digest()
    server.largest_pack = 1000
    (work / "big.bin").write_bytes(Random(1).randbytes(5000))
    commit(work, "x", "1\n")
    assert "the limit is 1000" in refused(work, "origin", "HEAD:main")
    assert session.digest() == before


def test_an_atomic_push_stands_or_falls_as_one(server: Server, work: Path, session: StoreSession) -> None:
    before = session.digest()
    git(work, "reset", "-q", "--hard", "HEAD~1")
    commit(work, "x", "1\n")
    told = refused(work, "--atomic", "--force", "origin", "HEAD:refs/heads/fine", "HEAD:main")
    assert "atomic push failed" in told
    assert session.digest() == before
    refused(work, "--force", "origin", "HEAD:refs/heads/fine", "HEAD:main")
    assert "fine" in server.repository.refs.branches()


def test_a_shallow_clone_fetches_and_pushes(server: Server, url: str, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", url, "shallow")
    shallow = tmp_path / "shallow"
    assert git(shallow, "rev-list", "--count", "HEAD") == b"1\n"
    tip = commit(shallow, "deep.txt", "1\n")
    git(shallow, "push", "-q", "origin", "HEAD:main")
    assert server.repository.resolve("main") == tip
    server.repository.commit_files("main", {"more": b"1\n"}, "More", signed(30))
    git(shallow, "pull", "-q", "--ff-only", "origin", "main")
    assert (shallow / "more").read_text() == "1\n"
    tip = commit(shallow, "deep.txt", "2\n")
    git(shallow, "push", "-q", "origin", "HEAD:refs/heads/second")
    git(shallow, "fetch", "-q", "--unshallow", "origin")
    assert git(shallow, "rev-list", "--count", tip) == b"8\n"
    assert git(shallow, "fsck", "--strict") == b""


def test_partial_clones_and_fetches_of_single_commits_work(url: str, tmp_path: Path, server: Server) -> None:
    git(tmp_path, "clone", "-q", "--filter=blob:none", url, "partial")
    assert (tmp_path / "partial" / "README.md").read_text() == "# Shop\n"
    git(tmp_path / "partial", "fetch", "-q", "origin", server.repository.resolve("feature~1"))


def test_what_was_pushed_in_one_session_is_in_its_fork_and_in_no_other(
    server: Server, work: Path, session: StoreSession, base: BaseRepository
) -> None:
    other = session.fork()
    tip = commit(work, "x", "1\n")
    git(work, "push", "-q", "origin", "HEAD:main")
    twin = session.fork()
    assert Repository(twin.rows, server.repository.name, base).resolve("main") == tip
    assert not Repository(other.rows, server.repository.name, base).objects.has(tip)
    session.reset()
    assert session.digest() == other.digest()
