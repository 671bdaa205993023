"""How fast everyday life is made, what it costs a session, and how easily its timing is told from real talk.

python -m benchmarks.background [--world larkspur] [--volume 1.0]
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from math import log1p
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import fmean, pstdev

from benchmarks.realism import held_out
from benchmarks.two_samples import Row, separability
from brownout.background.days import Days
from brownout.background.desk_hours import day_of
from brownout.background.life_sources import Life
from brownout.background.talks import DrawnTalk, Talks
from brownout.catalog import find_spec
from brownout.core.instants import HOUR, SECOND
from brownout.engine.session import Session
from brownout.engine.world import World
from generators.build import build_world
from generators.world_check import read_whole
from worlds.package import Package
from worlds.spec import BackgroundSpec

_KEYS = ("talk/", "work/", "letter/", "mail/", "question/", "meeting/", "outage/")
"""How the keys of everyday life's items begin."""
_DAY = 9 * HOUR


def features(talks: Sequence[DrawnTalk]) -> list[Row]:
    """A row a conversation, rounded to four decimals as the real ones are: unrounded shares give anything away."""
    rows: list[Row] = []
    for talk in talks:
        if len(talk.lines) < 2:
            rows.append([1.0, 1.0, 0.0, -1.0, -1.0, -1.0])
            continue
        gaps = [log1p((after.at - before.at) / SECOND) for before, after in pairwise(talk.lines)]
        who = [line.who for line in talk.lines]
        switches = sum(one != other for one, other in pairwise(who)) / len(gaps)
        row = [len(who), len({*who}), switches, fmean(gaps), pstdev(gaps), max(gaps)]
        rows.append([round(value, 4) for value in row])
    return rows


@dataclass(frozen=True)
class _Build:
    """A package, the CPU seconds that it took, and those of them up to the first task's start, where rows are counted."""

    package: Package
    seconds: float
    past_seconds: float


def _built(world: str, volume: float, folder: Path) -> _Build:
    began = time.process_time()
    since: dict[str, float] = {}

    def told(stage: str, _: float) -> None:
        since.setdefault(stage, time.process_time())

    background = BackgroundSpec(machines=volume, work=volume, people=volume)
    package = build_world(read_whole(find_spec(world)).with_background(background), out=folder, progress=told)
    return _Build(package, time.process_time() - began, since["future"] - began)


def _rows_of(package: Package) -> int:
    return sum(count for name, count in package.manifest.counts.items() if "_" in name)


def _made(life: Life) -> None:
    """How fast the items of all days are made, without writing one."""
    first, last = (day_of(at, life.zone) for at in life.calendar)
    began = time.process_time()
    items = sum(1 for _ in Days(life).between(None, life.calendar[1]))
    seconds = time.process_time() - began
    print(f"items of {last - first} days: {items:,} in {seconds:.1f} s CPU, {items / seconds:,.0f} a second")
    talks = [talk for day in range(first, last) for talk in Talks(life).opened(day)]
    lines = sum(len(talk.lines) for talk in talks)
    print(f"talk: {len(talks):,} conversations, {lines:,} messages")
    ours, real = features(talks), held_out()
    told = {"all": separability([row for rows in real.values() for row in rows], ours)}
    told |= {name: separability(rows, ours) for name, rows in real.items()}
    print("told from real talk: " + ", ".join(f"{name} {value:.3f}" for name, value in told.items()))


class _Speaks(Enum):
    """When an agent says something in the busiest room: what is said after it gets other keys than in other sessions."""

    NEVER = "saying nothing"
    AT_ONCE = "having spoken at once"
    EVERY_HOUR = "speaking every hour"


def _lived(package: Package) -> None:
    """What a working day of a session costs with it, and what an idle session keeps of it."""
    with World(package) as world:
        task = next(iter(package.tasks))
        for speaks in _Speaks:
            with world.open_session(task) as session:
                began, now = time.process_time(), session.now
                _live_on(session, speaks)
                seconds, hours = time.process_time() - began, (session.now - now) / HOUR
                changeset = session._store.changeset()
                kept = session._store.start.keeping.kept(changeset)
                came = sum(getattr(event, "key", "").startswith(_KEYS) for event in session.events)
                print(
                    f"lived, {speaks.value}: {came} items in {hours:.1f} h, {seconds * 1000:.0f} ms CPU; "
                    f"{len(changeset) / 1000:.0f} KB of changes, kept in {len(kept.own) / 1000:.1f} KB "
                    f"beside {len(kept.shared) / 1000:.0f} KB that sessions of the start share (wanted: 50)"
                )
                began = time.process_time()
                kept.changeset()
                print(f"taken up again in {(time.process_time() - began) * 1000:.1f} ms")
                began = time.process_time()
                session.reset()
                print(f"reset after it: {(time.process_time() - began) * 1000:.1f} ms")


def _live_on(session: Session, speaks: _Speaks) -> None:
    """Let a session go on to its end, or for nine hours."""
    now, spoken = session.now, 0
    while not session.ended and session.now - now < _DAY:
        if speaks is _Speaks.EVERY_HOUR or (speaks is _Speaks.AT_ONCE and not spoken):
            text = f"Good morning, has anybody seen the runbook of step {spoken}?"
            session.call("slack_send_message", {"channel": "#general", "text": text})
            spoken += 1
        if not session.ended:
            session.call("wait", {"minutes": 60})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", default="larkspur")
    parser.add_argument("--volume", type=float, default=1.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        silent = _built(asked.world, 0.0, Path(name) / "silent")
        lively = _built(asked.world, asked.volume, Path(name) / "lively")
        package = lively.package
        more, past = _rows_of(package) - _rows_of(silent.package), lively.past_seconds - silent.past_seconds
        print(f"{asked.world}: {silent.seconds:.1f} s CPU without, {lively.seconds:.1f} s with")
        print(f"up to the first task's start {more:,} rows more in {past:.1f} s CPU, {more / past:,.0f} a second")
        print(f"peak memory {getrusage(RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
        _made(Life.model_validate_json(package.life))
        _lived(package)


if __name__ == "__main__":
    main()
