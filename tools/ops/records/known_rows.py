"""A row that is known to be there."""

from sqlalchemy import Table

from brownout.core.apps import Call
from brownout.core.rows import Row

__all__ = ["row"]


def row(call: Call, table: Table, key: int) -> Row:
    """The row with that key."""
    found = call.rows.get(table, key)
    assert found is not None, (str(table.name), key)
    return found
