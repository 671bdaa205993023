import zlib
from hashlib import sha1
from pathlib import Path

import pytest

from brownout.store import Pool, StoreSession
from brownout.store.git import (
    BadObject,
    BaseRepository,
    MissingObject,
    PackTooLarge,
    RawObject,
    Repository,
    import_objects,
    import_pack,
    mirror,
)
from brownout.store.git.objects import encode_commit
from tests.store_git.sample import NAME, git, lines, signed


def test_a_mirror_is_clean_and_says_what_the_session_says(repository: Repository, tmp_path: Path) -> None:
    repository.commit_files("main", {"src/app.py": b"new\n", "empty": b""}, "One", signed(9))
    tag = repository.write_tag("v2", "main", signed(10), "Two\n")
    repository.set_ref("refs/tags/v2", tag.sha, None)
    repository.commit_files("feature", {"big": bytes(range(256)) * 1000}, "Big", signed(11))
    folder = mirror(repository, tmp_path / "mirror")
    assert git(folder, "fsck", "--strict", "--full") == b""
    told = dict(line.split(" ")[::-1] for line in git(folder, "show-ref").decode().splitlines())
    assert told == repository.refs.all()
    assert git(folder, "rev-parse", "v2^{}", "HEAD").decode().split() == [repository.resolve("main")] * 2
    assert git(folder, "show", "feature:big") == bytes(range(256)) * 1000


def test_a_mirror_made_again_forgets_what_the_session_forgot(
    session: StoreSession, base: BaseRepository, tmp_path: Path
) -> None:
    repository = Repository(session.rows, NAME, base)
    made = repository.commit_files("main", {"a": b"1\n"}, "One", signed(9))
    folder = mirror(repository, tmp_path)
    repository.commit_files("main", {"a": b"2\n"}, "Two", signed(10))
    mirror(repository, tmp_path)
    assert len(list((folder / "objects" / "pack").iterdir())) == 2
    session.reset()
    mirror(Repository(session.rows, NAME, base), folder)
    assert list((folder / "objects" / "pack").iterdir()) == []
    assert git(folder, "cat-file", "-e", made.sha, check=False) == b""
    assert git(folder, "rev-parse", "main").decode().strip() != made.sha


def test_commits_of_a_checkout_come_back_as_rows(repository: Repository, session: StoreSession, tmp_path: Path) -> None:
    folder = mirror(repository, tmp_path / "mirror")
    git(tmp_path, "clone", "-q", "--shared", str(folder), "work")
    work = tmp_path / "work"
    (work / "src" / "app.py").write_bytes(lines(*range(40)))
    git(work, "commit", "-qam", "Here")
    tip = git(work, "rev-parse", "HEAD").decode().strip()
    thin = git(work, "pack-objects", "--thin", "--stdout", "--revs", "-q", stdin=f"{tip}\n^{tip}~1\n".encode())
    assert tip in import_pack(repository, thin)
    repository.set_ref("refs/heads/here", tip, None)
    assert repository.read_file("here", "src/app.py") == lines(*range(40))
    before = session.digest()
    assert tip in import_pack(repository, thin)
    assert session.digest() == before


def test_equal_states_have_equal_digests_whichever_door_the_objects_came_through(
    pool: Pool, base: BaseRepository, tmp_path: Path
) -> None:
    one, other = pool.open(), pool.open()
    made = Repository(one.rows, NAME, base).commit_files("main", {"a": b"1\n" * 500}, "One", signed(9))
    folder = mirror(Repository(one.rows, NAME, base), tmp_path)
    spec = f"{made.sha}\n^{made.parents[0]}\n".encode()
    pack = git(folder, "-c", "pack.compression=9", "pack-objects", "--stdout", "--revs", "-q", stdin=spec)
    repository = Repository(other.rows, NAME, base)
    imported = import_pack(repository, pack)
    stored = [set(repository.objects.rows()), set(Repository(one.rows, NAME, base).objects.rows())]
    assert {row[0] for row in stored[0]} == set(imported)
    assert stored[0] == stored[1]


def test_a_pack_that_needs_what_is_not_here_is_refused(repository: Repository, session: StoreSession) -> None:
    lonely = encode_commit("1" * 40, (), signed(1), signed(1), "No tree")
    with pytest.raises(MissingObject):
        import_objects(repository, [RawObject("commit", lonely)])
    assert session.diff() == []


@pytest.mark.parametrize("entry", [b"100644 .git\0", b"100644 ..\0", b"100644 a/b\0", b"100644 \xff\0", b"100600 a\0",
                                   b"0100644 a\0", b"40000 a\0"])  # fmt: skip
def test_a_tree_that_no_checkout_should_hold_is_refused(repository: Repository, entry: bytes) -> None:
    blob = bytes.fromhex(repository.entry("main", "README.md").sha)
    with pytest.raises(BadObject):
        import_objects(repository, [RawObject("tree", entry + blob)])


def test_a_damaged_pack_is_refused_or_means_the_same(repository: Repository, tmp_path: Path) -> None:
    folder = mirror(repository, tmp_path)
    pack = git(folder, "pack-objects", "--stdout", "--all", "--revs", "-q", stdin=b"")
    body, sound = pack[:-20], set(import_pack(repository, pack))
    for at in range(0, len(body), 5):
        for damaged in (body[:at], body[:at] + bytes([body[at] ^ 0x5A]) + body[at + 1 :]):
            try:
                found = import_pack(repository, damaged + sha1(damaged).digest())
            except (BadObject, MissingObject, PackTooLarge):
                continue
            assert set(found) == sound, at
    with pytest.raises(BadObject, match="checksum"):
        import_pack(repository, body + b"\0" * 20)


def test_a_pack_that_unpacks_to_too_much_is_refused(repository: Repository, session: StoreSession) -> None:
    size = 100 << 20
    header, left = bytearray([0x30 | (size & 15)]), size >> 4
    while left:
        header[-1] |= 0x80
        header.append(left & 0x7F)
        left >>= 7
    body = b"PACK" + (2).to_bytes(4, "big") + (1).to_bytes(4, "big") + bytes(header) + zlib.compress(bytes(size), 9)
    with pytest.raises(PackTooLarge):
        import_pack(repository, body + sha1(body).digest())
    assert session.diff() == []
