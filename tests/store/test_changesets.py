import pytest

from brownout.core.values import Json, canonical, digest_of
from brownout.store import Pool, changesets
from brownout.store.changesets import changes_in, digest_of_changeset
from tests.store.sample import issue, mail


@pytest.mark.parametrize("in_memory", [1, 1 << 20])
def test_a_digest_is_that_of_all_changes_in_a_list_wherever_they_are_put_in_order(
    pool: Pool, monkeypatch: pytest.MonkeyPatch, in_memory: int
) -> None:
    monkeypatch.setattr(changesets, "_IN_MEMORY", in_memory)
    session = pool.open()
    schema = pool.base.schema
    assert digest_of_changeset(b"", schema, "above") == digest_of("above", b"[]")
    for number in range(40, 0, -1):
        session.rows.insert(mail, folder="f", subject=f"neu {number} \N{SNOWMAN}")
        session.rows.update(issue, number, status=f"s{number}", is_done=1)
    session.rows.delete(mail, 7)
    rows: list[Json] = [
        [one.table, one.key, one.kind, _plain(one.before), _plain(one.after)]
        for one in changes_in(session.changeset(), schema)
    ]
    found = digest_of_changeset(session.changeset(), schema, "one", "two")
    assert found == digest_of("one", "two", canonical(rows))


def _plain(row: object) -> Json:
    return dict(row) if isinstance(row, dict) else None
