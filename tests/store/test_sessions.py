import pytest

from brownout.core.errors import SessionClosed, StoreError
from brownout.core.rows import Row
from brownout.store import Pool, RowDifference, StoreSession
from tests.store.sample import FOUND, issue, mail


def swap_out(pool: Pool, session: StoreSession) -> None:
    """Use as many other sessions as the pool of the tests has connections."""
    for _ in range(2):
        assert pool.open(session.start.changeset).rows.get(issue, 1)
    assert not session.is_hot


def change(session: StoreSession) -> int:
    rows = session.rows
    key = rows.insert(issue, key="NEW-1", weight=1, attachment=b"\0")
    rows.update(issue, 3, status="done")
    rows.delete(issue, 7)
    rows.update(mail, 5, subject="zebra crossing")
    return key


def test_sessions_do_not_see_each_other(pool: Pool) -> None:
    one, two = pool.open(), pool.open()
    key = change(one)
    assert one.rows.get(issue, key) is not None
    assert two.rows.get(issue, key) is None
    assert two.rows.get(issue, 7) is not None


def test_a_session_survives_being_swapped_out(pool: Pool) -> None:
    session = pool.open()
    key = change(session)
    digest, diff = session.digest(), session.diff()
    swap_out(pool, session)
    row = session.rows.get(issue, key)
    assert row == {"id": key, "key": "NEW-1", "status": "open", "weight": 1.0, "attachment": b"\0", "is_done": 0}
    assert [found["id"] for found in session.rows.all(FOUND, words="zebra")] == [5]
    assert session.digest() == digest
    assert session.diff() == diff


def test_a_diff_is_sorted_and_names_only_what_differs(pool: Pool) -> None:
    session = pool.open()
    key = change(session)
    before = session.rows.get(issue, key)
    assert [(c.table, c.key, c.kind) for c in session.diff()] == [
        ("issue", 3, "update"),
        ("issue", 7, "delete"),
        ("issue", key, "insert"),
        ("mail", 5, "update"),
    ]
    assert session.diff()[0] == RowDifference("issue", 3, "update", Row(status="open"), Row(status="done"))
    assert session.diff()[2].after == before


def test_a_reset_brings_the_start_back_hot_and_idle(pool: Pool) -> None:
    fresh = pool.open().digest()
    session = pool.open()
    change(session)
    session.reset()
    assert session.digest() == fresh
    assert session.rows.effects == []
    assert session.rows.get(issue, 7) is not None
    change(session)
    swap_out(pool, session)
    session.reset()
    assert session.digest() == fresh
    assert session.rows.get(issue, 7) is not None


def test_a_fork_has_the_same_state_and_its_own_future(pool: Pool) -> None:
    session = pool.open()
    change(session)
    twin = session.fork()
    assert twin.digest() == session.digest()
    assert twin.rows.get(issue, 7) is None
    assert twin.rows.insert(issue, key="TWIN") == session.rows.insert(issue, key="OWN")
    assert twin.digest() != session.digest()
    assert twin.rows.take_effects() != session.rows.take_effects()


def test_the_digest_does_not_remember_the_path(pool: Pool) -> None:
    direct, detour = pool.open(), pool.open()
    direct.rows.update(issue, 3, status="done")
    detour.rows.delete(mail, 9)
    detour.rows.insert(mail, id=9, folder="f4", at=9, subject="mail 9", body="about topic2 and topic9")
    detour.rows.update(issue, 3, status="waiting")
    detour.rows.update(issue, 3, status="done")
    assert direct.digest() == detour.digest()
    assert direct.diff() == detour.diff()


def test_a_changeset_moves_a_session(pool: Pool) -> None:
    session = pool.open()
    key = change(session)
    session.rows.delete(issue, key)
    other = pool.open()
    other.load(session.changeset(), session.ids)
    assert other.digest() == session.digest()
    assert other.rows.insert(issue, key="AFTER") == key + 1


def _lived(pool: Pool, *, own: bool = False) -> StoreSession:
    """A session to which much happened that happens to all, and something of its own in the middle of it."""
    session = pool.open()
    for number in range(400):
        session.rows.insert(
            mail, folder="f4", at=number, subject=f"mail {number}", body=f"what was said of {number} " * 8
        )
        if own and number == 200:
            session.rows.insert(mail, folder="f4", at=number, subject="mine", body="said by nobody else")
            session.rows.update(issue, 3, status="mine")
            session.rows.delete(mail, 9)
    return session


def test_idle_sessions_keep_once_what_happened_to_all_of_them(pool: Pool) -> None:
    first, alike, own = _lived(pool), _lived(pool), _lived(pool, own=True)
    known = [(session.diff(), session.digest()) for session in (first, alike, own)]
    size = len(first.changeset())
    for session in (first, alike, own):
        swap_out(pool, session)
    assert max(first.held_bytes, alike.held_bytes) < 100
    assert own.held_bytes < size // 8
    twins = [session.fork() for session in (first, alike, own)]
    for sessions in (twins, (first, alike, own)):
        assert [(session.diff(), session.digest()) for session in sessions] == known
    assert twins[2].rows.get(mail, 9) is None
    assert (twins[2].rows.get(issue, 3) or Row())["status"] == "mine"


def test_a_session_that_went_another_way_shares_nothing(pool: Pool) -> None:
    first, other = _lived(pool), pool.open()
    for number in range(400):
        other.rows.insert(
            mail, folder="f2", at=number, subject=f"{number}th", body=f"{number * 7919} words, not said of it " * 5
        )
    known = other.diff()
    for session in (first, other):
        swap_out(pool, session)
    assert other.diff() == known
    assert first.diff() != known


def test_a_later_start_is_where_resets_lead(pool: Pool) -> None:
    made = pool.open()
    key = change(made)
    start = made.changeset()
    session = pool.open(start)
    assert session.diff() == []
    assert session.rows.get(issue, key) is not None
    assert session.rows.insert(issue, key="X") == key + 1
    session.rows.delete(mail, 5)
    assert [c.kind for c in session.diff()] == ["insert", "delete"]
    digest = session.digest()
    session.reset()
    assert session.diff() == []
    assert session.rows.get(mail, 5) is not None
    assert session.rows.insert(issue, key="X") == key + 1
    session.rows.delete(mail, 5)
    swap_out(pool, session)
    assert session.digest() == digest
    assert session.digest() != pool.open().digest()


def test_two_starts_share_a_pool(pool: Pool) -> None:
    made = pool.open()
    change(made)
    start = made.changeset()
    sessions = [pool.open(start if number % 2 else None) for number in range(6)]
    for number, session in enumerate(sessions):
        session.rows.update(issue, 20 + number, status="mine")
    for number, session in enumerate(sessions):
        assert (session.rows.get(issue, 7) is None) == bool(number % 2)
        assert [c.key for c in session.diff()] == [20 + number]


def test_effects_survive_a_swap_until_they_are_taken(pool: Pool) -> None:
    session = pool.open()
    change(session)
    swap_out(pool, session)
    assert [effect.kind for effect in session.rows.take_effects()] == ["insert", "update", "delete", "update"]
    assert session.rows.take_effects() == ()


def test_rows_of_a_swapped_out_session_refuse_to_work(pool: Pool) -> None:
    session = pool.open()
    stale = session.rows
    swap_out(pool, session)
    with pytest.raises(StoreError, match=r"take session\.rows again"):
        stale.get(issue, 1)
    with pytest.raises(StoreError, match="swapped out"):
        stale.insert(issue, key="LOST")


def test_the_owner_can_write_before_the_state_is_read_out(pool: Pool) -> None:
    session = pool.open()
    session.before_swap = lambda: session.rows.update(issue, 1, status="flushed")
    assert [c.after for c in session.diff()] == [{"status": "flushed"}]
    session.reset()
    session.rows.get(issue, 1)
    swap_out(pool, session)
    session.before_swap = None
    assert [c.after for c in session.diff()] == [{"status": "flushed"}]


def test_a_second_close_is_harmless_and_a_closed_session_says_so(pool: Pool) -> None:
    session = pool.open()
    change(session)
    session.close()
    session.close()
    assert session.is_closed
    assert pool.hot_count == 0
    for use in (lambda: session.rows, session.reset, session.fork, session.digest, session.changeset):
        with pytest.raises(SessionClosed, match="closed"):
            use()


def test_a_closed_pool_closes_its_sessions(pool: Pool) -> None:
    hot, idle = pool.open(), pool.open()
    hot.rows.get(issue, 1)
    pool.close()
    assert hot.is_closed
    with pytest.raises(SessionClosed):
        idle.rows.get(issue, 1)
    with pytest.raises(SessionClosed):
        pool.open()


def test_a_session_inside_a_savepoint_keeps_its_connection(pool: Pool) -> None:
    session = pool.open()
    with session.rows.savepoint():
        session.rows.update(issue, 1, status="busy")
        for number in range(4):
            pool.open().rows.update(issue, 2, status=f"other {number}")
        assert session.is_hot
        with pytest.raises(StoreError, match="inside a savepoint"):
            session.reset()
    assert (
        session.rows.get(
            issue,
            1,
        )
        is not None
    )
    assert [c.key for c in session.diff()] == [1]


def test_a_savepoint_rolled_back_is_not_in_the_digest(pool: Pool) -> None:
    session = pool.open()
    before = session.digest()
    with pytest.raises(RuntimeError), session.rows.savepoint():
        session.rows.update(issue, 1, status="never")
        assert session.digest() != before
        raise RuntimeError
    assert session.digest() == before
