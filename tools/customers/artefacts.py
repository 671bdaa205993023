"""The register's notes and the support inbox's messages as texts that somebody wrote."""

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import select

from brownout.core.artefacts import Writing
from brownout.core.rows import Rows
from brownout.store import compile_query
from tools.customers import tables
from tools.customers.paths import path_of_account, path_of_conversation

__all__ = ["artefacts"]

_ACCOUNTS = compile_query(select(tables.account))
_CONVERSATIONS = compile_query(select(tables.conversation))
_MESSAGES = compile_query(select(tables.message).order_by(tables.message.c.at_us, tables.message.c.id))
_NOTES = compile_query(select(tables.note).order_by(tables.note.c.at_us, tables.note.c.id))


def artefacts(rows: Rows, folder: Path) -> Iterator[Writing]:
    """Every message of the inbox, those that are mails as copies, and every note."""
    accounts = {row.number("id"): path_of_account(row) for row in rows.all(_ACCOUNTS)}
    talks = {row.number("id"): path_of_conversation(row) for row in rows.all(_CONVERSATIONS)}
    for row in rows.all(_MESSAGES):
        place = talks.get(row.number("conversation"), "")
        yield Writing(
            path=f"{place or 'customers:gone'}.message/{row.number('id')}",
            who=row.text("person"),
            at=row.number("at_us"),
            text=row.text("text"),
            copied=bool(row.text("mail")),
            problems=() if place else ("its conversation is not there",),
        )
    for row in rows.all(_NOTES):
        account, talk = row["account"], row["conversation"]
        place = (
            accounts.get(account, "")
            if isinstance(account, int)
            else talks.get(talk, "")
            if isinstance(talk, int)
            else ""
        )
        problems = () if place else ("what it is about is not there",)
        path = f"{place or 'customers:gone'}.note/{row.number('id')}"
        yield Writing(path, row.text("who"), row.number("at_us"), row.text("text"), problems=problems)
