"""The engine's own writes leave no effects: they are not something anybody did in an app."""

from sqlalchemy import Table

from brownout.core.rows import Value
from brownout.store import StoreRows

__all__ = ["insert_quietly", "update_quietly"]


def insert_quietly(rows: StoreRows, table: Table, **values: Value) -> int:
    """Insert a row of the engine's and return its key."""
    recorded, rows.record = rows.record, False
    try:
        return rows.insert(table, **values)
    finally:
        rows.record = recorded


def update_quietly(rows: StoreRows, table: Table, key: int, **changes: Value) -> None:
    """Change a row of the engine's."""
    recorded, rows.record = rows.record, False
    try:
        rows.update(table, key, **changes)
    finally:
        rows.record = recorded
