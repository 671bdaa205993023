# ruff: noqa: PTH112, PTH123
"""Runs the code under test where no test is. Reads requests and writes answers, one JSON line each.

Never run as it stands: `worker.disguised` makes one file of it and of `plain_values`, under drawn names.

Whatever the code does to this process it does to itself: the other side believes nothing but plain values.
"""

import importlib
import json
import os
import select
import sys
import traceback
from types import CoroutineType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brownout.sandbox.inside.plain_values import NotPlain, Wire, decode, encode, type_name
else:
    from plain_values import NotPlain, Wire, decode, encode, type_name

_LONGEST_TEXT = 2000
_ARGUMENTS_START = 45  # of the fields after the name, in proc(5)'s stat


class ObjectServer:
    """Carries out requests and remembers the objects that handles stand for."""

    def __init__(self, modules: dict[str, str]) -> None:
        self.objects: list[object] = []
        self._imports = modules

    def answer(self, request: dict[str, Wire]) -> dict[str, Wire]:
        """What to say: a value, what was raised, or why the value cannot be carried."""
        name = request["id"]
        try:
            value = self._carry_out(request)
            return {"id": name, "value": self._keep(value) if request["op"] == "new" else encode(value, self._keep)}
        except NotPlain as error:
            return {"id": name, "refused": str(error)}
        except BaseException as error:
            return {"id": name, "raised": type(error).__name__, "message": _told(error)}

    def _carry_out(self, request: dict[str, Wire]) -> object:
        target: object
        if request["handle"] is None:
            module = str(request["module"])
            target = importlib.import_module(self._imports.get(module, module))
        else:
            target = self.objects[int(str(request["handle"]))]
        for name in str(request["name"]).split("."):
            target = getattr(target, name)
        if request["op"] == "get":
            return target
        if not callable(target):
            raise TypeError(f"{request['name']} cannot be called")
        arguments = decode(request["args"], self._handle)
        named = decode(request["kwargs"], self._handle)
        assert isinstance(arguments, list) and isinstance(named, dict)
        result: object = target(*arguments, **named)
        if isinstance(result, CoroutineType):
            result = importlib.import_module("asyncio").run(result)  # costs 40 ms, and few need it
        return result

    def _keep(self, value: object) -> dict[str, Wire]:
        self.objects.append(value)
        return {"$": "handle", "of": len(self.objects) - 1, "type": type_name(value)[:200]}

    def _handle(self, wire: dict[str, Wire]) -> object:
        return self.objects[int(str(wire["of"]))]


def _told(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error))[-_LONGEST_TEXT:]
    except Exception:
        return "(its text could not be made)"


def _send(channel: int, answer: dict[str, Wire], limit: int) -> None:
    data = json.dumps(answer).encode() + b"\n"
    if len(data) > limit:
        data = json.dumps({"id": answer["id"], "refused": f"an answer of {len(data)} bytes"}).encode() + b"\n"
    _write(channel, data)


def _write(target: int, data: bytes) -> None:
    while data:
        data = data[os.write(target, data) :]


def main(
    channel: int, pipes: list[int], place: str, argv: list[str], is_program: bool, modules: dict[str, str], limit: int
) -> None:
    """Serve requests until there are no more.

    Args:
        channel: descriptor of requests and answers.
        pipes: two numbers for pipes between the channel, which another process then keeps, and this one; or none.
        place: the checkout.
        argv: of the process, for the code to see.
        is_program: the process is to look like a run of the file that `argv` names.
        modules: names that are imported under others.
        limit: bytes of a reply.
    """
    os.set_inheritable(channel, False)
    quiet = os.open("/dev/null", os.O_RDWR)
    os.dup2(quiet, 2)  # nobody reads what it says, and a full pipe would hold it up
    os.close(quiet)
    sys.path[0:1] = [place + "/src", place] if os.path.isdir(place + "/src") else [place]
    sys.argv[:] = argv
    if is_program:
        _pretend(argv[0])
    os.write(channel, b"ready")
    source, sink = _behind(channel, pipes) if pipes else (channel, channel)
    server = ObjectServer(modules)
    with open(source, "rb", closefd=False) as requests:
        for line in requests:
            _send(sink, server.answer(json.loads(line)), limit)


def _behind(channel: int, pipes: list[int]) -> tuple[int, int]:
    """Go on in a child that has two pipes instead of the channel; where it reads and where it writes."""
    theirs, to_child = os.pipe()
    from_child, ours = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(theirs, pipes[0], inheritable=False)
        os.dup2(ours, pipes[1], inheritable=False)
        for each in {channel, theirs, to_child, from_child, ours} - {*pipes}:
            os.close(each)
        return pipes[0], pipes[1]
    os.close(theirs)
    os.close(ours)
    waiting = select.poll()
    for each in (channel, from_child):
        waiting.register(each, select.POLLIN)
    while True:
        for ready, _ in waiting.poll():
            data = os.read(ready, 65536)
            if not data:
                code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) if ready == from_child else 0
                os._exit(code if code >= 0 else 128 - code)
            _write(channel if ready == from_child else to_child, data)


def _pretend(program: str) -> None:
    """Be a run of `program` for whoever asks; the path this process was started with is just as long."""
    sys.orig_argv[1:] = [program]
    other = type(sys)("__main__")
    other.__file__ = program
    sys.modules["__main__"] = other
    with open("/proc/self/cmdline", "rb") as stream:
        at = stream.read().index(b"\0") + 1
    with open("/proc/self/stat", "rb") as stream:
        at += int(stream.read().rpartition(b")")[2].split()[_ARGUMENTS_START])
    with open("/proc/self/mem", "r+b", buffering=0) as memory:
        memory.seek(at)
        memory.write(program.encode())
