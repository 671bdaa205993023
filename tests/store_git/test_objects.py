"""What rows hold, and what workers share."""

import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brownout.store.git as room
from brownout.core.errors import StoreError
from brownout.store.git import BadObject, BaseRepository, Repository, Signature
from brownout.store.git.objects import (
    decode_commit,
    decode_tree,
    encode_commit,
    encode_tree,
    object_id,
    stored,
    unstored,
)
from tests.store_git.sample import NAME


@given(st.binary(max_size=300), st.integers(0, 700))
def test_stored_bytes_are_a_zlib_stream_and_a_function_of_the_content(piece: bytes, times: int) -> None:
    data = piece * times
    assert unstored(stored(data)) == data
    assert len(stored(data)) <= len(data) + 6 + 5 * (len(data) // 0xFFFF + 1)


def test_the_spelling_of_stored_bytes_is_fixed() -> None:
    assert stored(b"") == bytes.fromhex("78010100 00ff ff 00000001")
    assert stored(b"a" * 0x10000)[:7] == bytes.fromhex("780100ffff0000")
    assert zlib.decompress(stored(b"hello")) == b"hello"


names = st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1).map(str.encode)
modes = st.sampled_from([0o100644, 0o100755, 0o120000, 0o040000, 0o160000])


@given(
    st.dictionaries(names, st.tuples(modes, st.binary(min_size=20, max_size=20).map(lambda raw: raw.hex().encode())))
)
def test_a_tree_survives_its_bytes(items: dict[bytes, tuple[int, bytes]]) -> None:
    assert decode_tree(encode_tree(items)) == items


@given(
    st.text(),
    st.text(),
    st.integers(0, 2**33),
    st.integers(-14 * 60, 14 * 60),
    st.text(st.characters(exclude_categories=["Cs"])),
)
def test_whatever_people_are_called_a_commit_can_be_read(
    name: str, email: str, at: int, offset: int, message: str
) -> None:
    signed = Signature(name, email, at, offset)
    data = encode_commit("1" * 40, ("2" * 40,), signed, signed, message)
    found = decode_commit(object_id("commit", data), data)
    assert (found.author.seconds, found.author.offset_minutes) == (at, offset)
    assert found.message == message.replace("\0", "")
    assert found.parents == ("2" * 40,)


@pytest.mark.parametrize("data", [b"", b"tree x\n\n", b"tree " + b"1" * 40 + b"\nauthor nobody\n\n"])
def test_bytes_that_are_no_commit_are_refused(data: bytes) -> None:
    with pytest.raises(BadObject):
        decode_commit("3" * 40, data)


def test_threads_share_a_base(base: BaseRepository) -> None:
    shas = base.starting("")

    def read(turn: int) -> int:
        found = [base.find(sha) for sha in shas[turn % 5 :] * 20]
        return sum(object_id(one.kind, one.data) in shas for one in found if one)

    with ThreadPoolExecutor(6) as threads:
        counts = list(threads.map(read, range(12)))
    assert counts == [20 * (len(shas) - turn % 5) for turn in range(12)]


def test_only_a_session_has_rows_to_write_to(base: BaseRepository) -> None:
    with pytest.raises(StoreError, match="dict"):
        Repository({}, NAME, base)  # type: ignore[arg-type]


def test_the_tables_load_neither_libgit2_nor_dulwich() -> None:
    code = "import sys, brownout.engine.world; from brownout.store.git import metadata; "
    code += "print([name for name in sys.modules if name.split('.')[0] in ('pygit2', 'dulwich')])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_every_public_name_is_there() -> None:
    assert [name for name in room.__all__ if getattr(room, name, None) is None] == []
    assert len(set(room.__all__)) == len(room.__all__)
    assert set(room.__all__) <= set(dir(room))
    with pytest.raises(AttributeError):
        _ = room.nothing
