from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import select

from brownout.core.errors import StoreError
from brownout.store import Base, Pool, compile_query
from brownout.store.write_guard import Authorizer
from tests.store.sample import IN_FOLDER, issue, mail


@pytest.fixture
def tight(base: Base) -> Iterator[Pool]:
    """One connection, sessions pinned from ten writes, and room for little more than that."""
    pool = Pool(base, hot=1, pinned_at_writes=10, hot_bytes=1 << 20)
    yield pool
    pool.close()


def test_the_least_recently_used_session_gives_its_connection_up(pool: Pool) -> None:
    one, two, three = pool.open(), pool.open(), pool.open()
    for session in (one, two, one, three):
        session.rows.get(issue, 1)
    assert (one.is_hot, two.is_hot, three.is_hot) == (True, False, True)
    assert pool.hot_count == pool.stats.connections == 2


def test_sessions_take_no_connection_before_they_are_used(pool: Pool) -> None:
    session = pool.open()
    twin = session.fork()
    twin.reset()
    session.close()
    assert pool.stats.connections == 0


def test_a_closed_session_leaves_its_connection_to_the_next(pool: Pool) -> None:
    for _ in range(5):
        session = pool.open()
        session.rows.update(issue, 1, status="done")
        session.close()
    assert pool.stats.connections == 1


def test_a_session_with_many_changes_stays_hot(tight: Pool) -> None:
    big, small = tight.open(), tight.open()
    for key in range(1, 30):
        big.rows.update(issue, key, status="done")
    small.rows.get(issue, 1)
    assert big.is_hot
    assert tight.stats.connections == 2
    small.close()
    assert tight.stats.connections == 1, "a connection above the limit is not kept"


def test_too_many_changes_are_a_loud_error_before_the_write(tight: Pool) -> None:
    session = tight.open()
    with pytest.raises(StoreError, match=r"hold \d+ MiB, the pool's budget is 1 MiB"):
        for _ in range(5000):
            session.rows.insert(mail, folder="f", body="many words " * 50)
    assert len(session.rows.effects) == len(session.diff())
    with pytest.raises(StoreError, match="budget"):
        tight.open().rows.get(issue, 1)
    session.reset()
    tight.open().rows.get(issue, 1)


def test_a_start_of_another_world_is_refused(base: Base, pool: Pool) -> None:
    with pytest.raises(StoreError, match="not a changeset"):
        pool.open(b"nonsense")
    session = pool.open()
    session.rows.delete(issue, 1)
    start = session.changeset()
    session.load(start)
    pool.open(start).rows.get(issue, 2)
    other = pool.open(start)
    other.load(start)
    with pytest.raises(StoreError, match="do not fit"):
        other.rows.get(issue, 2)
    assert pool.open(start).rows.get(issue, 1) is None


def test_resets_to_a_later_start_do_not_slow_down_with_what_others_touched(pool: Pool) -> None:
    made = pool.open()
    made.rows.update(issue, 1, status="start")
    session = pool.open(made.changeset())
    slot_bytes = []
    for number in range(600):
        session.rows.insert(mail, folder="f", body=f"word{number} " * 200)
        session.rows.update(issue, number % 100 + 1, status=f"s{number}")
        session.reset()
        slot_bytes.append(pool.stats.hot_bytes)
    assert max(slot_bytes[300:]) <= max(slot_bytes[:300]) + (1 << 16)
    assert session.diff() == []


def test_above_a_heavy_start_fewer_sessions_hold_a_connection(base: Base) -> None:
    pool = Pool(base, hot=8)
    made = pool.open()
    for number in range(52):
        made.rows.insert(mail, folder="f", body=f"word{number} " * 600)
    start = made.changeset()
    made.close()
    sessions = [pool.open(start) for _ in range(8)]
    for number, session in enumerate(sessions):
        session.rows.update(issue, 1, status=f"s{number}")

    assert len(start) > 200_000
    assert pool.stats.connections == 4
    assert [len(session.diff()) for session in sessions] == [1] * 8
    pool.close()


def test_a_pool_needs_a_connection(base: Base) -> None:
    with pytest.raises(ValueError, match="at least one"):
        Pool(base, hot=0)


def test_the_connection_of_a_pinned_session_is_taken_by_nobody(base: Base) -> None:
    pool = Pool(base, hot=1)
    graded = pool.open()
    with graded.pinned():
        rows = graded.rows
        others = [pool.open() for _ in range(60)]
        assert all(other.rows is not rows for other in others)
        assert graded.rows is rows
    pool.close()


def test_room_is_looked_for_without_touching_what_another_thread_works_with(base: Base) -> None:
    """A thread that is in the middle of a query fails whoever asks its connection anything."""
    pool = Pool(base, hot=2)
    busy, other = pool.open(), pool.open()
    rows = busy.rows
    thread = Thread(target=lambda: rows.control(f"WITH RECURSIVE n(x) AS ({_COUNT}) SELECT count(*) FROM n"))
    thread.start()
    for number in range(5_000):  # makes room be looked for four times
        other.rows.update(issue, 1, status=f"s{number}")
    thread.join()
    pool.close()


_COUNT = "SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000000"


def test_of_very_many_sessions_fewer_hold_a_connection(base: Base) -> None:
    """Each finds what it wrote, wherever it comes back to; and few have one each again."""
    pool = Pool(base, hot=32)
    sessions = []
    for number in range(100):
        session = pool.open()
        session.rows.update(issue, 1, status=f"s{number}")
        sessions.append(session)
        if number == 31:
            assert pool.stats.connections == 32
        if number == 39:
            assert pool.stats.connections == 24
    assert pool.stats.connections == 4
    assert [session.rows.scalar(STATUS) for session in sessions] == [f"s{number}" for number in range(100)]
    for session in sessions[32:]:
        session.close()
    assert [session.rows.scalar(STATUS) for session in sessions[:32]] == [f"s{number}" for number in range(32)]
    assert pool.stats.connections == 32
    pool.close()


STATUS = compile_query(select(issue.c.status).where(issue.c.id == 1))


def test_who_comes_back_to_a_connection_finds_its_statements_prepared(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[int] = []
    asked = Authorizer.__call__

    def noted(self: Authorizer, *what: Any) -> int:
        if not self.lifted:
            prepared.append(what[0])
        return asked(self, *what)

    monkeypatch.setattr(Authorizer, "__call__", noted)
    one = pool.open()
    one.rows.insert(mail, folder="f1", subject="mine")
    for _ in range(3):
        prepared.clear()
        twin = one.fork()
        assert twin.rows.all(IN_FOLDER, folder="f1")
        twin.close()
    assert not prepared
