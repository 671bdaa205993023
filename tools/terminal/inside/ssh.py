# ruff: noqa: PTH112, PTH123, TID251
"""What git runs in place of ssh: it serves the mirrors of GitHub's repositories, and no other host is reached.

It starts for every fetch and push, so it imports nothing that takes time.
"""

import os
import sys
from typing import NoReturn

ROOT = "/tmp/.github.com"
_HOST = "github.com"
_SERVICES = ("git-upload-pack", "git-receive-pack", "git-upload-archive")
_PASSED_ON = ("PATH", "LANG", "TZ", "WORLD_TIME")


def main(arguments: list[str]) -> NoReturn:
    """Become the service that is asked for: `ssh git@github.com "git-upload-pack 'owner/name.git'"`."""
    if len(arguments) < 2:
        fail(255, "usage: ssh git@github.com command")
    host = arguments[-2].rpartition("@")[2]
    if host != _HOST:
        fail(255, f"ssh: Could not resolve hostname {host}: Name or service not known")
    service, _, rest = arguments[-1].partition(" ")
    kind = "push" if service == "git-receive-pack" else "fetch"
    note(kind)
    trouble = refused(kind)
    if trouble:
        fail(255, trouble)
    name = rest.strip("'").strip("/").removesuffix(".git")
    folder = f"{ROOT}/{name}.git"
    if service not in _SERVICES or ".." in name.split("/") or not os.path.isdir(folder):
        fail(1, "ERROR: Repository not found.")
    environment = {key: os.environ[key] for key in _PASSED_ON if key in os.environ}
    environment |= {"HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    os.execve("/usr/bin/git", ["git", service.removeprefix("git-"), folder], environment)


def note(kind: str) -> None:
    """Write down that GitHub was asked."""
    try:
        with open(f"{ROOT}/asked", "a") as stream:
            stream.write(f"{kind}\n")
    except OSError:  # whoever uses the machine can spoil this folder
        pass


def refused(kind: str) -> str:
    """Why GitHub does not serve such a request; empty while it does."""
    try:
        with open(f"{ROOT}/refused-{kind}") as stream:
            return stream.read().rstrip()
    except FileNotFoundError:
        return ""


def fail(code: int, message: str) -> NoReturn:
    """End with a message."""
    print(message, file=sys.stderr, flush=True)  # noqa: T201
    sys.exit(code)


if __name__ == "__main__":
    main(sys.argv[1:])
