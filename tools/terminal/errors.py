"""What the terminal answers when it cannot do what it was asked: there is no vendor, so a shell's words."""

from brownout.core.apps import Refusal, VendorError

__all__ = ["TerminalError", "invalid_arguments", "no_such_file", "refuse"]


class TerminalError(VendorError):
    """`{"error": message, "code": code}`; the code is an errno's name where there is one."""

    def __init__(self, code: str, message: str, *, status: int = 400) -> None:
        super().__init__(code, {"error": message, "code": code}, status=status)


def no_such_file(path: str) -> TerminalError:
    """Nothing is called that."""
    return TerminalError("ENOENT", f"{path}: No such file or directory", status=404)


def invalid_arguments(detail: str) -> TerminalError:
    """The arguments do not fit the operation."""
    return TerminalError("EINVAL", f"invalid arguments: {detail}")


def refuse(refusal: Refusal) -> TerminalError:
    """An outage: of the machine that the terminal is on."""
    match refusal.kind:
        case "read_only":
            return TerminalError("EROFS", "Read-only file system", status=503)
        case "auth_expired":
            return TerminalError("EACCES", "Permission denied: your login has expired", status=401)
        case "rate_limited":
            return TerminalError("EAGAIN", "Resource temporarily unavailable", status=429)
        case "timeout":
            return TerminalError("ETIMEDOUT", "Connection timed out", status=504)
        case "unavailable":
            return TerminalError("EHOSTDOWN", "Host is down", status=503)
