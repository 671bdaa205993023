"""Moves files between the outside and a running sandbox."""

from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Final

from brownout.core.errors import SandboxError
from brownout.sandbox.command_channel import Channel, SubjectReply
from brownout.sandbox.inside.frames import END, GONE, LEFT_OUT, Frame, FrameError, frames, is_plain, pack
from brownout.sandbox.limits import Limits
from brownout.sandbox.output import Whole
from brownout.sandbox.workspace import Changes, WorkspaceEntry, file_entry

__all__ = ["difference", "fill", "receive"]

_SECONDS: Final = 300.0
_HEADS: Final = 4096  # bytes of head and path allowed for each file


def _most(limits: Limits) -> int:
    return limits.home_bytes + limits.tmp_bytes + 2 * limits.inodes * _HEADS


def fill(channel: Channel, files: Iterable[Frame], limits: Limits, *, known: bool) -> None:
    """Write files into the sandbox; `known`: they are its captured state, not a change to it.

    Raises:
        SandboxError: a path that leads elsewhere, no space, or the sandbox is gone.
    """
    packed = []
    for frame in files:
        if not is_plain(frame.path):
            raise SandboxError(f"expected a plain path below a directory of the workspace, found {frame.path!r}")
        packed.append(pack(frame))
    content = b"".join(packed) + END
    reply = channel.ask(
        {"op": "fill", "known": known, "most": _most(limits)}, Whole(0).take, source=content, seconds=_SECONDS
    )
    _check(reply, "files could not be written")


def receive(channel: Channel, limits: Limits, *, everything: bool) -> list[Frame]:
    """The frames of what changed since the last call, or of all files.

    Raises:
        SandboxError: the sandbox is gone, or what it sent is no list of files.
    """
    collected = Whole(_most(limits))
    reply = channel.ask({"op": "send", "everything": everything}, collected.take, seconds=_SECONDS)
    _check(reply, "files could not be read")
    try:
        return list(frames(BytesIO(collected.data).read, _most(limits)))
    except FrameError as error:
        raise SandboxError(f"the sandbox's files could not be read: {error}") from error


def _check(reply: SubjectReply, failure: str) -> None:
    if reply.answer is None or reply.stop:
        raise SandboxError(f"the sandbox's {failure}: it ended ({reply.stop or 'without an answer'})")
    if reply.answer["error"]:
        raise SandboxError(f"the sandbox's {failure}: {reply.answer['error']}")


def difference(
    received: Iterable[Frame], known: Mapping[bytes, WorkspaceEntry], previous: Mapping[bytes, WorkspaceEntry]
) -> tuple[Mapping[bytes, WorkspaceEntry], Changes]:
    """The entries as they are now, and how they differ from `previous`.

    Args:
        received: frames that lead from `known` to the present.
        known: the state last received.
        previous: the state to compare with.
    """
    now = dict(known)
    blobs: dict[str, bytes] = {}
    left_out = []
    for frame in received:
        now.pop(frame.path, None)
        if frame.mode == LEFT_OUT:
            left_out.append(frame.path)
        elif frame.mode != GONE:
            entry = now[frame.path] = file_entry(frame.mode, frame.content, frame.mtime)
            if entry.sha:
                blobs[entry.sha] = frame.content
    now = dict(sorted(now.items()))
    written = {path: now[path] for path in now if now[path] is not (old := previous.get(path)) and now[path] != old}
    removed = tuple(path for path in previous if path not in now)
    needed = {entry.sha: blobs[entry.sha] for entry in written.values() if entry.sha in blobs}
    return now, Changes(written, removed, needed, tuple(sorted(left_out)))
