"""A small repository and the world it belongs to."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from brownout.store import create_world
from brownout.store.git import Built, NewCommit, Signature, create_repository, metadata, seed_refs

NAME = "acme/shop"
EPOCH = 1_770_000_000
WHO = (Signature("Mara Okafor", "mara@acme.test", 0, 60), Signature("Jonas Reuter", "jonas@acme.test", 0, -330))


def signed(number: int, who: int = 0) -> Signature:
    """A person at the given hour of the sample's calendar."""
    person = WHO[who]
    return Signature(person.name, person.email, EPOCH + number * 3600, person.offset_minutes)


def lines(*numbers: int | str) -> bytes:
    return b"".join(f"line {number}\n".encode() for number in numbers)


def history() -> list[NewCommit]:
    """Six commits on main, two on a branch that left it after the third, one tag of each kind."""
    app = lines(*range(1, 31))
    return [
        NewCommit("Begin\n", signed(0), changes={"README.md": b"# Shop\n", "src/app.py": app, "run.sh": b"#!/bin/sh\n"}),
        NewCommit("Add notes\n", signed(1, 1), changes={"docs/notes.md": lines(*"abc"), "docs/old.md": lines(*"xyz")}),
        NewCommit("Fix line 3\n\nIt was wrong.\n", signed(2), changes={"src/app.py": app.replace(b"line 3\n", b"three\n")},
                  tags=("v0",), annotations={"v1.0": "First release\n"}),
        NewCommit("Ünïcode\n", signed(3, 1), branch="feature", parents=("main",), changes={"src/new.py": lines(1, 2)}),
        NewCommit("More\n", signed(4), changes={"docs/notes.md": lines(*"abcd"), "docs/old.md": None}),
        NewCommit("Grow\n", signed(5, 1), branch="feature", changes={"src/new.py": lines(1, 2, 3)}),
        NewCommit("Tail\n", signed(6), changes={"src/app.py": app.replace(b"line 3\n", b"three\n") + b"end\n"}),
    ]  # fmt: skip


def build(path: Path) -> Built:
    return create_repository(path, history())


def write_world(path: Path, refs: Mapping[str, str], name: str = NAME) -> Path:
    """A world whose only tables are git's."""
    with create_world(path, [metadata]) as world:
        seed_refs(world.rows, name, refs)
    return path


def git(folder: Path, *arguments: str, stdin: bytes = b"", check: bool = True) -> bytes:
    """The output of the real git in a folder, untouched by this machine's configuration."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8",
                   "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@test", "GIT_AUTHOR_DATE": f"{EPOCH} +0000",
                   "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@test", "GIT_COMMITTER_DATE": f"{EPOCH} +0000",
                   "GIT_TERMINAL_PROMPT": "0"}  # fmt: skip
    done = subprocess.run(
        ["git", *arguments], cwd=folder, input=stdin, capture_output=True, env=environment, check=False
    )
    if check and done.returncode:
        raise AssertionError(f"git {' '.join(arguments)}: {done.stderr.decode()}")
    return done.stdout
