"""A small world for the store's tests: searched mail, issues with constraints and every column type, declared as steady."""

from pathlib import Path

from sqlalchemy import CheckConstraint, Column, Float, Index, Integer, LargeBinary, MetaData, Table, Text, bindparam
from sqlalchemy import select as sql_select

from brownout.store import compile_query, create_world, search_index

TABLES = MetaData()
mail = Table(
    "mail",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("folder", Text, nullable=False),
    Column("at", Integer, nullable=False, server_default="0"),
    Column("subject", Text, nullable=False, default=""),
    Column("body", Text),
    Index("mail_by_folder", "folder", "at"),
    info={"search": ("subject", "body")},
)
issue = Table(
    "issue",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("status", Text, CheckConstraint("status <> ''"), nullable=False, default="open"),
    Column("weight", Float),
    Column("attachment", LargeBinary),
    Column("is_done", Integer, nullable=False, default=0),
    info={"steady": True},
)

_index = search_index(mail)
FOUND = compile_query(
    sql_select(mail.c.id, _index.c.rank)
    .join(_index, _index.c.rowid == mail.c.id)
    .where(_index.c[_index.name].op("MATCH")(bindparam("words")))
    .order_by(_index.c.rank, mail.c.id)
    .limit(20)
)
IN_FOLDER = compile_query(
    sql_select(mail.c.id, mail.c.subject)
    .where(mail.c.folder == bindparam("folder"))
    .order_by(mail.c.at.desc(), mail.c.id.desc())
    .limit(10)
)
BY_KEY = compile_query(sql_select(issue).where(issue.c.key == bindparam("key")))
NAMED = compile_query(sql_select(issue).where(issue.c.key == bindparam("key")).limit(1), lasting=issue)
MAIL = compile_query(sql_select(mail).where(mail.c.id == bindparam("number")), lasting=mail)
OLD = compile_query(
    sql_select(mail.c.id, mail.c.subject)
    .where(mail.c.folder == bindparam("folder"), mail.c.id <= bindparam("until"))
    .order_by(mail.c.id)
    .limit(3),
    lasting=mail,
)
CLOSED = compile_query(
    sql_select(issue.c.id, issue.c.key).where(issue.c.status == bindparam("status")).order_by(issue.c.id)
)

MAILS = 200
ISSUES = 100


def write_world(path: Path, *, mails: int = MAILS) -> Path:
    """So many mails in five folders, 200 where nothing is said, and 100 issues."""
    with create_world(path, [TABLES]) as world:
        for number in range(1, mails + 1):
            world.rows.insert(
                mail,
                folder=f"f{number % 5}",
                at=number,
                subject=f"mail {number}",
                body=f"about topic{number % 7} and topic{number % 11}",
            )
        for number in range(1, ISSUES + 1):
            world.rows.insert(issue, key=f"BOX-{number}", weight=number / 4, attachment=bytes([number]))
    return path
