"""What does not hold together: names of nothing, effects before their causes, deeds of people who were away."""

from collections.abc import Callable, Iterator

from brownout.core.artefacts import ChatMessage, NameKind, PullRequest, SentMail, Ticket
from brownout.core.instants import SECOND, Instant, local
from generators.report.measured_company import MeasuredCompany
from generators.report.statistic import ExampleArtefact, Measured, measures

__all__ = ["deeds", "orders"]

_PRECISION = SECOND
"""Git's times are whole seconds."""
_BEFORE = 60
"""Characters of a long text that are shown before what is wrong."""


def _broken(examples: list[ExampleArtefact], of: int) -> Measured:
    return Measured(float(len(examples)) if of else None, of, examples)


@measures("integrity.rows")
def rows(company: MeasuredCompany) -> Measured:
    """Rows that point at a row that is not there: an author, a thread, what is answered, a link."""
    found = [
        ExampleArtefact(one.path, one.at, one.who, problem) for one in company.artefacts for problem in one.problems
    ]
    return _broken(found, len(company.artefacts))


def _around(text: str, words: str) -> str:
    """The text, from shortly before the words where it is long."""
    start = text.find(words)
    return text if start <= _BEFORE else f"… {text[start - _BEFORE :].partition(' ')[2]}"


def _nothing(kind: NameKind) -> Callable[[MeasuredCompany], Measured]:
    def measure(company: MeasuredCompany) -> Measured:
        named = [(one, name) for one, name in company.named if name.kind == kind]
        found = [
            ExampleArtefact(one.path, one.at, one.who, f"{name.words}: {_around(one.text, name.words)}")
            for one, name in named
            if not name.path
        ]
        return _broken(found, len(named))

    return measure


for _kind in ("ticket", "pull request", "commit", "file", "room", "person"):
    measures(f"integrity.names.{_kind.replace(' ', '_')}")(_nothing(_kind))


def orders(company: MeasuredCompany) -> Iterator[tuple[str, Instant, Instant, str, str]]:
    """Each effect with its cause: the effect's path, the two moments (cause first), who, and in words what they are."""
    at = {one.path: one.at for one in company.artefacts}
    for one in company.artefacts:
        match one:
            case ChatMessage() if one.thread in at:
                yield one.path, at[one.thread], one.at, one.who, "a reply before what it answers"
            case SentMail() if one.answers in at:
                yield one.path, at[one.answers], one.at, one.who, "an answer before the mail it answers"
            case Ticket():
                later = [(each.at, each.who, "a comment before its ticket") for each in one.remarks]
                later += [(each.at, each.who, f"{each.field} changed before its ticket") for each in one.changes]
                yield from ((one.path, one.at, when, who, what) for when, who, what in later)
            case PullRequest():
                later = [(each.at, each.who, "a review before its pull request") for each in one.reviews]
                later += [(each.at, each.who, "a comment before its pull request") for each in one.remarks]
                later += [(each.started, "", "a check before its pull request") for each in one.checks]
                later += [(one.merged, one.who, "merged before it was opened")] if one.merged is not None else []
                later += [(one.closed, one.who, "closed before it was opened")] if one.closed is not None else []
                yield from ((one.path, one.at, when, who, what) for when, who, what in later)
            case _:
                pass


@measures("integrity.order")
def order(company: MeasuredCompany) -> Measured:
    """Effects before their causes, in rows: replies, comments, reviews, checks, merges."""
    found = [*orders(company)]
    early = [ExampleArtefact(path, when, who, what) for path, cause, when, who, what in found if when < cause]
    return _broken(early, len(found))


@measures("integrity.order.names")
def named_early(company: MeasuredCompany) -> Measured:
    """Texts that name a thing before there is one."""
    found = [(one, name) for one, name in company.named if name.since is not None]
    early = [
        ExampleArtefact(one.path, one.at, one.who, f"{name.words}: {_around(one.text, name.words)}")
        for one, name in found
        if name.since is not None and one.at + _PRECISION < name.since and one.path != name.path
    ]
    return _broken(early, len(found))


def deeds(company: MeasuredCompany) -> Iterator[tuple[str, str, Instant, str]]:
    """What people did, one by one: path, who, when, and in words what it is."""
    for one in company.said:
        yield one.path, one.who, one.at, f"{one.kind}: {one.text}"
    for ticket in company.tickets:
        yield from ((ticket.path, one.who, one.at, f"{one.field} to {one.new}") for one in ticket.changes)
    for pull in company.pulls:
        yield from ((pull.path, one.who, one.at, one.verdict) for one in pull.reviews if not one.text.strip())


@measures("integrity.away")
def away(company: MeasuredCompany) -> Measured:
    """Deeds of people on a day off, before they joined or after they left."""
    seen, found = 0, []
    for path, who, at, what in deeds(company):
        person = company.people.get(who)
        if person is not None and person.account.kind == "person":
            seen += 1
            if person.attendance.is_away(at):
                found.append(
                    ExampleArtefact(path, at, who, f"away on {local(at, person.account.zone):%a %d %b}: {what}")
                )
    return _broken(found, seen)


@measures("integrity.nobody")
def nobody(company: MeasuredCompany) -> Measured:
    """Texts of the company whose author has no account."""
    found = [
        ExampleArtefact(one.path, one.at, one.who, one.text)
        for one in company.texts
        if one.who and one.who not in company.people
    ]
    return _broken(found, len(company.texts))
