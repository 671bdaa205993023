"""Pushes as bytes: what no well-meaning client would send."""

from hashlib import sha1
from pathlib import Path

import pytest

from brownout.store import StoreSession
from brownout.store.git import (
    BadObject,
    BaseRepository,
    Push,
    PushRefusal,
    RefUpdate,
    Repository,
    advertise_push,
    mirror,
    receive_pack,
)
from brownout.store.git.objects import EMPTY_TREE, encode_commit, object_id, stored
from brownout.store.git.packs import PackedObject, write_pack
from tests.store_git.sample import git, signed

NOTHING = "0" * 40
EMPTY_PACK = b"PACK\0\0\0\2\0\0\0\0" + sha1(b"PACK\0\0\0\2\0\0\0\0").digest()


def push_of(*commands: tuple[str, str, str], pack: bytes = EMPTY_PACK, more: str = "", before: str = "") -> bytes:
    lines = [before] if before else []
    for number, (old, new, name) in enumerate(commands):
        lines.append(f"{old} {new} {name}" + (f"\0 report-status{more}" if number == 0 else ""))
    return b"".join(f"{len(line.encode()) + 4:04x}{line}".encode() for line in lines) + b"0000" + pack


def answers(push: Push) -> list[str]:
    """The lines of the report, without their lengths."""
    body, found = push.response, []
    while body:
        size = int(body[:4], 16) or 4
        found.append(body[4:size].decode().rstrip("\n"))
        body = body[size:]
    return [line for line in found if line]


@pytest.fixture
def tip(repository: Repository) -> str:
    return repository.resolve("main")


def commit_pack(tmp_path: Path, tree: str, *parents: str) -> tuple[str, bytes]:
    """A new commit's id and a pack that holds nothing else."""
    data = encode_commit(tree, parents, signed(60), signed(60), "Pushed")
    sha = object_id("commit", data)
    name = write_pack(tmp_path, [PackedObject(sha, "commit", len(data), stored(data))])
    return sha, (tmp_path / f"{name}.pack").read_bytes()


def test_a_ref_to_what_is_here_already_needs_no_objects(repository: Repository, tip: str) -> None:
    push = receive_pack(repository, push_of((NOTHING, tip, "refs/heads/copy")))
    assert answers(push) == ["unpack ok", "ok refs/heads/copy"]
    assert push.updates == (RefUpdate("refs/heads/copy", None, tip, True),)


def test_a_lost_race_is_told_and_leaves_nothing(
    repository: Repository, session: StoreSession, tip: str, tmp_path: Path
) -> None:
    before = session.digest()
    sha, pack = commit_pack(tmp_path, repository.tree_at("main"), tip)
    stale = repository.resolve("main~1")
    push = receive_pack(repository, push_of((stale, sha, "refs/heads/main"), pack=pack))
    assert answers(push) == ["unpack ok", "ng refs/heads/main stale info"]
    assert push.updates == ()
    assert push.refused == (("refs/heads/main", "stale info"),)
    assert not repository.objects.has(sha)
    assert session.digest() == before


def test_a_ref_to_what_is_missing_is_refused(
    repository: Repository, session: StoreSession, tip: str, tmp_path: Path
) -> None:
    before = session.digest()
    sha, pack = commit_pack(tmp_path, "1" * 40, tip)
    for new in (sha, "2" * 40):
        push = receive_pack(repository, push_of((tip, new, "refs/heads/main"), pack=pack))
        assert answers(push) == ["unpack ok", "ng refs/heads/main missing necessary objects"]
    assert session.digest() == before


def test_each_ref_stands_or_falls_alone_and_only_its_objects_stay(
    repository: Repository, tip: str, tmp_path: Path
) -> None:
    sha, pack = commit_pack(tmp_path, repository.tree_at("main"), tip)
    asked = [
        (NOTHING, tip, "refs/heads/fine"),
        (NOTHING, sha, "refs/heads/fine/below"),
        (NOTHING, tip, "refs/heads/.."),
    ]
    push = receive_pack(repository, push_of(*asked, pack=pack))
    told = answers(push)
    assert told[:2] == ["unpack ok", "ok refs/heads/fine"]
    assert "cannot be made while there is refs/heads/fine" in told[2]
    assert told[3] == "ng refs/heads/.. funny refname"
    assert not repository.objects.has(sha)


def test_a_branch_points_at_commits_only(repository: Repository) -> None:
    tree = repository.tree_at("main")
    push = receive_pack(repository, push_of((NOTHING, tree, "refs/heads/tree"), (NOTHING, tree, "refs/tags/tree")))
    assert [name for name, _ in push.refused] == ["refs/heads/tree"]
    assert repository.resolve("refs/tags/tree") == tree


def test_a_rule_may_refuse_and_say_why(repository: Repository, tip: str) -> None:
    seen: list[RefUpdate] = []

    def rule(update: RefUpdate) -> PushRefusal | None:
        seen.append(update)
        return PushRefusal("no more than this", ("remote", "lines"))

    back = repository.resolve("main~1")
    push = receive_pack(repository, push_of((tip, back, "refs/heads/main"), more=" side-band-64k"), rule)
    assert seen == [RefUpdate("refs/heads/main", tip, back, False)]
    assert b"\x02remote\nlines\n" in push.response
    assert b"ng refs/heads/main no more than this" in push.response
    assert push.response.endswith(b"0000")


def test_shallow_lines_are_passed_over(repository: Repository, tip: str) -> None:
    body = push_of((NOTHING, tip, "refs/heads/copy"), before=f"shallow {tip}")
    assert receive_pack(repository, body).updates


def test_a_damaged_pack_refuses_every_ref(repository: Repository, tip: str, session: StoreSession) -> None:
    before = session.digest()
    push = receive_pack(repository, push_of((NOTHING, tip, "refs/heads/copy"), pack=EMPTY_PACK[:-1] + b"?"))
    assert answers(push) == ["unpack the pack is damaged: its checksum is wrong", "ng refs/heads/copy unpacker error"]
    assert session.digest() == before


@pytest.mark.parametrize("body", [b"", b"0003", b"zzzz", b"0000"[:3], b"00ffshort", b"0009hello0000"])
def test_a_body_that_is_no_push_is_an_error_of_the_client(repository: Repository, body: bytes) -> None:
    with pytest.raises(BadObject):
        receive_pack(repository, body)


def test_a_push_of_nothing_is_answered_with_nothing(repository: Repository) -> None:
    assert receive_pack(repository, b"0000") == Push(b"", (), ())


def test_an_empty_repository_can_be_pushed_to(session: StoreSession, tmp_path: Path) -> None:
    repository = Repository(session.rows, "ember/new", BaseRepository(None))
    assert b"capabilities^{}\0" in advertise_push(repository)
    repository.write_tree({})
    sha, pack = commit_pack(tmp_path, EMPTY_TREE)
    assert receive_pack(repository, push_of((NOTHING, sha, "refs/heads/main"), pack=pack)).updates
    repository.commit_files("main", {"README.md": b"hello\n"}, "Begin", signed(61))
    folder = mirror(repository, tmp_path / "mirror")
    assert git(folder, "fsck", "--strict") == b""
    assert [commit.subject for commit in repository.log("main")] == ["Begin", "Pushed"]
    assert repository.diff_commit("main")[0].path == "README.md"
