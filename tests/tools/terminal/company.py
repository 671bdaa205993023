"""Pennywhistle with GitHub and terminals, and its agent Wren at a keyboard."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree
from typing import Any, cast

from ruamel.yaml import YAML

import brownout
from brownout.catalog import find_spec
from brownout.core.calls import Observation
from brownout.core.rows import Row
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.store.git import BaseRepository, Repository
from tools.terminal import sandbox_cache
from worlds.package import Package

__all__ = ["NAME", "TASK", "Desk", "build", "build_bare", "emptied"]

NAME = "pennywhistle/boxoffice"
TASK = "keyboard"
WORK = """
title: Look around
hard_because: "It is not: somebody has to sit at the keyboard."
start: {start}
actor: {{person: wren, name: Wren, role: operations assistant}}
requester: {{person: {requester}, replies: false}}
prompt: Look around.
limits: {{sim: 8h, calls: 200}}
rubric: {{points: {{there: {{worth: 1, world_state: {{"terminal:wren:x": {{kind: file}}}}}}}}}}
"""
ORACLE = '[{terminal_run: {command: "date > x; mktemp; git init -q y"}}, {submit: Done.}]'
OUTAGES = (
    ("13:00", "1h", "down"),
    ("14:30", "30m", "read_only"),
    ("15:00", "30m", "rate_limited, per_minute: 0"),
    ("15:30", "30m", "auth_expired"),
    ("16:00", "30m", "errors, share: 100%"),
    ("16:30", "30m", "slow, latency: 10s"),
    ("17:00", "30m", "slow, latency: 10m"),
    ("17:30", "30m", 'read_only, operations: ["github_merge*"]'),
)
BARE = {
    "world.yaml": "{format: 1, world: bare, title: Bare, company: {name: Bare, domain: bare.test}, apps: [terminal], "
    "clock: {from: 2026-03-02, until: 2026-03-04}}",
    "people.yaml": "ada: {name: Ada, role: boss}",
    f"tasks/{TASK}/task.yaml": WORK.format(start="2026-03-03 10:00", requester="ada"),
    f"tasks/{TASK}/oracle.yaml": ORACLE,
}


def build(folder: Path) -> Package:
    """The package of `tiny` with terminals, a GitHub where nobody pushes to main, and an afternoon of its outages."""
    spec = folder / "spec"
    copytree(find_spec("tiny"), spec)
    yaml = YAML()
    world = yaml.load(spec / "world.yaml")
    world["apps"]["github"] = {"repositories": {"boxoffice": {"owner": "pennywhistle", "protected": ["main"]}}}
    world["apps"]["terminal"] = {}
    yaml.dump(world, spec / "world.yaml")
    _write(spec, {name: text for name, text in BARE.items() if name.startswith("tasks")})
    _write(spec, {f"tasks/{TASK}/task.yaml": WORK.format(start="2026-03-24 11:40", requester="marcus")})
    with (spec / "outages.yaml").open("a") as outages:
        for start, lasts, mode in OUTAGES:
            name = f"github-{start.replace(':', '-')}"
            outages.write(
                f"{name}: {{on: github, from: 2026-03-24 {start}, for: {lasts}, mode: {mode}, announced: never}}\n"
            )
    return brownout.build(spec, out=folder / "package")


def build_bare(folder: Path) -> Package:
    """The package of a company that has terminals and nothing else."""
    _write(folder / "spec", BARE)
    return brownout.build(folder / "spec", out=folder / "package")


def _write(spec: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = spec / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@contextmanager
def emptied() -> Iterator[None]:
    """No sandbox is there from before, and none stays."""
    sandbox_cache.idle_sandboxes.close()
    try:
        yield
    finally:
        sandbox_cache.idle_sandboxes.close()


class Desk:
    """A session whose agent sits at the terminal."""

    def __init__(self, session: Session, package: Package) -> None:
        self.session = session
        self._base = BaseRepository(package.folder / "repos" / "boxoffice.git")

    @classmethod
    def at(cls, world: World, *, seed: int = 0) -> "Desk":
        return cls(world.open_session(TASK, seed=seed), world.package)

    def fork(self) -> "Desk":
        return Desk(self.session.fork(), self.session.package)

    @property
    def git(self) -> Repository:
        return Repository(self.session.simulation.rows(), NAME, self._base)

    def call(self, operation: str, **arguments: object) -> Observation:
        return self.session.call(f"terminal_{operation}", cast(Any, arguments))

    def ask(self, operation: str, **arguments: object) -> dict[str, Any]:
        found = self.call(operation, **arguments)
        assert not found.is_error, found.content
        return cast(dict[str, Any], found.structured)

    def refused(self, operation: str, **arguments: object) -> str:
        found = self.call(operation, **arguments)
        assert found.is_error, found.content
        return str(cast(dict[str, Any], found.structured)["code"])

    def run(self, command: str, **arguments: object) -> dict[str, Any]:
        return self.ask("run", command=command, **arguments)

    def says(self, command: str, **arguments: object) -> str:
        """What a command prints; it must succeed."""
        answer = self.run(command, **arguments)
        assert answer["exit_code"] == 0, answer
        return str(answer["output"])

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        return self.session.simulation.rows().execute(sql, cast(Any, parameters))

    def pull(self, branch: str) -> Row:
        """Open a pull of a branch."""
        found = self.session.call(
            "github_create_pull", {"repo": NAME, "title": "A change", "head": branch, "base": "main"}
        )
        assert not found.is_error, found.content
        return Row(cast(Any, found.structured))
