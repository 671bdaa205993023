"""Ports of this machine: `python -m brownout.cli.ports [PORT]` prints one that is free, before much is built for it."""

import socket
import sys
from typing import Final

from brownout.cli.output import complain
from brownout.core.errors import UsageError

__all__ = ["ADDRESS", "FIRST_PORT", "free_port"]

ADDRESS: Final = "127.0.0.1"
FIRST_PORT: Final = 8501
_TRIED: Final = 100
_LAST: Final = 65535


def free_port(wanted: int | None = None) -> int:
    """The port that is wanted, or the first free one from 8501 on where none is.

    Raises:
        UsageError: it is in use, or all of them are.
    """
    tried = [wanted] if wanted is not None else range(FIRST_PORT, FIRST_PORT + _TRIED)
    for port in tried:
        if not _is_taken(port):
            return port
    if wanted is None:
        raise UsageError(f"ports {FIRST_PORT} to {FIRST_PORT + _TRIED - 1} are in use; name another one: --port PORT")
    near = next((port for port in range(wanted + 1, _LAST + 1) if not _is_taken(port)), FIRST_PORT)
    raise UsageError(
        f"port {wanted} is in use; stop what listens there, or choose another: brownout studio --port {near}"
    )


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
        except OSError:
            return True
    return False


def _main(arguments: list[str]) -> int:
    try:
        print(free_port(_port(arguments[0]) if arguments else None))  # noqa: T201 - the shell reads it
    except UsageError as error:
        complain(str(error))
        return 2
    return 0


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= _LAST:
        raise UsageError(f"expected a port from 1 to {_LAST}, found {text!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
