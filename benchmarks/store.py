"""The store against plain SQLite, in one run: `python -m benchmarks.store [--sizes 10000,100000,1000000]`.

Ratios are what counts, since both sides share the machine's mood; absolutes are those of this machine today.
The plain side is apsw with the same pragmas and the same SQL on a private copy of the same file.
"""

import argparse
import gc
import multiprocessing
import os
import random
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import apsw
from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, bindparam, select

from brownout.store import Base, Pool, StoreRows, StoreSession, compile_query, create_world, row_digest, search_index

TABLES = MetaData()
mail = Table(
    "mail",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("folder", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("sender", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("body", Text, nullable=False),
    Index("mail_by_folder", "folder", "at"),
    info={"search": ("subject", "body")},
)
issue = Table(
    "issue",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("status", Text, nullable=False, default="open"),
    Column("title", Text, nullable=False),
    Column("assignee", Text),
    Column("updated", Integer, nullable=False, default=0),
    Index("issue_by_status", "status", "updated"),
    info={"search": ("title",)},
)
for _number in range(60):
    Table(
        f"other_{_number}",
        TABLES,
        Column("id", Integer, primary_key=True),
        Column("name", Text, nullable=False),
        Column("value", Text),
        Column("at", Integer),
        Index(f"other_{_number}_by_at", "at"),
        info={"search": ("name", "value")} if _number % 10 == 0 else {},
    )

_index = search_index(mail)
LIST = compile_query(select(mail).where(mail.c.folder == bindparam("folder")).order_by(mail.c.at.desc()).limit(20))
SEARCH = compile_query(
    select(mail.c.id, mail.c.subject, mail.c.sender)
    .join(_index, _index.c.rowid == mail.c.id)
    .where(_index.c[_index.name].op("MATCH")(bindparam("words")))
    .order_by(_index.c.rank)
    .limit(10)
)
POINT = compile_query(select(mail).where(mail.c.id == bindparam("key")))
ROW = "SELECT id, key, status, title, assignee, updated FROM issue WHERE id = ?"
TOUCH = "UPDATE issue SET status = ?, updated = ? WHERE id = ?"
SEND = "INSERT INTO mail (id, folder, at, sender, subject, body) VALUES (?, ?, ?, ?, ?, ?)"
SETTINGS = """
    PRAGMA journal_mode = memory; PRAGMA temp_store = memory; PRAGMA cache_spill = off; PRAGMA cache_size = -256;
    PRAGMA synchronous = off;
"""
ROUNDS = 3000
LIVE = (1000, 5000)
WRITES_A_SESSION = 10


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: `ours` and `plain` in `unit`, `target` is met when `value` is not above it."""

    name: str
    ours: float
    unit: str
    plain: float | None = None
    value: float | None = None
    target: float | None = None
    note: str = ""


def write_world(path: Path, records: int) -> float:
    """Seconds that it took to write a world of that many mails and issues."""
    draw = random.Random(7)
    words = [f"word{number}" for number in range(3000)]
    began = perf_counter()
    with create_world(path, [TABLES]) as world:
        for number in range(1, records // 2 + 1):
            text = draw.choices(words, k=24)
            world.rows.insert(
                mail,
                folder=f"folder{number % max(50, records // 400)}",
                at=number,
                sender=f"person{number % 97}@example.com",
                subject=" ".join(text[:4]),
                body=" ".join(text[4:]),
            )
            world.rows.insert(issue, key=f"BOX-{number}", title=" ".join(text[:5]), updated=number)
    return perf_counter() - began


def plain_connection(world: Path, folder: Path) -> apsw.Connection:
    """The yardstick: the same SQLite with the same settings, inside one transaction on its own copy."""
    copy = folder / "plain.sqlite"
    shutil.copyfile(world, copy)
    connection = apsw.Connection(str(copy), apsw.SQLITE_OPEN_READWRITE)
    connection.execute(SETTINGS).fetchall()
    connection.execute("BEGIN")
    return connection


def median_us(samples: list[float]) -> float:
    return statistics.median(samples) * 1e6


def p95_us(samples: list[float]) -> float:
    return sorted(samples)[int(len(samples) * 0.95)] * 1e6


def paired(ours: Callable[[int], object], plain: Callable[[int], object], rounds: int = ROUNDS) -> tuple[float, float]:
    """Median microseconds of both, measured turn by turn."""
    times: tuple[list[float], list[float]] = [], []
    for number in range(rounds):
        for work, sink in ((ours, times[0]), (plain, times[1])):
            began = perf_counter()
            work(number)
            sink.append(perf_counter() - began)
    return median_us(times[0]), median_us(times[1])


def three_writes(rows: StoreRows, number: int, mails: int) -> None:
    rows.update(issue, number % mails + 1, status=f"s{number}", updated=number)
    rows.update(issue, number * 7 % mails + 1, status=f"t{number}", updated=number)
    rows.insert(mail, folder="folder1", at=number, sender="agent", subject=f"word{number % 3000}", body="word1 word2")


def plain_writes(connection: apsw.Connection, number: int, mails: int) -> None:
    execute = connection.execute
    execute(TOUCH, (f"s{number}", number, number % mails + 1))
    execute(TOUCH, (f"t{number}", number, number * 7 % mails + 1))
    execute(SEND, (mails + 1, "folder1", number, "agent", f"word{number % 3000}", "word1 word2"))


def measure_resets(session: StoreSession, connection: apsw.Connection, mails: int) -> tuple[list[float], list[float]]:
    """Seconds of each reset after three writes: the session's, and a bare ROLLBACK; BEGIN."""
    ours: list[float] = []
    plain: list[float] = []
    for number in range(ROUNDS):
        three_writes(session.rows, number, mails)
        plain_writes(connection, number, mails)
        began = perf_counter()
        session.reset()
        between = perf_counter()
        connection.execute("ROLLBACK")
        connection.execute("BEGIN")
        plain.append(perf_counter() - between)
        ours.append(between - began)
    return ours, plain


def reset_lines(pool: Pool, connection: apsw.Connection, mails: int) -> Iterator[Line]:
    ours, plain = measure_resets(pool.open(), connection, mails)
    middle, bare = median_us(ours), median_us(plain)
    yield Line("reset", middle, "us", bare, middle / bare, 3, "x a bare ROLLBACK; BEGIN of the same writes")
    yield Line("reset, absolute", middle, "us", None, middle, 20, "us on a quiet core")
    yield Line("reset, p95", p95_us(ours), "us", p95_us(plain), p95_us(ours) / p95_us(plain), 3)
    made = pool.open()
    for number in range(1500):
        made.rows.update(issue, number + 1, status="start")
    started = pool.open(made.changeset())
    made.close()
    ours, plain = measure_resets(started, connection, mails)
    middle, bare = median_us(ours), median_us(plain)
    yield Line("reset to a later start", middle, "us", bare, middle / bare, 3, "1,500 rows above the base")
    started.close()


def call_lines(pool: Pool, connection: apsw.Connection, mails: int) -> Iterator[Line]:
    session = pool.open()
    execute = connection.cursor().execute
    draw = random.Random(3)
    keys = [draw.randrange(1, mails) for _ in range(ROUNDS)]
    folders = [f"folder{draw.randrange(50)}" for _ in range(ROUNDS)]
    phrases = [f"word{draw.randrange(3000)} word{draw.randrange(3000)}" for _ in range(ROUNDS)]

    def line(
        name: str,
        ours: Callable[[int], object],
        plain: Callable[[int], object],
        rounds: int = ROUNDS,
        note: str = "x the raw query",
    ) -> Line:
        mine, raw = paired(ours, plain, rounds)
        return Line(name, mine, "us", raw, mine / raw, 3, note)

    def plain_update(number: int) -> None:
        execute(ROW, (keys[number],)).fetchall()
        execute("UPDATE issue SET status = ? WHERE id = ?", (f"u{number}", keys[number])).fetchall()

    yield line(
        "read by key",
        lambda n: session.rows.get(mail, keys[n]),
        lambda n: execute(POINT.sql, {"key": keys[n]}).fetchall(),
    )
    yield line(
        "list of 20",
        lambda n: session.rows.all(LIST, folder=folders[n]),
        lambda n: execute(LIST.sql, {"folder": folders[n]}).fetchall(),
    )
    yield line(
        "ranked search",
        lambda n: session.rows.all(SEARCH, words=phrases[n]),
        lambda n: execute(SEARCH.sql, {"words": phrases[n]}).fetchall(),
        1000,
    )
    yield line(
        "update",
        lambda n: session.rows.update(issue, keys[n], status=f"u{n}"),
        plain_update,
        1000,
        "x the raw SELECT and UPDATE, which an effect's before and after need",
    )
    yield line(
        "insert, searched",
        lambda n: session.rows.insert(mail, folder="folder1", at=n, sender="a", subject="word1", body="word2 word3"),
        lambda n: execute(SEND, (mails + 1 + n, "folder1", n, "a", "word1", "word2 word3")).fetchall(),
        1000,
    )
    session.close()
    connection.execute("ROLLBACK")
    connection.execute("BEGIN")


def state_lines(pool: Pool, mails: int) -> Iterator[Line]:
    """What a session costs beyond its calls: forks, swaps, digests."""
    forks, digests, swaps = [], [], []
    others = [pool.open() for _ in range(pool.stats.connections + 64)]
    for number in range(300):
        session = pool.open()
        for step in range(WRITES_A_SESSION):
            three_writes(session.rows, number * 31 + step, mails)
        began = perf_counter()
        twin = session.fork()
        forks.append(perf_counter() - began)
        began = perf_counter()
        twin.digest()
        digests.append(perf_counter() - began)
        session.close()
        for other in others:
            if pool.hot_count >= 64:
                break
            _ = other.rows
        began = perf_counter()
        _ = twin.rows
        swaps.append(perf_counter() - began)
        twin.close()
    yield Line("fork, 30 writes", median_us(forks), "us", None, median_us(forks) / 1000, 1, "ms")
    yield Line("diff and digest, 30 writes", median_us(digests), "us")
    yield Line("swap in, 30 writes", median_us(swaps), "us")


def private_bytes() -> int:
    """Memory that only this process holds (private clean and dirty pages)."""
    total = 0
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        if line.startswith(("Private_Clean:", "Private_Dirty:")):
            total += int(line.split()[1]) * 1024
    return total


@dataclass(frozen=True, slots=True)
class Live:
    """Memory of a process that holds `count` sessions of ten writes each.

    Attributes:
        used: private bytes beyond those before the pool was made.
        changed: bytes of an idle session's changeset.
        pages: bytes of pages in all connections.
    """

    count: int
    used: int
    changed: float
    pages: int


def measure_live(world: Path, digest: str, count: int) -> Live:
    base = Base(world, digest)
    mails = base.ids["mail"]
    draw = random.Random(5)
    words = [f"word{number}" for number in range(3000)]
    gc.collect()
    before = private_bytes()
    pool = Pool(base, hot=64)
    sessions = [pool.open() for _ in range(count)]
    for number, session in enumerate(sessions):
        for step in range(WRITES_A_SESSION // 2):
            serial = number * 5 + step
            body = " ".join(draw.choices(words, k=40))
            session.rows.insert(mail, folder="folder1", at=serial, sender="agent", subject="word7 word8", body=body)
            session.rows.update(issue, serial % mails + 1, status="done")
        session.rows.take_effects()
    gc.collect()
    idle = [session.held_bytes for session in sessions if not session.is_hot]
    return Live(count, private_bytes() - before, statistics.mean(idle), pool.stats.hot_bytes)


def memory_lines(world: Path, digest: str) -> Iterator[Line]:
    """Each count in a process of its own, so that nothing is measured but its sessions."""
    found: list[Live] = []
    for count in LIVE:
        with multiprocessing.get_context("spawn").Pool(1) as workers:
            live = workers.apply(measure_live, (world, digest, count))
        found.append(live)
        each = live.used / count / 1000
        limit = 50.0 if count == LIVE[0] else None
        note = f"KB; the pages of all connections are {live.pages / 1e6:.1f} MB of {live.used / 1e6:.1f} MB"
        yield Line(f"a session of {count:,} live", each, "KB", None, each, limit, note)
    few, many = found
    each = (many.used - few.used) / (many.count - few.count)
    note = f"x its changed bytes ({many.changed:.0f})"
    yield Line("one more idle session", each / 1000, "KB", None, each / many.changed, 2, note)


def measure(records: int, folder: Path) -> Iterator[Line]:
    world = folder / f"world-{records}.sqlite"
    seconds = write_world(world, records)
    size = world.stat().st_size / 1e6
    yield Line("build", seconds, "s", None, None, None, f"{size:.1f} MB, {records / seconds:,.0f} records/s")
    began = perf_counter()
    digest = row_digest(world)
    yield Line("row digest", perf_counter() - began, "s")
    base = Base(world, digest)
    pool = Pool(base)
    connection = plain_connection(world, folder)
    mails = records // 2
    yield from reset_lines(pool, connection, mails)
    yield from call_lines(pool, connection, mails)
    yield from state_lines(pool, mails)
    pool.close()
    base.close()
    connection.close()
    yield from memory_lines(world, digest)
    world.unlink()


def show(line: Line) -> None:
    plain = "" if line.plain is None else f"{line.plain:10.1f}"
    verdict = ""
    if line.value is not None and line.target is not None:
        verdict = f"{line.value:8.2f} <= {line.target:<4g} {'ok  ' if line.value <= line.target else 'MISS'}"
    print(f"  {line.name:28}{line.ours:10.1f} {line.unit:3}{plain:>11}  {verdict:24} {line.note}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000,1000000", help="records a world, comma separated")
    sizes = [int(size) for size in parser.parse_args().sizes.split(",")]
    resets: dict[int, float] = {}
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; SQLite {apsw.sqlite_lib_version()}; medians")
    with tempfile.TemporaryDirectory() as folder:
        for records in sizes:
            print(f"\n{records:,} records{'':24}ours      plain   value <= target")
            for line in measure(records, Path(folder)):
                show(line)
                if line.name == "reset":
                    resets[records] = line.ours
    if len(resets) > 1:
        growth = resets[max(resets)] / resets[min(resets)]
        print("\nacross sizes")
        show(Line("reset growth", growth, "x", None, growth, 2, f"{min(resets):,} to {max(resets):,} records"))


if __name__ == "__main__":
    main()
