"""How fast everyday life is made, what it costs a session, and how easily its timing is told from real talk.

python -m benchmarks.background [--world larkspur] [--volume 1.0]
"""

import argparse
import csv
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import brownout
from brownout.background.days import Days
from brownout.background.desk import day_of
from brownout.background.life import Life
from brownout.background.talks import Talk, Talks
from brownout.core.instants import HOUR
from brownout.engine.world import World
from worlds.package import Package
from worlds.spec import BackgroundSpec

Numbers: TypeAlias = NDArray[np.float64]
FEATURES = ("messages", "people", "switch_rate", "mean_log1p_gap_s", "sd_log1p_gap_s", "max_log1p_gap_s")
REAL = Path(__file__).with_name("chat-features.csv")
TREES, DEPTH, LEAF, MOST = 60, 9, 5, 1500


def features(talks: Sequence[Talk]) -> Numbers:
    """A row a conversation, rounded to four decimals as the real ones are: unrounded shares give anything away."""
    rows = []
    for talk in talks:
        if len(talk.lines) < 2:
            rows.append([1.0, 1.0, 0.0, -1.0, -1.0, -1.0])
            continue
        gaps = np.log1p(np.diff([line.at for line in talk.lines]) / 1e6)
        who = [line.who for line in talk.lines]
        switches = sum(one != other for one, other in pairwise(who)) / (len(who) - 1)
        rows.append([len(who), len({*who}), switches, gaps.mean(), gaps.std(), gaps.max()])
    return np.round(np.array(rows), 4)


def real_rows(community: str = "") -> Numbers:
    """The measured conversations, of one community or of all."""
    with REAL.open() as file:
        rows = [row for row in csv.DictReader(file) if row["community"].startswith(community)]
    return np.array([[float(row[name]) for name in FEATURES] for row in rows])


def told_apart(one: Numbers, other: Numbers) -> float:
    """Area under the curve of a forest that tells two sets of rows apart, cross-validated in four; .5 is not at all."""
    draws = np.random.default_rng(0)
    size = min(len(one), len(other), MOST)
    rows = np.vstack([one[draws.permutation(len(one))[:size]], other[draws.permutation(len(other))[:size]]])
    truth = np.r_[np.ones(size), np.zeros(size)]
    fold, scores = draws.integers(0, 4, 2 * size), np.zeros(2 * size)
    for part in range(4):
        there = fold != part
        for _ in range(TREES):
            chosen = draws.choice(np.flatnonzero(there), there.sum())
            scores[~there] += _tree(rows[chosen], truth[chosen], rows[~there], draws, DEPTH)
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(2 * size)
    ranks[order] = np.arange(2 * size)
    for value in np.unique(scores):
        ranks[scores == value] = ranks[scores == value].mean()
    return float((ranks[truth == 1].sum() - size * (size - 1) / 2) / size**2)


def _tree(rows: Numbers, truth: Numbers, asked: Numbers, draws: np.random.Generator, depth: int) -> Numbers:
    if depth == 0 or len(truth) < 2 * LEAF or truth.min() == truth.max():
        return np.full(len(asked), truth.mean())
    best: tuple[float, int, float] | None = None
    for column in draws.choice(rows.shape[1], 3, replace=False):
        order = np.argsort(rows[:, column], kind="stable")
        values, summed = rows[order, column], np.cumsum(truth[order])
        left = np.arange(1, len(truth))
        right = len(truth) - left
        fits = (values[1:] > values[:-1]) & (left >= LEAF) & (right >= LEAF)
        if not fits.any():
            continue
        low, high = summed[:-1] / left, (summed[-1] - summed[:-1]) / right
        impurity = np.where(fits, left * low * (1 - low) + right * high * (1 - high), np.inf)
        place = int(impurity.argmin())
        if best is None or impurity[place] < best[0]:
            best = float(impurity[place]), int(column), float(values[place] + values[place + 1]) / 2
    if best is None:
        return np.full(len(asked), truth.mean())
    _, column, edge = best
    there, wanted = rows[:, column] <= edge, asked[:, column] <= edge
    found = np.empty(len(asked))
    found[wanted] = _tree(rows[there], truth[there], asked[wanted], draws, depth - 1)
    found[~wanted] = _tree(rows[~there], truth[~there], asked[~wanted], draws, depth - 1)
    return found


def _built(world: str, volume: float, folder: Path) -> tuple[Package, float]:
    began = time.process_time()
    background = BackgroundSpec(machines=volume, work=volume, people=volume)
    package = brownout.build(world, background=background, out=folder)
    return package, time.process_time() - began


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
    ours, everyone = features(talks), real_rows()
    print(f"talk: {len(talks):,} conversations, {lines:,} messages")
    print(f"told from real talk: all {told_apart(ours, everyone):.3f}", end="")
    for community in ("clojurians", "elmlang", "racket"):
        print(f", {community} {told_apart(ours, real_rows(community)):.3f}", end="")
    print(f"; two real ones {told_apart(real_rows('racket'), real_rows('elmlang')):.3f}")


def _lived(package: Package) -> None:
    """What an hour of a session costs with it."""
    with World(package) as world:
        task = next(iter(package.tasks))
        with world.open_session(task) as session:
            session.call("wait", {"minutes": 1})
            began, now = time.process_time(), session.now
            while not session.ended and session.now - now < 4 * HOUR:
                session.call("wait", {"minutes": 60})
            seconds, hours = time.process_time() - began, (session.now - now) / HOUR
            kept = len(session._store.changeset())
            came = sum(getattr(event, "key", "").startswith(("talk/", "work/", "letter/")) for event in session.events)
            print(
                f"lived: {came} items in {hours:.1f} h, {seconds * 1000:.0f} ms CPU; changes kept {kept / 1000:.0f} KB"
            )
            began = time.process_time()
            session.reset()
            print(f"reset after it: {(time.process_time() - began) * 1000:.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", default="larkspur")
    parser.add_argument("--volume", type=float, default=1.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        silent, without = _built(asked.world, 0.0, Path(name) / "silent")
        package, whole = _built(asked.world, asked.volume, Path(name) / "lively")
        more = _rows_of(package) - _rows_of(silent)
        print(
            f"{asked.world}: {without:.1f} s CPU without, {whole:.1f} s with; {more:,} rows more, {more / (whole - without):,.0f} a second"
        )
        print(f"peak memory {getrusage(RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
        _made(Life.model_validate_json(package.life))
        _lived(package)


if __name__ == "__main__":
    main()
