"""The session store: one immutable world file, thousands of private copies of it.

A worker opens a `Base`, a `Pool` over it and `StoreSession`s from the pool; a builder writes the file through
`create_world` and goes on from it in a `WorkingCopy`; apps compile their SELECTs with `compile_query` and write through `StoreRows`.
"""

from brownout.store.base import Base
from brownout.store.changesets import RowDifference
from brownout.store.connection_slot import Start
from brownout.store.digest_of_rows import row_digest
from brownout.store.pool import Pool, PoolStats
from brownout.store.queries import any_of, compile_query, compile_search
from brownout.store.rows import Late, StoreRows
from brownout.store.search import search_index
from brownout.store.session import StoreSession
from brownout.store.start_files import write_world_above
from brownout.store.working_copy import WorkingCopy
from brownout.store.world_differences import TableDifference, differing_tables
from brownout.store.world_writer import WorldWriter, create_world

__all__ = [
    "Base",
    "Late",
    "Pool",
    "PoolStats",
    "RowDifference",
    "Start",
    "StoreRows",
    "StoreSession",
    "TableDifference",
    "WorkingCopy",
    "WorldWriter",
    "any_of",
    "compile_query",
    "compile_search",
    "create_world",
    "differing_tables",
    "row_digest",
    "search_index",
    "write_world_above",
]
