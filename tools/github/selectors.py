"""What GitHub's rows are called (`path_of`), and the things that a selector's pattern names (`find`)."""

from collections.abc import Iterator

import orjson
from sqlalchemy import bindparam, select

from brownout.core.apps import Thing
from brownout.core.rows import Row, Rows
from brownout.core.values import JsonObject
from brownout.core.wildcards import fits
from brownout.store import compile_query
from brownout.store.git.refs import BRANCHES
from tools.github import tables
from tools.github.paths import branch_path, commit_path, pull_path, ref_path, repository_path, split_path, user_path

__all__ = ["find", "path_of"]

_user, _repository, _pull, _push = tables.user, tables.repository, tables.pull, tables.push
_REPOSITORIES = compile_query(select(_repository).order_by(_repository.c.full_name))
_REFS = compile_query(select(tables.git_ref).order_by(tables.git_ref.c.repo, tables.git_ref.c.name))
_PULLS = compile_query(
    select(_pull, _repository.c.full_name, _repository.c.name)
    .join(_repository, _repository.c.id == _pull.c.repository)
    .order_by(_pull.c.id)
)
_PUSHES = compile_query(
    select(_push, _repository.c.full_name)
    .join(_repository, _repository.c.id == _push.c.repository)
    .where(_push.c.commits != "[]")
    .order_by(_push.c.id)
)
_REVIEWS = compile_query(
    select(tables.review, _user.c.person)
    .join(_user, _user.c.id == tables.review.c.user)
    .where(tables.review.c.pull == bindparam("pull"))
    .order_by(tables.review.c.id)
)
_ASKED = compile_query(
    select(tables.request.c.id, _user.c.person)
    .join(_user, _user.c.id == tables.request.c.user)
    .where(tables.request.c.pull == bindparam("pull"))
    .order_by(tables.request.c.id)
)
_CHECKS = compile_query(
    select(tables.check)
    .where(tables.check.c.pull == bindparam("pull"), tables.check.c.sha == bindparam("sha"))
    .order_by(tables.check.c.id)
)


def path_of(rows: Rows, table: str, row: Row) -> str:
    """`github:pennywhistle/boxoffice.branch/main`, `….pull/12`, and below it `….pull/12.comment/3`."""
    match table:
        case "engine_git_ref":
            return ref_path(row.text("repo"), row.text("name"))
        case "engine_git_object":
            return f"{repository_path(row.text('repo'))}.object/{row.text('sha')}"
        case "github_user":
            return user_path(row.text("login"))
        case "github_repository":
            return repository_path(row.text("full_name"))
        case "github_push":
            return f"{ref_path(_full_name(rows, row), row.text('ref'))}.push/{row.number('id')}"
        case "github_pull":
            return pull_path(_full_name(rows, row), row.number("number"))
    pull = rows.get(_pull, row.number("pull"))
    place = path_of(rows, "github_pull", pull) if pull else "github:gone"
    return f"{place}.{table.removeprefix('github_')}/{row.number('id')}"


def _full_name(rows: Rows, row: Row) -> str:
    found = rows.get(_repository, row.number("repository"))
    return found.text("full_name") if found else "gone"


# -- things -------------------------------------------------------------------------------------------------


def find(rows: Rows, pattern: str) -> list[Thing]:
    """The things that a pattern names; the owner may be left out of a repository's name.

    `boxoffice.branch/fix-*` branches · `boxoffice.pull/12`, `#12` or `Simplify hold*` pulls, by number or title ·
    `boxoffice.commit/3f2a…` the pull that was merged as it, else the commit itself · `pennywhistle/boxoffice`.
    """
    full_name, kind, item = split_path(f"github:{pattern}")
    if kind == "branch":
        return [thing for thing in _branches(rows) if _fits(rows, thing.path, full_name, item)]
    if kind == "commit":
        return _commits(rows, full_name, item)
    if kind == "pull":
        found = (_pull_thing(rows, row) for row in rows.all(_PULLS))
        return [thing for thing in found if _fits(rows, thing.path, full_name, item)]
    number = pattern.removeprefix("#")
    pulls = [
        _pull_thing(rows, row)
        for row in rows.all(_PULLS)
        if str(row["number"]) == number or fits(row.text("title"), pattern)
    ]
    return pulls or [_repository_thing(row) for row in rows.all(_REPOSITORIES) if _is_called(row, pattern)]


def _fits(rows: Rows, path: str, name: str, item: str) -> bool:
    """Whether a path is one of a repository, by either name, and of an item, both of them patterns."""
    full_name, _, found = split_path(path)
    short = full_name.rpartition("/")[2]
    return any(fits(called, name) for called in (full_name, short)) and fits(found, item)


def _is_called(row: Row, pattern: str) -> bool:
    return fits(row.text("full_name"), pattern) or fits(row.text("name"), pattern)


def _repository_thing(row: Row) -> Thing:
    fields: JsonObject = {
        "name": row.text("name"),
        "default_branch": row.text("default_branch"),
        "protected": orjson.loads(row.text("protected")),
    }
    return Thing(repository_path(row.text("full_name")), fields, (("github_repository", row.number("id")),))


def _branches(rows: Rows) -> Iterator[Thing]:
    for row in rows.all(_REFS):
        if row.text("name").startswith(BRANCHES):
            name = row.text("name").removeprefix(BRANCHES)
            fields: JsonObject = {"name": name, "sha": row.text("target")}
            yield Thing(branch_path(row.text("repo"), name), fields, (("engine_git_ref", row.number("id")),))


def _commits(rows: Rows, name: str, sha: str) -> list[Thing]:
    """The pull that was merged as a commit, which is what an author means by it; else the commit as it was pushed."""
    merged = [row for row in rows.all(_PULLS) if row["merge_sha"] and fits(row.text("merge_sha"), sha)]
    if merged:
        return [_pull_thing(rows, row) for row in merged]
    things = []
    for row in rows.all(_PUSHES):
        for made in orjson.loads(row.text("commits")):
            path = commit_path(row.text("full_name"), made)
            if _fits(rows, path, name, sha):
                fields: JsonObject = {"sha": made, "branch": row.text("ref").removeprefix(BRANCHES)}
                things.append(
                    Thing(path, {**fields, "message": row.text("text")}, (("github_push", row.number("id")),))
                )
    return things


def _pull_thing(rows: Rows, row: Row) -> Thing:
    """A pull; `approved_by` are those who approved the head that it has now, or that was merged."""
    key = row.number("id")
    author, merged_by = _person(rows, row["author"]), _person(rows, row["merged_by"])
    parts = [("github_pull", key)]
    verdicts: dict[str, tuple[str, str]] = {}
    for review in rows.all(_REVIEWS, pull=key):
        parts.append(("github_review", review.number("id")))
        if review["state"] != "COMMENTED":
            verdicts[review.text("person")] = review.text("state"), review.text("sha")
    asked = rows.all(_ASKED, pull=key)
    parts += [("github_request", one.number("id")) for one in asked]
    checks = rows.all(_CHECKS, pull=key, sha=row.text("head_sha"))
    fields: JsonObject = {
        "repository": row.text("full_name"),
        "number": row.number("number"),
        "title": row.text("title"),
        "body": row.text("body"),
        "state": row.text("state"),
        "merged": row["state"] == "merged",
        "author": author,
        "merged_by": merged_by,
        "base": row.text("base"),
        "head": row.text("head"),
        "sha": row.text("head_sha"),
        "merge_sha": row.text("merge_sha"),
        "files": orjson.loads(row.text("files")),
        "approved_by": [who for who, verdict in verdicts.items() if verdict == ("APPROVED", row["head_sha"])],
        "changes_requested_by": [who for who, (state, _) in verdicts.items() if state == "CHANGES_REQUESTED"],
        "reviewers": [one.text("person") for one in asked],
        "checks": checks[-1].text("conclusion") if checks else "none",
    }
    return Thing(pull_path(row.text("full_name"), row.number("number")), fields, tuple(parts))


def _person(rows: Rows, key: object) -> str:
    found = rows.get(_user, key) if isinstance(key, int) else None
    return found.text("person") if found else ""
