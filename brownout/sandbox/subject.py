"""Code under test, out of reach of its tests.

The code runs alone in a sandbox; tests call it from outside and compare plain values. It can answer only with a
value, so it cannot pass a test by anything but the right value: it sees no test, no expectation, no result file.
"""

import json
import select
import socket
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from secrets import token_hex
from signal import SIGXCPU
from time import monotonic
from types import TracebackType
from typing import Final, Literal, Self, TypeAlias

from brownout.sandbox.command_channel import control_sockets, greet
from brownout.sandbox.inside.plain_values import NotPlain, Wire, decode, encode, same, type_name
from brownout.sandbox.invocation import PLAIN, InvocationStyle
from brownout.sandbox.launch import LaunchPlan, home_of, launch
from brownout.sandbox.limits import Limits, Stop
from brownout.sandbox.machine import START_SECONDS, end_process
from brownout.sandbox.resource_watch import Pace, Watch

__all__ = ["HANGING", "SUBJECT_LIMITS", "FailureReason", "Handle", "Subject", "SubjectFailure", "same"]

FailureReason: TypeAlias = Literal[
    "raised", "refused", "protocol", "exited", "deadline", "idle", "cpu", "memory", "inodes"
]
"""Why there is no value: the code raised; its value is not plain; it sent what is no answer; its process ended;
it exceeded a limit."""

HANGING: Final[tuple[FailureReason, ...]] = ("deadline", "idle", "cpu")
"""What costs real time; code that does it once is not given the time to do it again."""

SUBJECT_LIMITS: Final = Limits(
    cpu_seconds=10, wall_seconds=60.0, idle_seconds=8.0, memory_bytes=512 << 20, processes=64
)
"""Of one subject and of all that it is asked, taken together."""

_LONGEST_REPLY: Final = 1 << 20
_LAST_WORDS: Final = 5.0
_PAUSE: Final = 0.005
"""Seconds until a socket that took no more is tried again."""


class SubjectFailure(Exception):
    """The code under test gave no value.

    Attributes:
        reason: see `FailureReason`.
        raised: the name of the exception's type where the reason is `raised`, else empty.
    """

    def __init__(self, reason: FailureReason, message: str, raised: str = "") -> None:
        super().__init__(f"{reason}: {message}")
        self.reason: FailureReason = reason
        self.raised = raised


class Handle:
    """An object that stays in the sandbox; methods and attributes are reached through it.

    Attributes:
        type: what the code under test calls its class; its claim, not a fact.
    """

    __slots__ = ("_number", "_subject", "type")

    def __init__(self, subject: "Subject", number: int, kind: str) -> None:
        self._subject = subject
        self._number = number
        self.type = kind

    def __repr__(self) -> str:
        return f"<{self.type}, object {self._number} of the subject>"

    def call(self, method: str, *args: object, **kwargs: object) -> object:
        """What the method returns: a plain value, or a handle for anything else.

        Raises:
            SubjectFailure: it gave no value.
        """
        return self._subject.ask("call", method, args, kwargs, handle=self._number)

    def get(self, attribute: str) -> object:
        """The attribute's value.

        Raises:
            SubjectFailure: there is none.
        """
        return self._subject.ask("get", attribute, (), {}, handle=self._number)

    def raises(self, method: str, *args: object, **kwargs: object) -> str:
        """The name of the exception's type that the method raises; empty if it returns."""
        return _name_raised(lambda: self.call(method, *args, **kwargs))


class Subject:
    """A process that imports the code of a checkout (its top and `src`) and does as it is asked.

    Values in both directions are plain: None, bool, int, finite float, str, bytes, list, tuple, dict, set,
    frozenset of exactly these types, and handles. Compare them with `same`, for which `True` is not `1`.

    Args:
        folder: the checkout on the host, as `staged` lays it out.
        limits: of the process, all that it is asked taken together. Real time counts only while it is asked something.
        now: world time in seconds since 1970 that the code sees.
        entrance: how the process is started; the checkout lies at `/repo` unless it says otherwise.

    Attributes:
        seconds: real time in which it was asked something.
    """

    def __init__(
        self,
        folder: Path,
        *,
        limits: Limits = SUBJECT_LIMITS,
        now: float = 1_700_000_000,
        entrance: InvocationStyle = PLAIN,
    ) -> None:
        self.seconds = 0.0
        self._limits = limits
        self._buffer = b""
        self._closed = False
        ours, theirs = control_sockets(socket.SOCK_STREAM)
        with theirs, ExitStack() as undo:
            undo.callback(ours.close)
            command, programs = entrance.worker(theirs.fileno(), _LONGEST_REPLY)
            plan = LaunchPlan(
                command=command,
                user=entrance.user,
                hostname=entrance.hostname,
                limits=limits,
                epoch=now + entrance.later,
                entropy=entrance.entropy,
                environment={"WORLD_TIME": f"{now + entrance.later:.6f}", "WORLD_ENTROPY": entrance.entropy},
                files=programs,
                trees={entrance.place: folder},
                keep=[theirs.fileno()],
                cpu_seconds=limits.cpu_seconds,
            )
            self._process = launch(plan)
            undo.callback(end_process, self._process)
            theirs.close()
            self._greeting = greet(ours, self._process, START_SECONDS)
            undo.pop_all()
        self._channel = ours
        self._channel.setblocking(False)
        self._watch = Watch(self._greeting.pid, limits, (home_of(entrance.user), "/tmp"))

    def call(self, module: str, function: str, *args: object, **kwargs: object) -> object:
        """What `module.function(*args, **kwargs)` returns; a coroutine is run to its end.

        Args:
            module: as in `import module`.
            function: its name in the module; `Class.method` reaches deeper.
            args: plain values and handles.
            kwargs: the same, by name.

        Raises:
            SubjectFailure: it gave no value.
        """
        return self.ask("call", function, args, kwargs, module=module)

    def new(self, module: str, cls: str, *args: object, **kwargs: object) -> Handle:
        """A handle for what `module.cls(*args, **kwargs)` makes.

        Raises:
            SubjectFailure: it made nothing.
        """
        made = self.ask("new", cls, args, kwargs, module=module)
        if not isinstance(made, Handle):
            raise SubjectFailure("protocol", f"expected a handle, found {made!r:.200}")
        return made

    def get(self, module: str, name: str) -> object:
        """The value of a module's variable.

        Raises:
            SubjectFailure: there is none.
        """
        return self.ask("get", name, (), {}, module=module)

    def raises(self, module: str, function: str, *args: object, **kwargs: object) -> str:
        """The name of the exception's type that the call raises; empty if it returns.

        Raises:
            SubjectFailure: neither, as when the process ends.
        """
        return _name_raised(lambda: self.call(module, function, *args, **kwargs))

    def ask(
        self,
        op: Literal["call", "new", "get"],
        name: str,
        args: Sequence[object],
        kwargs: dict[str, object],
        *,
        module: str = "",
        handle: int | None = None,
    ) -> object:
        """One request and its answer; `call`, `new`, `get` and `raises` are made of it.

        Raises:
            SubjectFailure: there is no value.
            NotPlain: an argument that cannot be carried.
        """
        identity = token_hex(16)
        request: dict[str, Wire] = {
            "id": identity,
            "op": op,
            "module": module,
            "handle": handle,
            "name": name,
            "args": encode(list(args), self._carry),
            "kwargs": encode(dict(kwargs), self._carry),
        }
        line = self._exchange(json.dumps(request, allow_nan=False).encode() + b"\n")
        try:
            reply = json.loads(line)
            if not isinstance(reply, dict) or reply.get("id") != identity:
                raise SubjectFailure("protocol", f"expected the answer to this request, found {line[:200]!r}")
            if "value" in reply:
                return decode(reply["value"], self._handle)
        except (ValueError, RecursionError) as error:
            raise SubjectFailure("protocol", f"the answer is no plain value: {error}") from error
        message = str(reply.get("message", ""))
        if "raised" in reply:
            raise SubjectFailure("raised", message[-2000:], str(reply["raised"])[:200])
        raise SubjectFailure("refused", str(reply.get("refused", "no value"))[:2000])

    def close(self) -> None:
        """End the process; a second close is harmless."""
        if not self._closed:
            self._closed = True
            self._channel.close()
            end_process(self._process, self._greeting.init)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _carry(self, value: object) -> dict[str, Wire]:
        if isinstance(value, Handle) and value._subject is self:
            return {"$": "handle", "of": value._number}
        raise NotPlain(f"expected a plain value or a handle of this subject as argument, found {type_name(value)}")

    def _handle(self, wire: dict[str, Wire]) -> Handle:
        number = wire.get("of")
        if type(number) is not int or number < 0:
            raise NotPlain("a handle without a number")
        return Handle(self, number, str(wire.get("type", ""))[:200])

    def _exchange(self, request: bytes) -> bytes:
        """Send one line and wait for one line."""
        if self._buffer or self._readable(0):
            self._receive()
            raise SubjectFailure("protocol", f"it spoke before it was asked: {self._buffer[:200]!r}")
        begun = monotonic()
        try:
            self._await_line(request, begun + self._limits.wall_seconds - self.seconds)
        finally:
            self.seconds += monotonic() - begun
        line, _, self._buffer = self._buffer.partition(b"\n")
        if self._buffer:
            raise SubjectFailure("protocol", f"it said more than it was asked: {self._buffer[:200]!r}")
        return line

    def _await_line(self, request: bytes, deadline: float) -> None:
        pace = Pace()
        self._watch.resume()
        while b"\n" not in self._buffer:
            request = self._send(request)
            if self._readable(min(pace.seconds, _PAUSE) if request else pace.seconds):
                self._receive()
            if len(self._buffer) > _LONGEST_REPLY:
                raise SubjectFailure("protocol", f"an answer of more than {_LONGEST_REPLY} bytes")
            if pace.seconds:
                continue
            stop = Stop.DEADLINE if monotonic() > deadline else self._watch.check()
            if stop:
                self._process.kill()
                raise SubjectFailure(_REASONS[stop], f"stopped; allowed were {self._limits}")
            pace.looked()

    def _send(self, data: bytes) -> bytes:
        """Send what the socket takes; the rest."""
        try:
            return data[self._channel.send(data) :] if data else data
        except BlockingIOError:
            return data
        except OSError:
            raise self._ended() from None

    def _readable(self, seconds: float) -> bool:
        waiting = select.poll()
        waiting.register(self._channel, select.POLLIN)
        return bool(waiting.poll(seconds * 1000 + (seconds > 0)))

    def _receive(self) -> None:
        try:
            data = self._channel.recv(65536)
        except OSError:
            data = b""
        if not data:
            raise self._ended()
        self._buffer += data

    def _ended(self) -> SubjectFailure:
        try:
            code = self._process.wait(_LAST_WORDS)
        except subprocess.TimeoutExpired:
            return SubjectFailure("protocol", "it closed its channel")
        if code in (128 + SIGXCPU, -SIGXCPU):
            return SubjectFailure("cpu", f"stopped after {self._limits.cpu_seconds} seconds of processor time")
        return SubjectFailure("exited", f"subject exited with code {code}")


_REASONS: Final[dict[Stop, FailureReason]] = {
    Stop.DEADLINE: "deadline",
    Stop.IDLE: "idle",
    Stop.CPU: "cpu",
    Stop.MEMORY: "memory",
    Stop.INODES: "inodes",
}


def _name_raised(call: Callable[[], object]) -> str:
    try:
        call()
    except SubjectFailure as failure:
        if failure.reason == "raised":
            return failure.raised
        raise
    return ""
