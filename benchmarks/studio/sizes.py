"""Worlds and runs of wanted sizes."""

import asyncio
import os
import re
import subprocess
import sys
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from shutil import copytree
from unittest import mock

import orjson

from brownout.background.packs import Fragments, Pack
from brownout.catalog import built_package, find_spec
from brownout.core.instants import DAY
from brownout.engine.world import World
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.runner import Episode, run_episodes
from generators.background.pack_files import read_packs
from worlds.package import Package

__all__ = ["long_run", "messages_of", "sized_world"]


_STORY = "aws-down-slack-down"
_A_DAY = 3.6
"""Chat messages of a person on a day at volume 1, about."""
_MOST_VOLUME = 3.0
_COPIES = 8
"""How often a larger world has each head of a pack, numbered: the shipped packs have nothing left to say after some 50,000 messages."""


def messages_of(package: Package) -> int:
    """How many chat messages a world comes to."""
    return package.manifest.counts.get("slack_message", 0)


@cache
def sized_world(world: str, wanted: int, home: Path) -> str:
    """The name of a copy of a world with about so many chat messages: more talk, and a longer past where that is not enough.

    It is built, and lived through as the studio does it after a build.
    """
    plain = built_package(world)
    first, last = plain.manifest.calendar
    volume = max(0, wanted - messages_of(plain)) / (_A_DAY * plain.manifest.counts["people"] * (last - first) / DAY)
    sooner = timedelta(days=round((volume / min(volume, _MOST_VOLUME) - 1) * (last - first) / DAY) if volume else 0)
    folder = home / "worlds" / f"{world}-{wanted}-{plain.manifest.digests['spec'][:6]}"
    if not folder.is_dir():
        copytree(find_spec(world), folder)
        text = (folder / "world.yaml").read_text("utf-8")
        text = re.sub(r"(?m)^background:.*\n", "", text)
        text = re.sub(r"(?m)^world: .*$", f"world: {folder.name}", text, count=1)
        text = re.sub(r"from: ([\d-]+)", lambda found: f"from: {date.fromisoformat(found[1]) - sooner}", text, count=1)
        people = round(min(volume, _MOST_VOLUME), 2)
        (folder / "world.yaml").write_text(f"{text}background: {{machines: 0, work: 0, people: {people}}}\n", "utf-8")
    with mock.patch(
        "generators.background.life.read_packs", lambda: tuple(_with_copies(pack) for pack in read_packs())
    ):
        package = built_package(str(folder))
    subprocess.run(
        [sys.executable, "-m", "studio.company.living_ahead", str(os.getpid()), str(package.folder)], check=True
    )
    return folder.name


def _with_copies(pack: Pack) -> Pack:
    """A pack that has each head several times, `CI is red` and `CI is red (2)`."""
    subjects = {
        name: subject.model_copy(
            update={
                "acts": {
                    act: parts.model_copy(update={"heads": _numbered(parts)}) for act, parts in subject.acts.items()
                }
            }
        )
        for name, subject in pack.subjects.items()
    }
    return pack.model_copy(update={"subjects": subjects})


def _numbered(parts: Fragments) -> tuple[str, ...]:
    return parts.heads + tuple(f"{head} ({copy})" for copy in range(2, _COPIES + 1) for head in parts.heads)


@cache
def long_run(world: str, steps: int, home: Path) -> str:
    """The name of a run with so many calls: the recorded ones again and again."""
    name = f"run-{steps}"
    folder = home / "runs" / name
    if folder.is_dir():
        return name
    source = home / "recorded"
    if not (source / "run.json").is_file():
        package = built_package(world)
        task = _STORY if _STORY in package.tasks else next(iter(package.tasks))
        with World(package, hot=1) as opened:
            asyncio.run(run_episodes(opened, [Episode(task, "oracle", 0, AgentOptions(), source)]))
    events = [orjson.loads(line) for line in (source / "trajectory.jsonl").read_bytes().splitlines()]
    first = next(number for number, event in enumerate(events) if event["kind"] == "call")
    last = max(number for number, event in enumerate(events) if event["kind"] == "result")
    head, body, tail = events[:first], events[first : last + 1], events[last + 1 :]
    calls = sum(event["kind"] == "call" for event in body)
    again = [
        {**event, **({"call_id": f"{event['call_id']}-{turn}"} if "call_id" in event else {})}
        for turn in range(-(-steps // calls))
        for event in body
    ]
    kept, made = [], 0
    for event in again:
        made += event["kind"] == "call"
        if made > steps:
            break
        kept.append(event)
    whole = [{**event, "seq": number} for number, event in enumerate([*head, *kept, *tail])]
    folder.mkdir(parents=True)
    (folder / "trajectory.jsonl").write_bytes(b"".join(orjson.dumps(event) + b"\n" for event in whole))
    (folder / "run.json").write_bytes((source / "run.json").read_bytes())
    return name
