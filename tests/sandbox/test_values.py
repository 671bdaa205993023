"""The parts that need no bubblewrap: values over the wall, masks, the filter's tables, frames."""

import re
import struct
from io import BytesIO
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brownout.core.errors import SandboxError, SandboxUnavailable
from brownout.sandbox import Limits, normalise, same, seccomp, staged
from brownout.sandbox.inside.frames import END, Frame, FrameError, frames, pack
from brownout.sandbox.inside.plain_values import NotPlain, Wire, decode, encode
from brownout.sandbox.output import Collected
from brownout.sandbox.probe import cure_for
from brownout.sandbox.seccomp import seccomp_filter

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.binary(),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text() | st.integers() | st.booleans(), inner)
        | st.sets(st.integers() | st.text())
        | st.frozensets(st.integers() | st.booleans())
    ),
    max_leaves=20,
)


def refuse(_: object) -> dict[str, Wire]:
    raise NotPlain("no handle here")


@given(PLAIN)
def test_plain_values_come_through_with_their_types(value: object) -> None:
    assert same(decode(encode(value, refuse), refuse), value)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, 1), (0, False), (1, 1.0), ([1], (1,)), ({1: "a"}, {True: "a"}), ({"a": 1}, {"a": True}), ({1}, {True}),
        ([[1, 2]], [[1, 2.0]]), ("1", 1), (b"a", "a"), (None, False), ({1}, frozenset({1})), ({"a": 1}, {"a": 1, "b": 2}),
    ],
)  # fmt: skip
def test_values_of_different_types_are_not_the_same(left: object, right: object) -> None:
    assert not same(left, right)
    assert not same(right, left)


@pytest.mark.parametrize(
    "wire",
    [
        {"$": "dict", "of": [[1]]},
        {"$": "set", "of": [[1]]},
        {"$": "code", "of": []},
        {},
        {"$": "bytes", "of": "zz"},
        float("nan"),
        {"$": "dict", "of": [[[], 1]]},
    ],
)
def test_json_that_stands_for_no_value_is_refused(wire: Wire) -> None:
    with pytest.raises(NotPlain):
        decode(wire, refuse)


@pytest.mark.parametrize("tag", ["set", "frozenset", "dict"])
def test_members_of_one_hash_cost_no_time(tag: str) -> None:
    members: list[Wire] = [number * (2**61 - 1) for number in range(1, 44_001)]
    wire: Wire = {"$": tag, "of": [[each, 1] for each in members] if tag == "dict" else members}
    begun = process_time()
    with pytest.raises(NotPlain, match="44000 members"):
        decode(wire, refuse)

    assert process_time() - begun < 5
    decode({"$": "set", "of": [*range(20_000), *map(str, range(20_000))]}, refuse)
    decode({"$": "set", "of": [{"$": "tuple", "of": [row, seat]} for row in range(40) for seat in range(40)]}, refuse)


def test_only_exact_types_are_plain() -> None:
    class Liar(int):
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = int.__hash__

    for value in (Liar(3), float("inf"), float("nan"), 1 << 20_000, object(), 1j):
        with pytest.raises(NotPlain):
            encode(value, refuse)


def test_masks_number_what_is_random_and_keep_what_is_equal() -> None:
    text = "<A at 0x7ffff7a2b3c0> 0x55aabbccdd 0x7ffff7a2b3c0 /tmp/tmp.AbC123xyZ9/f /tmp/tmpa1b2c3d_ /tmp/tmp.AbC123xyZ9 /tmp/tmpl 0xff"
    assert normalise(text) == "<A at 0x<1>> 0x<2> 0x<1> /tmp/tmp.<1>/f /tmp/tmp.<2> /tmp/tmp.<1> /tmp/tmpl 0xff"


def test_masks_hide_durations_and_nothing_else() -> None:
    text = "2 passed in 0.03s\n1 failed in 75.30s (0:01:15)\nRan 3 tests in 0.001s\nreal\t0m1.003s\nuser 0.00\n0.10s call a.py::b\nretry in 5s, 1.5 s"
    expected = "2 passed in <t>s\n1 failed in <t>s\nRan 3 tests in <t>s\nreal\t<t>\nuser <t>\n<t>s call a.py::b\nretry in 5s, 1.5 s"
    assert normalise(text) == expected


def test_the_filter_is_well_formed_and_every_jump_lands() -> None:
    for machine in ("x86_64", "aarch64"):
        program = seccomp_filter(machine)
        steps = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
        assert len(steps) < 4096
        for at, (code, then, otherwise, _) in enumerate(steps):
            if code & 0x07 == 0x05:
                assert at + 1 + max(then, otherwise) < len(steps)
        assert steps[-1][0] == 0x06
    with pytest.raises(SandboxUnavailable, match="riscv64"):
        seccomp_filter("riscv64")


@pytest.mark.parametrize(
    ("header", "column"),
    [("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", 0), ("/usr/include/asm-generic/unistd.h", 1)],
)
def test_the_tables_agree_with_the_kernels_headers(header: str, column: int) -> None:
    if not Path(header).is_file():
        pytest.skip("no kernel headers here")
    known = {
        name: int(number)
        for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text())
    }
    for name, numbers in (seccomp._REFUSED | seccomp._ABSENT).items():
        assert known.get(name, numbers[column]) == numbers[column], name


def test_frames_refuse_what_a_hostile_sender_could_send() -> None:
    good = pack(Frame(b"home/a", 0o100644, 1, b"x"))
    assert [frame.path for frame in frames(BytesIO(good + END).read, 1000)] == [b"home/a"]
    for bad in (
        good,
        good[:-1],
        pack(Frame(b"../a", 0o100644, 0)) + END,
        pack(Frame(b"/a", 0o100644, 0)) + END,
        pack(Frame(b"a", 0o060644, 0)) + END,
        b"\xff" * 30,
    ):
        with pytest.raises(FrameError):
            list(frames(BytesIO(bad).read, 1000))
    with pytest.raises(FrameError, match="more than 5"):
        list(frames(BytesIO(good + END).read, 5))


@given(st.lists(st.binary(max_size=300)), st.integers(256, 600))
def test_output_in_any_pieces_is_kept_alike(pieces: list[bytes], limit: int) -> None:
    whole, parts = Collected(limit), Collected(limit)
    whole.take(b"".join(pieces))
    for piece in pieces:
        parts.take(piece)
    assert whole.output == parts.output
    assert whole.truncated == (sum(map(len, pieces)) > limit)


def test_a_checkout_is_laid_out_and_taken_away() -> None:
    with staged({"a/b/c.py": b"x", "a/d": b"y"}) as folder:
        assert (folder / "a/b/c.py").read_bytes() == b"x"
    assert not folder.exists()
    for path in ("../x", "/x", "a/../x", "a\0"):
        with pytest.raises(SandboxError, match="plain relative path"), staged({path: b""}):
            pass
    with pytest.raises(SandboxError, match="laid out"), staged({"a": b"", "a/b": b""}):
        pass


def test_every_known_refusal_names_its_cure() -> None:
    for complaint, cure in (
        (
            "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
            "user.max_user_namespaces",
        ),
        (
            "bwrap: No permissions to create new namespace, likely because the kernel does not allow",
            "unprivileged_userns_clone",
        ),
        ("bwrap: setting up uid map: Permission denied", "apparmor_restrict_unprivileged_userns"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "systempaths=unconfined"),
        ("bwrap: Unknown option --disable-userns", "0.8"),
        ("bwrap: something new", "something new"),
    ):
        assert cure in cure_for(complaint)


def test_limits_that_cannot_work_are_refused() -> None:
    with pytest.raises(ValueError, match="processor time"):
        Limits(cpu_seconds=0)
