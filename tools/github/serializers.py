"""Rows and commits as GitHub's JSON; text files are shown as text."""

from base64 import b64encode
from typing import Final

from sqlalchemy import bindparam, func, select

from brownout.core.apps import Call
from brownout.core.instants import iso
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from brownout.store.git import Commit, FileDiff, Signature, TreeEntry
from tools.github import records, tables

__all__ = [
    "check_json",
    "comment_json",
    "commit_date",
    "commit_json",
    "content_json",
    "entry_json",
    "file_json",
    "pull_json",
    "repository_json",
    "review_json",
    "short_commit_json",
]

_user = tables.user
_BY_EMAIL = compile_query(select(_user.c.login).where(_user.c.email == bindparam("email")))
_PUSHED = compile_query(
    select(func.max(tables.push.c.at_us)).where(tables.push.c.repository == bindparam("repository"))
)
_OPEN = compile_query(
    select(func.count())
    .select_from(tables.pull)
    .where(tables.pull.c.repository == bindparam("repository"), tables.pull.c.state == "open")
)
_COMMENTS = compile_query(
    select(func.count()).select_from(tables.comment).where(tables.comment.c.pull == bindparam("pull"))
)

_LARGEST_FILE: Final = 1 << 20
"""Bytes; the contents API shows no larger file (docs.github.com/rest/repos/contents)."""
_LARGEST_PATCH: Final = 100_000
"""Characters of one file's patch; GitHub leaves out those of large files too."""


def repository_json(call: Call, row: Row) -> JsonObject:
    """A repository."""
    pushed = call.rows.scalar(_PUSHED, repository=row.number("id"))
    return {
        "full_name": row.text("full_name"),
        "name": row.text("name"),
        "owner": {"login": row.text("owner")},
        "private": True,
        "description": row.text("description") or None,
        "default_branch": row.text("default_branch"),
        "open_pulls_count": call.rows.scalar(_OPEN, repository=row.number("id")),  # type: ignore[dict-item]
        "created_at": iso(row.number("created_us")),
        "pushed_at": iso(pushed if isinstance(pushed, int) else row.number("created_us")),
    }


# -- git ----------------------------------------------------------------------------------------------------


def short_commit_json(call: Call, commit: Commit) -> JsonObject:
    """A commit as lists show it."""
    return {
        "sha": commit.sha,
        "author": _login(call, commit.author),
        "commit": {
            "author": _signature(commit.author),
            "committer": _signature(commit.committer),
            "message": commit.message.rstrip("\n"),
            "tree": {"sha": commit.tree},
        },
        "parents": [{"sha": sha} for sha in commit.parents],
    }


def commit_date(commit: Commit) -> str:
    """When a commit was written."""
    return iso(commit.author.seconds * 1_000_000)


def commit_json(call: Call, commit: Commit, files: list[FileDiff]) -> JsonObject:
    """A commit with what it changed."""
    additions, deletions = sum(file.additions for file in files), sum(file.deletions for file in files)
    return {
        **short_commit_json(call, commit),
        "stats": {"additions": additions, "deletions": deletions, "total": additions + deletions},
        "files": [file_json(file) for file in files],
    }


def file_json(file: FileDiff) -> JsonObject:
    """What happened to one file."""
    shown: JsonObject = {
        "filename": file.path,
        "status": file.status,
        "sha": file.sha,
        "additions": file.additions,
        "deletions": file.deletions,
        "changes": file.additions + file.deletions,
    }
    if file.old_path != file.path:
        shown["previous_filename"] = file.old_path
    if file.patch and len(file.patch) <= _LARGEST_PATCH:
        shown["patch"] = file.patch
    return shown


def content_json(path: str, sha: str, data: bytes) -> JsonObject:
    """A file with its content: text as it is, all else as base64, nothing of very large files."""
    shown: JsonObject = {"type": "file", "name": path.rpartition("/")[2], "path": path, "sha": sha, "size": len(data)}
    if len(data) > _LARGEST_FILE:
        return {**shown, "encoding": "none", "content": ""}
    try:
        text = None if b"\0" in data else data.decode()
    except UnicodeDecodeError:
        text = None
    if text is None:
        return {**shown, "encoding": "base64", "content": b64encode(data).decode()}
    return {**shown, "encoding": "utf-8", "content": text}


def entry_json(folder: str, name: str, entry: TreeEntry) -> JsonObject:
    """One entry of a folder."""
    kind = {"tree": "dir", "blob": "file", "commit": "submodule"}[entry.kind]
    path = f"{folder}/{name}" if folder else name
    return {"type": kind, "name": name, "path": path, "sha": entry.sha}


def _signature(signature: Signature) -> JsonObject:
    return {"name": signature.name, "email": signature.email, "date": iso(signature.seconds * 1_000_000)}


def _login(call: Call, signature: Signature) -> Json:
    """The account that a commit's address belongs to."""
    found = call.rows.scalar(_BY_EMAIL, email=signature.email)
    return {"login": found} if isinstance(found, str) else None


# -- pulls --------------------------------------------------------------------------------------------------


def pull_json(call: Call, row: Row) -> JsonObject:
    """A pull as lists show it; `merged_at` tells a merged one from one that was only closed."""
    repository = records.repository_of(call, row)
    return {
        "number": row.number("number"),
        "repository": repository.text("full_name"),
        "state": "open" if row["state"] == "open" else "closed",
        "title": row.text("title"),
        "body": row.text("body") or None,
        "user": _by(call, row["author"]),
        "head": {"ref": row.text("head"), "sha": row.text("head_sha")},
        "base": {"ref": row.text("base"), "sha": row.text("base_sha")},
        "requested_reviewers": [_by(call, asked["user"]) for asked in records.requested(call, row)],
        "comments": call.rows.scalar(_COMMENTS, pull=row.number("id")),  # type: ignore[dict-item]
        "created_at": iso(row.number("created_us")),
        "updated_at": iso(row.number("updated_us")),
        "closed_at": _moment(row["closed_us"]),
        "merged_at": _moment(row["merged_us"]),
        "merged_by": _by(call, row["merged_by"]),
        "merge_commit_sha": row.text("merge_sha") or None,
    }


def comment_json(call: Call, row: Row) -> JsonObject:
    """A comment; one that is about a file says where."""
    shown: JsonObject = {
        "id": row.number("id"),
        "user": _by(call, row["user"]),
        "body": row.text("body"),
        "created_at": iso(row.number("at_us")),
    }
    if row["path"]:
        line = row["line"]
        shown |= {"path": row.text("path"), "commit_id": row.text("sha")}
        shown |= {"subject_type": "line", "line": line} if isinstance(line, int) else {"subject_type": "file"}
    return shown


def review_json(call: Call, row: Row) -> JsonObject:
    """A review."""
    return {
        "id": row.number("id"),
        "user": _by(call, row["user"]),
        "state": row.text("state"),
        "body": row.text("body"),
        "commit_id": row.text("sha"),
        "submitted_at": iso(row.number("at_us")),
    }


def check_json(call: Call, row: Row) -> JsonObject:
    """A check run as far as it has come; what it found is told when it has completed."""
    status = records.status_of(row, call.now)
    shown: JsonObject = {
        "id": row.number("id"),
        "name": row.text("name"),
        "head_sha": row.text("sha"),
        "status": status,
        "conclusion": None,
        "started_at": iso(row.number("started_us")) if status != "queued" else None,
        "completed_at": None,
    }
    if status == "completed":
        shown |= {"conclusion": row.text("conclusion"), "completed_at": iso(row.number("completes_us"))}
        shown["output"] = {"title": row.text("summary"), "text": row.text("log") or None}
    return shown


def _by(call: Call, key: object) -> Json:
    return {"login": records.user_by_key(call, key).text("login")} if isinstance(key, int) else None


def _moment(at: object) -> Json:
    return iso(at) if isinstance(at, int) else None
