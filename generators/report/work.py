"""Statistics of tickets, pull requests and commits: how work comes, moves and ends."""

from collections import Counter
from collections.abc import Callable, Iterator
from math import log

from brownout.core.artefacts import LandedCommit, PullRequest, Review, Ticket
from brownout.core.instants import DAY, HOUR, Instant, local
from generators.report.chat import shows, words_in
from generators.report.list_statistics import deviation, gini, quantile, share
from generators.report.measured_company import MeasuredCompany
from generators.report.statistic import ExampleArtefact, Measured, counted, measures

__all__ = ["close_days", "merge_hours"]


def _of(thing: Ticket | PullRequest, says: str = "") -> ExampleArtefact:
    return ExampleArtefact(thing.path, thing.at, thing.who, says or thing.title)


# -- tickets ------------------------------------------------------------------------------------------------


def close_days(company: MeasuredCompany) -> list[float]:
    """Days from opening to the last closing, of tickets that are closed."""
    return [(one.closed - one.at) / DAY for one in company.tickets if one.closed is not None and one.closed > one.at]


for _percent in (10, 50, 90):

    def _closed(percent: float) -> Callable[[MeasuredCompany], Measured]:
        return lambda company: counted(close_days(company), lambda values: quantile(values, percent))

    measures(f"ticket.close_days.p{_percent}")(_closed(_percent))


@measures("ticket.close_days.spread")
def close_spread(company: MeasuredCompany) -> Measured:
    """The standard deviation of the logarithms of the days."""
    return counted([log(days) for days in close_days(company)], deviation)


for _percent in (50, 90):

    def _commented(percent: float) -> Callable[[MeasuredCompany], Measured]:
        return lambda company: counted(
            [len(one.remarks) for one in company.tickets], lambda values: quantile(values, percent)
        )

    measures(f"ticket.comments.p{_percent}")(_commented(_percent))


@measures("ticket.comments.none")
def uncommented(company: MeasuredCompany) -> Measured:
    """Tickets without a comment."""
    return counted([not one.remarks for one in company.tickets], share)


@measures("ticket.first_response_hours")
def ticket_response(company: MeasuredCompany) -> Measured:
    """Median hours to the first comment or change by somebody else."""
    waits = []
    for one in company.tickets:
        answers: list[Instant] = [each.at for each in one.remarks if each.who != one.who]
        answers += [each.at for each in one.changes if each.who != one.who]
        if answers:
            waits.append((min(answers) - one.at) / HOUR)
    return counted(waits, lambda values: quantile(values, 50))


@measures("ticket.states")
def states(company: MeasuredCompany) -> Measured:
    """States that 2 % of the tickets or more are in, or were."""
    seen = Counter(state for one in company.tickets for state in {one.status, *_visited(one)})
    used = [state for state, number in seen.items() if number >= 0.02 * len(company.tickets)]
    note = ", ".join(f"{state} {number}" for state, number in seen.most_common())
    return Measured(float(len(used)) if company.tickets else None, len(company.tickets), note=note)


def _visited(ticket: Ticket) -> Iterator[str]:
    for one in ticket.changes:
        if one.field == "status":
            yield from (one.old, one.new)


@measures("ticket.unlabelled")
def unlabelled(company: MeasuredCompany) -> Measured:
    """Tickets without a label."""
    return counted([not one.labels for one in company.tickets], share)


@measures("ticket.unassigned")
def unassigned(company: MeasuredCompany) -> Measured:
    """Tickets that are nobody's."""
    return counted([not one.assignee for one in company.tickets], share)


@measures("ticket.reopened")
def reopened(company: MeasuredCompany) -> Measured:
    """Tickets that were opened again, of those that were ever closed."""
    ever = [
        one for one in company.tickets if any(each.new in one.ended for each in one.changes if each.field == "status")
    ]
    return counted(
        [any(each.old in one.ended for each in one.changes if each.field == "status") for one in ever], share
    )


@measures("ticket.duplicates")
def duplicates(company: MeasuredCompany) -> Measured:
    """Tickets that were found to be another's double."""
    return counted([one.duplicate for one in company.tickets], share)


@measures("ticket.empty")
def empty(company: MeasuredCompany) -> Measured:
    """Tickets without a description."""
    return counted([not one.text.strip() for one in company.tickets], share)


@measures("ticket.repeats_title")
def repeats_title(company: MeasuredCompany) -> Measured:
    """Tickets whose description says what their title says."""
    same = [
        one for one in company.tickets if one.text.strip().rstrip(".").lower() == one.title.strip().rstrip(".").lower()
    ]
    examples = [_of(one, f"title and description: {one.title}") for one in same]
    return Measured(len(same) / len(company.tickets) if company.tickets else None, len(company.tickets), examples)


@measures("ticket.on_grid")
def on_grid(company: MeasuredCompany) -> Measured:
    """Tickets opened in a minute that five divides; a fifth by chance."""
    found = [one for one in company.tickets if local(one.at, company.zone).minute % 5 == 0]
    return Measured(
        len(found) / len(company.tickets) if company.tickets else None,
        len(company.tickets),
        [_of(one, f"opened {local(one.at, company.zone):%H:%M}") for one in found],
    )


@measures("ticket.common_priority")
def common_priority(company: MeasuredCompany) -> Measured:
    """Tickets with the commonest priority."""
    seen = Counter(one.priority for one in company.tickets)
    return Measured(max(seen.values()) / len(company.tickets) if seen else None, len(company.tickets))


# -- pull requests ------------------------------------------------------------------------------------------


def merge_hours(company: MeasuredCompany) -> list[float]:
    """Hours from opening to merging."""
    return [(one.merged - one.at) / HOUR for one in company.pulls if one.merged is not None]


@measures("pull.merged")
def merged(company: MeasuredCompany) -> Measured:
    """Pull requests that were merged, of those that are closed."""
    return counted([one.merged is not None for one in company.pulls if one.closed is not None], share)


for _percent in (25, 50, 75, 90):

    def _merged(percent: float) -> Callable[[MeasuredCompany], Measured]:
        return lambda company: counted(merge_hours(company), lambda values: quantile(values, percent))

    measures(f"pull.merge_hours.p{_percent}")(_merged(_percent))


@measures("pull.merged_in_a_day")
def merged_in_a_day(company: MeasuredCompany) -> Measured:
    """Merged pull requests that were so within 24 hours."""
    return counted([hours <= 24 for hours in merge_hours(company)], share)


def _others(pull: PullRequest) -> list[Review]:
    return [one for one in pull.reviews if one.who != pull.who]


@measures("pull.unreviewed")
def unreviewed(company: MeasuredCompany) -> Measured:
    """Closed pull requests that nobody else reviewed."""
    return counted([not _others(one) for one in company.pulls if one.closed is not None], share)


@measures("pull.reviews.p50")
def reviews(company: MeasuredCompany) -> Measured:
    """Reviews a pull request, the median."""
    return counted([len(_others(one)) for one in company.pulls], lambda values: quantile(values, 50))


@measures("pull.reviews.p90")
def many_reviews(company: MeasuredCompany) -> Measured:
    """Reviews of the much-reviewed."""
    return counted([len(_others(one)) for one in company.pulls], lambda values: quantile(values, 90))


@measures("pull.changes_requested")
def changes_requested(company: MeasuredCompany) -> Measured:
    """Pull requests of which a reviewer wanted changes."""
    return counted([any(each.verdict == "changes" for each in one.reviews) for one in company.pulls], share)


@measures("pull.approved_at_once")
def approved_at_once(company: MeasuredCompany) -> Measured:
    """Reviewed pull requests whose only verdict is one approval."""
    reviewed = [(one, _others(one)) for one in company.pulls if _others(one)]
    found = [one for one, verdicts in reviewed if [each.verdict for each in verdicts] == ["approved"]]
    examples = [_of(one, f"approved at once: {one.title}") for one in found]
    return Measured(len(found) / len(reviewed) if reviewed else None, len(reviewed), examples)


@measures("pull.red")
def red(company: MeasuredCompany) -> Measured:
    """Pull requests with a check that failed, of those with checks."""
    return counted([any(each.passed is False for each in one.checks) for one in company.pulls if one.checks], share)


@measures("pull.first_response_hours")
def first_response(company: MeasuredCompany) -> Measured:
    """Median hours to the first word of somebody else."""
    waits = []
    for one in company.pulls:
        answers: list[Instant] = [each.at for each in one.reviews if each.who != one.who]
        answers += [each.at for each in one.remarks if each.who != one.who]
        if answers:
            waits.append((min(answers) - one.at) / HOUR)
    return counted(waits, lambda values: quantile(values, 50))


@measures("pull.line_comments.p90")
def line_comments(company: MeasuredCompany) -> Measured:
    """Comments on lines of the much-commented."""
    return counted(
        [sum(bool(each.place) for each in one.remarks) for one in company.pulls], lambda values: quantile(values, 90)
    )


@measures("pull.few_comments")
def few_comments(company: MeasuredCompany) -> Measured:
    """Pull requests with fewer than four comments."""
    return counted([len(one.remarks) < 4 for one in company.pulls], share)


@measures("pull.empty")
def empty_body(company: MeasuredCompany) -> Measured:
    """Pull requests without a description."""
    return counted([not one.text.strip() for one in company.pulls], share)


@measures("pull.words.p50")
def pull_words(company: MeasuredCompany) -> Measured:
    """Median words of a description."""
    return counted([words_in(one.text) for one in company.pulls], lambda values: quantile(values, 50))


@measures("pull.closes_ticket")
def closes_ticket(company: MeasuredCompany) -> Measured:
    """Pull requests that name a ticket or a request of others in title or text."""
    return counted([shows("reference", f"{one.title}\n{one.text}") for one in company.pulls], share)


# -- commits ------------------------------------------------------------------------------------------------


for _percent in (50, 90):

    def _lines(percent: float) -> Callable[[MeasuredCompany], Measured]:
        return lambda company: counted([one.lines for one in company.commits], lambda values: quantile(values, percent))

    def _files(percent: float) -> Callable[[MeasuredCompany], Measured]:
        return lambda company: counted([one.files for one in company.commits], lambda values: quantile(values, percent))

    def _subject(percent: float) -> Callable[[MeasuredCompany], Measured]:
        return lambda company: counted(
            [len(one.subject) for one in company.commits], lambda values: quantile(values, percent)
        )

    measures(f"commit.lines.p{_percent}")(_lines(_percent))
    measures(f"commit.files.p{_percent}")(_files(_percent))
    measures(f"commit.subject.p{_percent}")(_subject(_percent))


@measures("commit.body")
def body(company: MeasuredCompany) -> Measured:
    """Commits with more than a subject."""
    return counted([bool(one.text) for one in company.commits], share)


@measures("commit.reference")
def commit_reference(company: MeasuredCompany) -> Measured:
    """Commits that name an issue or a request."""
    return counted([shows("reference", f"{one.subject}\n{one.text}") for one in company.commits], share)


@measures("commit.author_gini")
def author_gini(company: MeasuredCompany) -> Measured:
    """How unequally authors commit."""
    return counted([*Counter(one.author for one in company.commits).values()], gini)


def _clock(commit: LandedCommit) -> tuple[int, int]:
    """Weekday and hour on the author's clock."""
    there = local(commit.at + commit.zone_minutes * 60_000_000, "UTC")
    return there.weekday(), there.hour


@measures("commit.off_hours")
def commit_off_hours(company: MeasuredCompany) -> Measured:
    """Commits before nine and after eighteen, on the author's clock."""
    return counted([not 9 <= _clock(one)[1] < 18 for one in company.commits], share)


@measures("commit.weekend")
def commit_weekend(company: MeasuredCompany) -> Measured:
    """Commits on Saturdays and Sundays."""
    return counted([_clock(one)[0] >= 5 for one in company.commits], share)
