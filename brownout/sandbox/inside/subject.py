"""Runs the code under test where no test is. Reads requests and writes answers, one JSON line each.

Whatever the code does to this process it does to itself: the other side believes nothing but plain values.
"""

import importlib
import json
import os
import sys
import traceback
from types import CoroutineType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brownout.sandbox.inside.plain import NotPlain, Wire, decode, encode, type_name
else:
    from plain import NotPlain, Wire, decode, encode, type_name

_LONGEST_REPLY = 1 << 20
_LONGEST_TEXT = 2000


class Desk:
    """Carries out requests and remembers the objects that handles stand for."""

    def __init__(self) -> None:
        self.objects: list[object] = []

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
            target = importlib.import_module(str(request["module"]))
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


def _send(channel: int, answer: dict[str, Wire]) -> None:
    data = json.dumps(answer).encode() + b"\n"
    if len(data) > _LONGEST_REPLY:
        data = json.dumps({"id": answer["id"], "refused": f"an answer of {len(data)} bytes"}).encode() + b"\n"
    while data:
        data = data[os.write(channel, data) :]


def main() -> None:
    channel = int(sys.argv[1])
    os.set_inheritable(channel, False)
    sys.modules.pop("plain", None)  # the code under test may have a module of that name
    sys.path[0] = "/repo"
    if os.path.isdir("/repo/src"):  # noqa: PTH112
        sys.path.insert(0, "/repo/src")
    os.write(channel, b"ready")
    desk = Desk()
    with open(channel, "rb", closefd=False) as requests:
        for line in requests:
            _send(channel, desk.answer(json.loads(line)))


if __name__ == "__main__":
    main()
