"""What the server and a worker send each other through a pair of sockets: a head of JSON and a body of bytes."""

from asyncio import IncompleteReadError, StreamReader, StreamWriter
from struct import Struct
from typing import Final

import orjson

from brownout.core.values import JsonObject

__all__ = ["WorkerMessage", "read_message", "write_message"]

_SIZES: Final = Struct(">II")


class WorkerMessage:
    """One message."""

    __slots__ = ("body", "head")

    def __init__(self, head: JsonObject, body: bytes = b"") -> None:
        self.head = head
        self.body = body


async def read_message(reader: StreamReader) -> WorkerMessage | None:
    """The next message, None where the other side is gone."""
    try:
        head, body = _SIZES.unpack(await reader.readexactly(_SIZES.size))
        return WorkerMessage(orjson.loads(await reader.readexactly(head)), await reader.readexactly(body))
    except (IncompleteReadError, ConnectionError):
        return None


async def write_message(writer: StreamWriter, frame: WorkerMessage) -> None:
    """Send a message.

    Raises:
        ConnectionError: the other side is gone.
    """
    head = orjson.dumps(frame.head)
    writer.write(b"".join((_SIZES.pack(len(head), len(frame.body)), head, frame.body)))
    await writer.drain()
