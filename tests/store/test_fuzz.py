"""Random work on sessions of a small pool, each beside a private file copy: not one answer may differ."""

import shutil
from pathlib import Path
from random import Random

import pytest

from brownout.store import Base, Pool
from tests.store.twin import COLUMNS, Copy, Twin

_LIVE = 8


class Work:
    """Sessions of one pool with their copies, and the random things that happen to them."""

    def __init__(self, base: Base, folder: Path, seed: int) -> None:
        self.draw = Random(seed)
        self.pool = Pool(base, hot=3, pinned_at_writes=60)
        self.base = base
        self.folder = folder
        self.copies = 0
        self.starts: list[tuple[bytes, Path]] = [(b"", base.path)]
        self.twins = [self.open()]
        self.add_start()

    def open(self) -> Twin:
        changeset, file = self.draw.choice(self.starts)
        copy = Copy(file, self.new_path())
        start = copy.dump()
        floor = {name: max(key for table, key in start if table == name) for name in COLUMNS}
        for name, key in self.base.ids.items():
            floor[name] = max(key, floor[name])
        return Twin(self.pool.open(changeset), copy, start, file, floor)

    def add_start(self) -> None:
        """Twenty writes above the base become a state to start from; no row of the base's end is removed."""
        twin = self.twins[0]
        for _ in range(10):
            twin.insert(self.draw)
            twin.update(self.draw)
        file = self.new_path()
        shutil.copyfile(twin.copy.path, file)
        self.starts.append((twin.session.changeset(), file))

    def fork(self, twin: Twin) -> Twin:
        session = twin.session.fork()
        copy = Copy(twin.copy.path, self.new_path())
        return Twin(session, copy, twin.start, twin.start_file, twin.floor, dict(twin.ids))

    def move(self, twin: Twin) -> None:
        """The state goes into a new session; the old one is closed."""
        digest = twin.session.digest()
        session = self.pool.open(twin.session.start.changeset)
        session.load(twin.session.changeset(), twin.session.ids)
        twin.session.close()
        twin.session = session
        assert session.digest() == digest

    def new_path(self) -> Path:
        self.copies += 1
        return self.folder / f"copy-{self.copies}.sqlite"

    def step(self) -> None:
        draw, twin = self.draw, self.draw.choice(self.twins)
        what = draw.random()
        if what < 0.22:
            twin.insert(draw)
        elif what < 0.40:
            twin.update(draw)
        elif what < 0.50:
            twin.delete(draw)
        elif what < 0.51:
            twin.exchange(draw)
        elif what < 0.54:
            twin.write_in_vain(draw)
        elif what < 0.72:
            twin.read(draw)
        elif what < 0.94:
            twin.search(draw)
        else:
            self.upheaval(twin, draw.randrange(6))

    def upheaval(self, twin: Twin, kind: int) -> None:
        if kind == 0:
            twin.reset()
        elif kind == 1:
            self.move(twin)
        elif kind == 2:
            twin.check_state()
        elif len(self.twins) >= _LIVE:
            self.twins.remove(twin)
            twin.close()
        elif kind == 3:
            other = self.fork(twin)
            assert other.session.digest() == twin.session.digest()
            self.twins.append(other)
        else:
            self.twins.append(self.open())

    def finish(self) -> None:
        for twin in self.twins:
            twin.check_state()
            twin.close()
        assert self.pool.stats.swaps > 100, "too few swaps to have proved anything"
        assert self.pool.hot_count == 0
        self.pool.close()


def run(base: Base, folder: Path, seed: int, operations: int) -> None:
    work = Work(base, folder, seed)
    for number in range(operations):
        try:
            work.step()
        except Exception as error:
            error.add_note(f"seed {seed}, operation {number}")
            raise
    work.finish()


def test_sessions_answer_like_private_copies(base: Base, tmp_path: Path) -> None:
    run(base, tmp_path, seed=1, operations=5_000)


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(100, 120))
def test_sessions_answer_like_private_copies_at_length(base: Base, tmp_path: Path, seed: int) -> None:
    run(base, tmp_path, seed, operations=10_000)
