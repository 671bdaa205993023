# ruff: noqa: PTH109, PTH123
"""The `proc-receive` hook of a mirror (githooks(5)): refuses what GitHub refuses, in its words, at the time of the push.

It is a courtesy. Whoever pushes can also change this file, so every push is judged again outside.
"""

import os
import sys

_NOTHING = "0" * 40
_FLUSH = b"0000"


def main() -> None:
    """Answer for each ref: refused with a reason, or passed on to receive-pack."""
    head = read_lines()
    can_be_atomic = any("atomic" in line.partition("\0")[2].split() for line in head)
    sys.stdout.buffer.write(packed("version=1") + _FLUSH)
    sys.stdout.buffer.flush()
    commands = [line.split(" ", 2) for line in read_lines()]
    protected, default = listed("protected"), current()
    refused = [refusal(old, new, name, protected, default) for old, new, name in commands]
    answers = b""
    for (old, _, name), reason in zip(commands, refused):  # noqa: B905
        if can_be_atomic and any(refused):
            reason = reason or "atomic push failure"
        if not reason:
            suggest(name, old)
        answers += packed(f"ng {name} {reason}") if reason else packed(f"ok {name}") + packed("option fall-through")
    sys.stdout.buffer.write(answers + _FLUSH)
    sys.stdout.buffer.flush()


def refusal(old: str, new: str, name: str, protected: list[str], default: str) -> str:
    """Why a ref may not move, empty if it may."""
    if not name.startswith(("refs/heads/", "refs/tags/")):
        return "deny updating a hidden ref"
    if any("\udc80" <= sign <= "\udcff" for sign in name):
        return "funny refname"
    if new == _NOTHING and name == default:
        return f"refusing to delete the current branch: {name}"
    if old == _NOTHING or name not in protected:
        return ""
    why = "Cannot delete this protected branch." if new == _NOTHING else "Changes must be made through a pull request."
    tell(f"error: GH006: Protected branch update failed for {name}.\nerror: {why}\n")
    return "protected branch hook declined"


def suggest(name: str, old: str) -> None:
    """What GitHub says of a new branch."""
    branch = name.removeprefix("refs/heads/")
    if branch != name and old == _NOTHING:
        owner, repository = os.getcwd().split("/")[-2:]
        place = f"https://github.com/{owner}/{repository.removesuffix('.git')}/pull/new/{branch}"
        tell(f"\nCreate a pull request for '{branch}' on GitHub by visiting:\n     {place}\n\n")


def tell(text: str) -> None:
    """Have git print lines behind `remote:`."""
    sys.stderr.write(text)
    sys.stderr.flush()


def read_lines() -> list[str]:
    """The pkt-lines up to the next flush."""
    lines: list[str] = []
    while True:
        size = int(sys.stdin.buffer.read(4) or _FLUSH, 16)
        if size < 4:
            return lines
        lines.append(sys.stdin.buffer.read(size - 4).decode("utf-8", "surrogateescape").rstrip("\n"))


def packed(line: str) -> bytes:
    """One pkt-line."""
    data = line.encode("utf-8", "surrogateescape") + b"\n"
    return b"%04x" % (len(data) + 4) + data


def listed(name: str) -> list[str]:
    """The lines of a file beside this hook's repository."""
    with open(name, encoding="utf-8", errors="surrogateescape") as stream:
        return stream.read().splitlines()


def current() -> str:
    """The ref that HEAD stands on."""
    return listed("HEAD")[0].removeprefix("ref: ")


if __name__ == "__main__":
    main()
