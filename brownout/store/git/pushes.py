"""What a push asks for and what it is told: pkt-lines of git's receive-pack (gitprotocol-pack(5))."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dulwich.protocol import pkt_line

from brownout.store.git.errors import BadObject

__all__ = ["Command", "PushRequest", "advertisement", "read_request", "report"]

_NOTHING: Final = "0" * 40
_CAPABILITIES: Final = "report-status delete-refs side-band-64k quiet atomic ofs-delta object-format=sha1 agent=git/2"
_FLUSH: Final = b"0000"
_BAND_BYTES: Final = 65_515
_REPORT_BAND: Final = b"\x01"
_NOTES_BAND: Final = b"\x02"


@dataclass(frozen=True, slots=True)
class Command:
    """One ref that a push wants elsewhere: `old` None makes it, `new` None removes it."""

    name: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class PushRequest:
    """The body of a POST to `git-receive-pack`.

    Attributes:
        pack: the bytes after the commands, empty where a push only removes refs.
    """

    commands: tuple[Command, ...]
    capabilities: frozenset[str]
    pack: bytes


def advertisement(refs: Mapping[str, str]) -> bytes:
    """The answer to `GET info/refs?service=git-receive-pack`."""
    lines = [f"{sha} {name}" for name, sha in refs.items()] or [f"{_NOTHING} capabilities^{{}}"]
    lines[0] += f"\0{_CAPABILITIES}"
    body = b"".join(pkt_line(f"{line}\n".encode()) for line in lines)
    return pkt_line(b"# service=git-receive-pack\n") + _FLUSH + body + _FLUSH


def read_request(body: bytes) -> PushRequest:
    """The commands and the pack of a push. The `shallow` lines of shallow clones say nothing that matters here.

    Raises:
        BadObject: the bytes do not follow the protocol.
    """
    lines, at = _lines(body)
    commands: list[Command] = []
    capabilities: frozenset[str] = frozenset()
    for line in lines:
        text, mark, listed = line.partition("\0")
        if text.startswith("shallow "):
            continue
        if mark:
            capabilities = frozenset(listed.split())
        words = text.rstrip("\n").split(" ", 2)
        if len(words) != 3 or len(words[0]) != 40 or len(words[1]) != 40:
            raise BadObject(f"the push says {text[:80]!r}, expected: OLD NEW REF")
        old, new = (None if sha == _NOTHING else sha for sha in words[:2])
        commands.append(Command(words[2], old, new))
    return PushRequest(tuple(commands), capabilities, body[at:])


def report(request: PushRequest, unpacked: str, answers: Iterable[tuple[str, str]], notes: Sequence[str]) -> bytes:
    """The answer to a push.

    Args:
        unpacked: what went wrong with the pack, empty if nothing did.
        answers: each ref and why it was refused, empty if it was not.
        notes: lines that the client prints behind `remote:`.
    """
    body = b""
    if "report-status" in request.capabilities:
        lines = [f"unpack {unpacked or 'ok'}"]
        lines += [f"ng {name} {reason}" if reason else f"ok {name}" for name, reason in answers]
        body = b"".join(pkt_line(f"{_one_line(line)}\n".encode("utf-8", "replace")) for line in lines) + _FLUSH
    if "side-band-64k" not in request.capabilities:
        return body
    told = "".join(f"{note}\n" for note in notes).encode("utf-8", "replace")
    return _banded(_NOTES_BAND, told) + _banded(_REPORT_BAND, body) + _FLUSH


def _lines(body: bytes) -> tuple[list[str], int]:
    """The pkt-lines up to the first flush, and the place after it."""
    lines: list[str] = []
    at = 0
    while body[at : at + 4] != _FLUSH:
        try:
            size = int(body[at : at + 4], 16)
        except ValueError:
            size = 0
        if size < 5 or at + size > len(body):
            raise BadObject(f"the push is broken at byte {at}: expected the length of a line")
        lines.append(body[at + 4 : at + size].decode("utf-8", "replace"))
        at += size
    return lines, at + 4


def _banded(band: bytes, data: bytes) -> bytes:
    pieces = (data[at : at + _BAND_BYTES] for at in range(0, len(data), _BAND_BYTES))
    return b"".join(pkt_line(band + piece) for piece in pieces)


def _one_line(text: str) -> str:
    return " ".join(text.split())
