"""Pull requests: opened, talked about, reviewed, closed."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from sqlalchemy import bindparam, func, select

from brownout.core.apps import Call
from brownout.core.calls import NoticeKind
from brownout.core.mentions import called
from brownout.core.rows import Row, Value
from brownout.store import compile_query
from brownout.store.git import Repository
from tools.github import tables
from tools.github.paths import pull_path
from tools.github.records.accounts import person_of, repository_of, user_named
from tools.github.records.pushes import branch_tip, changed_paths

__all__ = [
    "ReviewState",
    "add_comment",
    "add_review",
    "approvals",
    "ask_for_review",
    "change_pull",
    "close_pull",
    "enter_pull",
    "open_pull",
    "pull_again",
    "pull_merged_as",
    "pull_numbered",
    "requested",
    "reviews_of",
    "tell",
]

ReviewState: TypeAlias = Literal["APPROVED", "CHANGES_REQUESTED", "COMMENTED"]

_pull, _request, _review, _comment = tables.pull, tables.request, tables.review, tables.comment
_LAST = compile_query(select(func.max(_pull.c.number)).where(_pull.c.repository == bindparam("repository")))
_NUMBERED = compile_query(
    select(_pull).where(_pull.c.repository == bindparam("repository"), _pull.c.number == bindparam("number"))
)
_MERGED_AS = compile_query(select(_pull).where(_pull.c.merge_sha == bindparam("sha")).order_by(_pull.c.id))
_REQUESTED = compile_query(select(_request).where(_request.c.pull == bindparam("pull")).order_by(_request.c.id))
_REVIEWS = compile_query(select(_review).where(_review.c.pull == bindparam("pull")).order_by(_review.c.id))
_TALKED = compile_query(
    select(_comment.c.user)
    .where(_comment.c.pull == bindparam("pull"))
    .union(select(_review.c.user).where(_review.c.pull == bindparam("pull")))
    .order_by(_comment.c.user)
)


def pull_numbered(call: Call, repository: Row, number: int) -> Row | None:
    return call.rows.one(_NUMBERED, repository=repository.number("id"), number=number)


def pull_merged_as(call: Call, sha: str) -> Row | None:
    """The pull whose merge made that commit."""
    return call.rows.one(_MERGED_AS, sha=sha) if sha else None


def pull_again(call: Call, pull: Row) -> Row:
    """A pull as it is now."""
    found = call.rows.get(_pull, pull.number("id"))
    assert found is not None
    return found


def open_pull(
    call: Call,
    repository: Row,
    git: Repository,
    author: Row,
    *,
    title: str,
    body: str,
    head: str,
    base: str,
    reviewers: Iterable[Row] = (),
) -> Row:
    """Open a pull of one branch into another, both of which are there; tell those who are asked or mentioned."""
    head_sha, base_sha = branch_tip(git, head), branch_tip(git, base)
    assert head_sha is not None
    assert base_sha is not None
    files = changed_paths(git, base_sha, head_sha)
    made = enter_pull(
        call,
        repository,
        author,
        title=title,
        body=body,
        head=head,
        base=base,
        head_sha=head_sha,
        base_sha=base_sha,
        files=files,
    )
    git.set_ref(f"refs/pull/{made.number('number')}/head", head_sha, None)
    asked = ask_for_review(call, made, author, reviewers)
    tell(call, made, author, f"{title}: {body}" if body else title, mentioned=body, but=asked)
    return made


def enter_pull(
    call: Call,
    repository: Row,
    author: Row,
    *,
    title: str,
    body: str,
    head: str,
    base: str,
    head_sha: str,
    base_sha: str,
    files: str,
) -> Row:
    """The row of a new pull, which tells nobody: for those that were there before the calendar began.

    Args:
        files: JSON list of the paths that it changes.
    """
    key = call.rows.insert(
        _pull,
        repository=repository.number("id"),
        number=_next_number(call, repository),
        title=title,
        body=body,
        author=author.number("id"),
        head=head,
        base=base,
        head_sha=head_sha,
        base_sha=base_sha,
        state="open",
        files=files,
        created_us=call.now,
        updated_us=call.now,
    )
    made = call.rows.get(_pull, key)
    assert made is not None
    return made


def ask_for_review(call: Call, pull: Row, who: Row, reviewers: Iterable[Row]) -> list[str]:
    """Ask people for their review and tell them; who was asked before is told again. Returns them."""
    asked = {row["user"] for row in requested(call, pull)}
    told = []
    for reviewer in reviewers:
        if reviewer["id"] not in asked:
            call.rows.insert(_request, pull=pull.number("id"), user=reviewer.number("id"))
        place, path = _place(call, pull)
        text = f"{who.text('name')} asks for your review of {place}: {pull.text('title')}"
        call.reach(reviewer.text("person"), "review", path, text)
        told.append(reviewer.text("person"))
    return told


def requested(call: Call, pull: Row) -> list[Row]:
    """The reviews that were asked for and not given, in the order in which they were asked for."""
    return call.rows.all(_REQUESTED, pull=pull.number("id"))


def add_comment(
    call: Call, pull: Row, author: Row, body: str, *, path: str = "", line: int | None = None, sha: str = ""
) -> Row:
    """Comment on a pull, or on a file in it, and tell whoever takes part in it."""
    made = call.rows.insert(
        _comment,
        pull=pull.number("id"),
        user=author.number("id"),
        body=body,
        path=path,
        line=line,
        sha=sha or pull.text("head_sha"),
        at_us=call.now,
    )
    call.rows.update(_pull, pull.number("id"), updated_us=call.now)
    tell(call, pull, author, body, mentioned=body, others=_taking_part(call, pull))
    found = call.rows.get(_comment, made)
    assert found is not None
    return found


def add_review(call: Call, pull: Row, reviewer: Row, state: ReviewState, body: str) -> Row:
    """Review a pull as it stands and tell its author; if the review was asked for, it no longer is."""
    made = call.rows.insert(
        _review,
        pull=pull.number("id"),
        user=reviewer.number("id"),
        state=state,
        body=body,
        sha=pull.text("head_sha"),
        at_us=call.now,
    )
    for row in requested(call, pull):
        if row["user"] == reviewer["id"]:
            call.rows.delete(_request, row.number("id"))
    call.rows.update(_pull, pull.number("id"), updated_us=call.now)
    verdict = {"APPROVED": "approved", "CHANGES_REQUESTED": "requested changes", "COMMENTED": "reviewed"}[state]
    text = f"{verdict}. {body}" if body else verdict
    tell(call, pull, reviewer, text, mentioned=body, others=[person_of(call, pull.number("author"))])
    found = call.rows.get(_review, made)
    assert found is not None
    return found


def reviews_of(call: Call, pull: Row) -> list[Row]:
    """The reviews of a pull, oldest first."""
    return call.rows.all(_REVIEWS, pull=pull.number("id"))


def approvals(call: Call, pull: Row) -> dict[int, ReviewState]:
    """The last word of each reviewer by their key: approved, or changes requested. A mere comment changes neither."""
    last: dict[int, ReviewState] = {}
    for row in reviews_of(call, pull):
        if row["state"] == "APPROVED":
            last[row.number("user")] = "APPROVED"
        elif row["state"] == "CHANGES_REQUESTED":
            last[row.number("user")] = "CHANGES_REQUESTED"
    return last


def change_pull(
    call: Call,
    pull: Row,
    who: Row,
    git: Repository,
    *,
    title: str | None = None,
    body: str | None = None,
    base: str | None = None,
) -> Row:
    """Change what a pull says or the branch that it goes to, which is there; tell those whom only the new text mentions."""
    wanted: dict[str, Value] = {"title": title, "body": body, "base": base}
    changes = {name: value for name, value in wanted.items() if value is not None and value != pull[name]}
    if not changes:
        return pull
    if "base" in changes:
        tip = branch_tip(git, str(changes["base"]))
        assert tip is not None
        changes |= {"base_sha": tip, "files": changed_paths(git, tip, pull.text("head_sha"))}
    call.rows.update(_pull, pull.number("id"), **changes, updated_us=call.now)
    changed = pull_again(call, pull)
    known = [person_of(call, user.number("id")) for user in _named_in(call, pull.text("body"))]
    tell(call, changed, who, changed.text("body"), mentioned=changed.text("body"), but=known)
    return changed


def close_pull(call: Call, pull: Row, who: Row) -> Row:
    """Close an open pull without merging it and tell its author."""
    call.rows.update(_pull, pull.number("id"), state="closed", closed_us=call.now, updated_us=call.now)
    tell(call, pull, who, "closed without merging", others=[person_of(call, pull.number("author"))], kind="message")
    return pull_again(call, pull)


def tell(
    call: Call,
    pull: Row,
    who: Row,
    text: str,
    *,
    mentioned: str = "",
    others: Iterable[str] = (),
    but: Iterable[str] = (),
    kind: NoticeKind = "reply",
) -> None:
    """Tell people about something on a pull: those mentioned in a text, and others; nobody twice, nor who did it."""
    place, path = _place(call, pull)
    line = f"{who.text('name')} on {place}: {text}"
    done = {who.text("person"), *but}
    meant: list[tuple[str, NoticeKind]] = [(user.text("person"), "mention") for user in _named_in(call, mentioned)]
    meant += [(person, kind) for person in others]
    for person, as_kind in meant:
        if person not in done:
            done.add(person)
            call.reach(person, as_kind, path, line)


def _named_in(call: Call, text: str) -> list[Row]:
    """The accounts that a text mentions."""
    return [user for name in called(text) if (user := user_named(call, name)) is not None]


def _taking_part(call: Call, pull: Row) -> list[str]:
    """The author, those who said something, and those whose review is waited for."""
    talked = [row.number("user") for row in call.rows.all(_TALKED, pull=pull.number("id"))]
    asked = [row.number("user") for row in requested(call, pull)]
    return [person_of(call, key) for key in dict.fromkeys([pull.number("author"), *talked, *asked])]


def _place(call: Call, pull: Row) -> tuple[str, str]:
    """`pennywhistle/boxoffice#12`, and the path."""
    name, number = repository_of(call, pull).text("full_name"), pull.number("number")
    return f"{name}#{number}", pull_path(name, number)


def _next_number(call: Call, repository: Row) -> int:
    last = call.rows.scalar(_LAST, repository=repository.number("id"))
    return last + 1 if isinstance(last, int) else 1
