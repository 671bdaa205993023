"""Pulls and commits that a text refers to: `#12`, `boxoffice#12`, `PR 12`, a link, a title, a commit's name."""

import re
from collections.abc import Iterator
from typing import Final

import orjson
from sqlalchemy import select

from brownout.core.entities import EntityReference
from brownout.core.rows import Row, Rows
from brownout.core.title_matching import titles_in
from brownout.store import compile_query
from tools.github import tables
from tools.github.paths import commit_path, pull_path

__all__ = ["references"]

_PULL: Final = re.compile(
    r"(?:(?<![\w/.-])(?P<in>[\w.-]{1,100}/[\w.-]{1,100}|[\w.-]{1,100})?#(?P<hash>\d{1,6})\b"
    r"|(?P<link>[\w.-]{1,100}/[\w.-]{1,100})/pulls?/(?P<slash>\d{1,6})\b"
    r"|\b(?:PR|MR|[Pp]ull(?: [Rr]equest)?)\s+(?P<said>\d{1,6})\b)"
)
_SHA: Final = re.compile(r"(?<![\w-])[0-9a-f]{7,40}(?![\w-])")
_pull, _repository, _push = tables.pull, tables.repository, tables.push
_PULLS = compile_query(
    select(_pull, _repository.c.full_name)
    .join(_repository, _repository.c.id == _pull.c.repository)
    .order_by(_pull.c.id)
)
_PUSHES = compile_query(
    select(_push, _repository.c.full_name)
    .join(_repository, _repository.c.id == _push.c.repository)
    .where(_push.c.commits != "[]")
    .order_by(_push.c.id)
)


def references(rows: Rows, text: str) -> Iterator[EntityReference]:
    """The pulls and commits that a text names; a commit that merged a pull is that pull."""
    pulls = rows.all(_PULLS)
    for found in _PULL.finditer(text):
        name, number = found["in"] or found["link"] or "", int(found["hash"] or found["slash"] or found["said"])
        for row in pulls:
            if row.number("number") == number and _is_called(row.text("full_name"), name):
                yield EntityReference(found.start(), found.end(), _path(row))
    yield from titles_in(text, ((row.text("title"), _path(row)) for row in pulls))
    for found in _SHA.finditer(text):
        if any(c.isdigit() for c in found[0]):
            yield from (EntityReference(found.start(), found.end(), path) for path in _commits(rows, pulls, found[0]))


def _is_called(full_name: str, name: str) -> bool:
    return not name or name in (full_name, full_name.rpartition("/")[2])


def _path(pull: Row) -> str:
    return pull_path(pull.text("full_name"), pull.number("number"))


def _commits(rows: Rows, pulls: list[Row], sha: str) -> Iterator[str]:
    merged = [_path(row) for row in pulls if row["merge_sha"] and row.text("merge_sha").startswith(sha)]
    if merged:
        yield from merged
        return
    for row in rows.all(_PUSHES):
        for made in orjson.loads(row.text("commits")):
            if str(made).startswith(sha):
                yield commit_path(row.text("full_name"), str(made))
