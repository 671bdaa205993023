"""GitHub's pull requests and commits as a reader of any forge takes them, and what texts name of them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

from sqlalchemy import select

from brownout.core.artefacts import Check, LandedCommit, Name, Names, PullRequest, Remark, Review
from brownout.core.instants import SECOND
from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from brownout.store.git import Repository, UnknownRevision
from brownout.store.git.errors import GitError
from brownout.store.git.history import walk
from brownout.store.git.objects import is_folder
from tools.github import tables
from tools.github.paths import commit_path, pull_path
from tools.github.repositories import opened_at

__all__ = ["artefacts", "names"]

_USERS = compile_query(select(tables.user))
_REPOSITORIES = compile_query(select(tables.repository).order_by(tables.repository.c.id))
_PULLS = compile_query(select(tables.pull).order_by(tables.pull.c.created_us, tables.pull.c.id))
_REVIEWS = compile_query(select(tables.review).order_by(tables.review.c.at_us, tables.review.c.id))
_COMMENTS = compile_query(select(tables.comment).order_by(tables.comment.c.at_us, tables.comment.c.id))
_CHECKS = compile_query(select(tables.check).order_by(tables.check.c.started_us, tables.check.c.id))

_VERDICTS: Final[Mapping[str, Literal["approved", "changes", "commented"]]] = {
    "APPROVED": "approved",
    "CHANGES_REQUESTED": "changes",
}
_PASSED: Final = {"success": True, "failure": False, "timed_out": False}
_PULL: Final = re.compile(
    r"(?<![\w/.&-])(?P<in>[\w.-]{1,100}/[\w.-]{1,100}|[\w.-]{1,100})?#(?P<hash>[1-9]\d{0,5})\b(?![-/])"
    r"|(?P<link>[\w.-]{1,100}/[\w.-]{1,100})/pulls?/(?P<slash>[1-9]\d{0,5})\b"
)
_SHA: Final = re.compile(r"(?<![\w/-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])(?:[0-9a-f]{7,12}|[0-9a-f]{40})(?![\w-])")
_FILE: Final = re.compile(
    r"(?<![\w/.:@~-])(?:[\w.-]+/)+[\w-]+\.(?P<far>[A-Za-z]\w{0,5})\b(?!/)|`(?P<near>[\w-]+\.(?P<end>[a-z]\w{0,5}))`"
)
_LINKS: Final = re.compile(r"https?://\S+|\S+@\S+\.\w+")


def artefacts(rows: Rows, folder: Path) -> Iterator[PullRequest | LandedCommit]:
    """Every pull request, then every commit of the default branches that merges nothing."""
    people = {row.number("id"): row.text("person") for row in rows.all(_USERS)}
    repositories = {row.number("id"): row for row in rows.all(_REPOSITORIES)}
    yield from _pulls(rows, people, repositories)
    by_mail = {row.text("email").lower(): row.text("person") for row in rows.all(_USERS)}
    for row in repositories.values():
        git = opened_at(rows, folder, row)
        try:
            tip = git.commit_at(row.text("default_branch")).sha
        except UnknownRevision:
            continue
        for commit in walk(git.objects, [tip]):
            if len(commit.parents) > 1:
                continue
            changed = git.diff_commit(commit.sha)
            subject, _, body = commit.message.partition("\n")
            email = commit.author.email.lower()
            yield LandedCommit(
                path=commit_path(row.text("full_name"), commit.sha),
                repository=row.text("full_name"),
                who=by_mail.get(email, ""),
                at=commit.author.seconds * SECOND,
                subject=subject,
                text=body.strip(),
                author=email,
                zone_minutes=commit.author.offset_minutes,
                files=len(changed),
                lines=sum(one.additions + one.deletions for one in changed),
            )


def _pulls(rows: Rows, people: Mapping[int, str], repositories: Mapping[int, Row]) -> Iterator[PullRequest]:
    reviews, comments, checks = (_below(rows.all(query)) for query in (_REVIEWS, _COMMENTS, _CHECKS))
    for row in rows.all(_PULLS):
        key, repository = row.number("id"), repositories.get(row.number("repository"))
        who = people.get(row.number("author"), "")
        name = repository.text("full_name") if repository else "gone"
        problems = [] if who else ["its author has no account"]
        if repository is None:
            problems.append("its repository is not there")
        yield PullRequest(
            path=pull_path(name, row.number("number")),
            repository=name,
            who=who,
            at=row.number("created_us"),
            title=row.text("title"),
            text=row.text("body"),
            merged=_moment(row, "merged_us"),
            closed=_moment(row, "merged_us") or _moment(row, "closed_us"),
            reviews=tuple(
                Review(
                    people.get(one.number("user"), ""),
                    one.number("at_us"),
                    _VERDICTS.get(one.text("state"), "commented"),
                    one.text("body"),
                )
                for one in reviews[key]
            ),
            remarks=tuple(
                Remark(people.get(one.number("user"), ""), one.number("at_us"), one.text("body"), one.text("path"))
                for one in comments[key]
            ),
            checks=tuple(
                Check(one.text("name"), one.number("started_us"), _PASSED.get(one.text("conclusion")))
                for one in checks[key]
            ),
            problems=tuple(problems),
        )


def _below(rows: list[Row]) -> defaultdict[int, list[Row]]:
    found = defaultdict[int, list[Row]](list)
    for row in rows:
        found[row.number("pull")].append(row)
    return found


def _moment(row: Row, column: str) -> int | None:
    return row.number(column) if row[column] is not None else None


def names(rows: Rows, folder: Path) -> Names:
    """Pull requests (`#12`, `boxoffice#12`, links), commits by the beginning of their id, and files by their path.

    A file counts where it ends as files of the repositories do, and is there where any commit ever had it. A bare file
    name needs backticks.
    """
    repositories = {row.number("id"): row for row in rows.all(_REPOSITORIES)}
    pulls = defaultdict[int, dict[str, Row]](dict)
    for row in rows.all(_PULLS):
        if (owner := repositories.get(row.number("repository"))) is not None:
            pulls[row.number("number")][owner.text("full_name")] = row
    called = {row.text(column) for row in repositories.values() for column in ("name", "full_name")}
    commits, files = dict[str, tuple[str, int]](), set[str]()
    for row in repositories.values():
        name, git, seen = row.text("full_name"), opened_at(rows, folder, row), set[tuple[str, str]]()
        for commit in walk(git.objects, _tips(git, (one[name] for one in pulls.values() if name in one))):
            commits[commit.sha] = (commit_path(name, commit.sha), commit.committer.seconds * SECOND)
            files.update(_paths(git, commit.tree, seen))
    ends = {file.rpartition(".")[2] for file in files if "." in file.rpartition("/")[2]}
    parts = {"/".join(split[start:]) for file in files for split in [file.split("/")] for start in range(len(split))}
    beginnings = {sha[:7]: sha for sha in commits}

    def found(text: str) -> Iterator[Name]:
        for one in _PULL.finditer(text) if "#" in text or "/pull" in text else ():
            repository, number = one["in"] or one["link"] or "", int(one["hash"] or one["slash"])
            if repository and repository not in called:
                continue
            there = {
                name: row.number("created_us")
                for name, row in pulls.get(number, {}).items()
                if repository in ("", name, name.rpartition("/")[2])
            }
            first = min(there, key=lambda name: (there[name], name), default="")
            yield Name(one[0], "pull request", pull_path(first, number) if first else "", there.get(first))
        for one in _SHA.finditer(text):
            sha = beginnings.get(one[0][:7], "")
            path, since = commits[sha] if sha.startswith(one[0]) and sha else ("", None)
            yield Name(one[0], "commit", path, since)
        for one in _FILE.finditer(_LINKS.sub(" ", text)) if "." in text else ():
            if (one["far"] or one["end"]) in ends:
                words = one["near"] or one[0]
                yield Name(words, "file", f"file:{words}" if words.removeprefix("./") in parts else "")

    return found


def _tips(git: Repository, pulls: Iterable[Row]) -> list[str]:
    """The commits that branches, tags and pull requests lead to, those of branches that are gone as well."""
    revisions = [*git.refs.all().values()]
    revisions += [row.text(column) for row in pulls for column in ("head_sha", "merge_sha") if row.text(column)]
    found = dict[str, None]()
    for revision in dict.fromkeys(revisions):
        with suppress(GitError):
            found[git.commit_at(revision).sha] = None
    return [*found]


def _paths(git: Repository, tree: str, seen: set[tuple[str, str]], prefix: str = "") -> Iterator[str]:
    """The files below a folder of git's; folders that were looked at before are left out."""
    if (prefix, tree) in seen:
        return
    seen.add((prefix, tree))
    for name, (mode, sha) in git.objects.tree(tree).items():
        path = prefix + name.decode("utf-8", "replace")
        if is_folder(mode):
            yield from _paths(git, sha.decode(), seen, f"{path}/")
        else:
            yield path
