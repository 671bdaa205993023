from collections.abc import Callable
from pathlib import Path

import pytest

from brownout.core.errors import BuildError, StoreError
from brownout.store import Base, Pool, StoreRows, WorkingCopy
from tests.store.sample import FOUND, mail


def _go_on(rows: StoreRows, between: Callable[[], None]) -> None:
    """Rows made, changed, removed, and some of them put back as they were."""
    made = [rows.insert(mail, folder="later", subject=f"later {number}") for number in range(20)]
    rows.update(mail, 1, subject="changed")
    rows.update(mail, 3, subject="changed for a while")
    between()
    rows.delete(mail, 2)
    rows.delete(mail, made[4])
    between()
    rows.update(mail, 3, subject="mail 3")
    rows.update(mail, made[5], subject="changed too")
    between()
    rows.insert(mail, folder="later", subject="the last")


def test_what_was_committed_in_between_differs_from_the_base_as_what_one_session_wrote(
    base: Base, pool: Pool, tmp_path: Path
) -> None:
    session = pool.open()
    _go_on(session.rows, lambda: None)
    with WorkingCopy(base, tmp_path) as copy:
        _go_on(copy.rows, copy.commit)
        changeset = copy.changeset()
        assert copy.digest(changeset) == session.digest()
        found = copy.rows.all(FOUND, words="later")
    again = pool.open(changeset)
    assert again.rows.all(FOUND, words="later") == found
    assert session.rows.all(FOUND, words="later") == found
    assert again.rows.insert(mail, folder="later") == 222, "keys of rows that are gone are not used again"


def test_a_commit_waits_until_no_savepoint_is_open_and_until_it_is_worth_it(base: Base, tmp_path: Path) -> None:
    with WorkingCopy(base, tmp_path) as copy:
        with pytest.raises(StoreError), copy.rows.savepoint():
            copy.rows.insert(mail, folder="never")
            copy.commit()
            raise StoreError("taken back")
        assert copy.changeset() == b""
        copy.rows.insert(mail, folder="a few")
        copy.commit(at_once=False)
        copy.rows.control("ROLLBACK")
        copy.rows.control("BEGIN")
        assert copy.changeset() == b""
        for _ in range(5_000):
            copy.rows.insert(mail, folder="many")
        copy.commit(at_once=False)
        copy.rows.control("ROLLBACK")
        copy.rows.control("BEGIN")
        assert copy.rows.execute("SELECT count(*) FROM mail WHERE folder = 'many'") == [(5_000,)]


def test_nothing_is_left_of_a_working_copy(base: Base, tmp_path: Path) -> None:
    with pytest.raises(KeyError), WorkingCopy(base, tmp_path) as copy:
        copy.rows.insert(mail, folder="f")
        assert len(list(tmp_path.iterdir())) == 1
        raise KeyError
    copy.close()
    assert list(tmp_path.iterdir()) == []


def test_a_working_copy_that_forgot_its_base_says_so(base: Base, tmp_path: Path) -> None:
    with WorkingCopy(base, tmp_path) as copy:
        copy.forget_base()
        copy.rows.insert(mail, folder="f")
        with pytest.raises(BuildError, match="forgotten its base"):
            copy.changeset()


def test_a_working_copy_without_room_is_a_build_error(base: Base, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="cannot write a working copy"):
        WorkingCopy(base, tmp_path / "nowhere")
