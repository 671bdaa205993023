"""Each kind of figure on data small enough to count by hand."""

from math import log1p

import pytest

from brownout.core.artefacts import Change, Check, PullRequest, SentMail
from brownout.core.instants import DAY, HOUR, MINUTE
from generators.report import MeasuredCompany, ReportFinding, measure_company
from generators.report.chat import features_of
from generators.report.measured_company import conversations
from tests.report.made import MONDAY, company, person, pull, said, ticket


def figure(of: MeasuredCompany, name: str) -> ReportFinding:
    return next(one for one in measure_company(of).findings if one.name == name)


def value(of: MeasuredCompany, name: str) -> float | None:
    return figure(of, name).value


def test_messages_are_measured_in_words() -> None:
    found = company(said("ann", 0, "one two three"), said("bob", 1, "one two three four five"))

    assert value(found, "chat.words.p50") == 4
    assert value(found, "chat.short") == 0.5


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("question", "is it up?"),
        ("code", "it is `main`"),
        ("fenced", "```\nerror\n```"),
        ("url", "see https://acme.test/x"),
        ("mention", "@bob look"),
        ("emoji", "done 🎉"),
        ("multi_line", "a\nb"),
        ("thanks", "Thank you!"),
        ("hedge", "Maybe tomorrow."),
        ("lower_start", "yes"),
        ("no_full_stop", "Right"),
    ],
)
def test_messages_are_counted_by_what_they_show(name: str, text: str) -> None:
    assert value(company(said("ann", 0, text), said("bob", 1, "Right.")), f"chat.{name}") == 0.5


def test_machines_are_no_people() -> None:
    found = company(said("ann", 0), said("bot", 1, "build 12 passed"), said("bob", 2), said("ann", 3))

    assert value(found, "chat.machines") == 0.25
    assert figure(found, "chat.short").measured.of == 3


def test_who_writes_most_shows() -> None:
    found = company(*(said("ann", at) for at in range(9)), said("bob", 10))

    assert value(found, "chat.sender_gini") == pytest.approx(0.4)
    assert value(found, "chat.top_tenth") == 0.9


def test_a_saturday_is_a_weekend_where_the_author_is() -> None:
    assert value(company(said("ann", 0), said("ann", 5 * 24 * 60)), "chat.weekend") == 0.5


def test_a_talk_of_the_author_is_one_conversation_and_silence_ends_others() -> None:
    first, second, third = said("ann", 0), said("bob", 300), said("cat", 310)
    later = said("ann", 900)

    assert conversations([first, second, third, later], {first.path: "story/talk", second.path: "story/talk"}) == [
        [first, second],
        [third],
        [later],
    ]
    assert conversations([first, second, third, later], {}) == [[first], [second, third], [later]]


def test_a_thread_is_one_conversation_however_late() -> None:
    first = said("ann", 0)
    answer = said("bob", 5_000, thread=first)

    assert conversations([first, said("cat", 4_000), answer], {})[0] == [first, answer]


def test_turns_are_told_by_who_speaks_and_how_soon() -> None:
    found = company(said("ann", 0), said("ann", 1), said("bob", 11), said("bob", 41), said("ann", 42))

    assert value(found, "chat.first_reply.p50") == 11 * 60
    assert value(found, "chat.continuation") == 0.5
    assert value(found, "chat.follow_up") == 0.25
    assert value(found, "chat.gap.same") == pytest.approx((1 + 30) / 2 * 60)
    assert value(found, "chat.talk.length.p50") == 5
    assert value(found, "chat.graph.reciprocity") == 1


def test_a_conversation_is_six_numbers_of_four_decimals() -> None:
    gap = log1p(60)

    assert features_of([said("ann", 0)]) == (1, 1, 0, -1, -1, -1)
    assert features_of([said("ann", 0), said("bob", 1), said("bob", 2)]) == (3, 2, 0.5, round(gap, 4), 0, round(gap, 4))


def test_replies_that_take_up_a_word_are_coherent() -> None:
    """The words are rarer than the commonest 150, of which there must be some."""
    filler = said("cat", 10_000, " ".join(f"common{n}" for n in range(150)))
    again = [said("cat", at, filler.text) for at in (20_000, 30_000)]
    alike = [said(who, n * 500 + at, f"topic{n}") for n in range(8) for who, at in (("ann", 0), ("bob", 1))]
    unlike = [said(who, n * 500 + at, f"{who}{n}") for n in range(8) for who, at in (("ann", 0), ("bob", 1))]

    assert value(company(*alike, filler, *again), "coherence.adjacency") == 8
    assert value(company(*unlike, filler, *again), "coherence.adjacency") == 0


def _mail(who: str, hours: float, to: str, *, answers: SentMail | None = None, text: str = "Hello,\nyes.") -> SentMail:
    at = MONDAY + round(hours * HOUR)
    path = f"mail:{who}/{at}"
    first = answers.thread if answers else path
    return SentMail(
        path,
        who,
        at,
        "Hello",
        text,
        f"{who}@acme.test",
        (f"{to}@acme.test",),
        (),
        first,
        answers.path if answers else "",
    )


def test_mail_is_measured_by_threads_and_answers() -> None:
    first = _mail("ann", 0, "bob")
    answer = _mail("bob", 2, "ann", answers=first, text="Yes.\n> Hello,\n> yes.\n\nRegards,\nBob\n0123")
    found = company(first, answer, _mail("cat", 3, "ann"))

    assert value(found, "mail.reply_time.p50") == 120
    assert value(found, "mail.thread.mean") == 1.5
    assert value(found, "mail.replies") == pytest.approx(1 / 3)
    assert value(found, "mail.quoted") == 1
    assert value(found, "mail.signed") == pytest.approx(1 / 3)
    assert value(found, "mail.graph.reciprocity") == pytest.approx(2 / 3)


def test_tickets_are_measured_by_how_they_move() -> None:
    at = MONDAY + 7 * MINUTE
    moved = (Change("bob", at, "status", "Open", "Done"), Change("bob", at + 1, "status", "Done", "Open"))
    found = company(
        ticket("A-1", closed=4, status="Done", text="Title of A-1."),
        ticket("A-2", changes=moved, at=at),
        ticket("A-3", duplicate=True, labels=("x",), assignee="bob", at=at),
        ticket("A-4", text="Something else.", at=at),
    )

    assert value(found, "ticket.close_days.p50") == 4
    assert value(found, "ticket.repeats_title") == 0.25
    assert value(found, "ticket.reopened") == 1
    assert value(found, "ticket.duplicates") == 0.25
    assert value(found, "ticket.unlabelled") == 0.75
    assert value(found, "ticket.empty") == 0.5
    assert value(found, "ticket.on_grid") == 0.25
    assert value(found, "ticket.states") == 2


def test_pull_requests_are_measured_by_their_reviews() -> None:
    red = PullRequest(
        "forge:9", "shop", "ann", MONDAY, "Nine", "", None, MONDAY + DAY, checks=(Check("tests", MONDAY + 1, False),)
    )
    found = company(
        pull(1, "approved", hours=2), pull(2, "changes", "approved", hours=30), pull(3, "commented", hours=4), red
    )

    assert value(found, "pull.merged") == 0.75
    assert value(found, "pull.merge_hours.p50") == 4
    assert value(found, "pull.approved_at_once") == pytest.approx(1 / 3)
    assert value(found, "pull.changes_requested") == 0.25
    assert value(found, "pull.unreviewed") == 0.25
    assert value(found, "pull.red") == 1


def test_few_observations_get_no_verdict() -> None:
    found = company(said("ann", 0), said("bob", 1))

    assert figure(found, "chat.words.p50").verdict == "too few"
    assert figure(found, "text.xz").verdict == "too few"
    assert figure(found, "pull.red").verdict == "nothing"


def test_what_must_not_be_is_broken_by_one() -> None:
    text = "please keep the release until Monday"
    once, twice = company(said("ann", 0, text)), company(said("ann", 0, text), said("ann", 9, text.upper()))

    assert figure(once, "text.said_twice").verdict == "holds"
    assert figure(twice, "text.said_twice").verdict == "broken"
    assert [one.path for one in figure(twice, "text.said_twice").examples] == [twice.messages[1].path]


def test_people_who_are_away_do_nothing() -> None:
    away = person("ann", away=[(MONDAY, MONDAY + DAY)])

    assert value(company(said("ann", 0), said("bob", 1), people=[away]), "integrity.away") == 1
    assert value(company(said("ann", 24 * 60), people=[away]), "integrity.away") == 0
    assert value(company(said("ann", 0), people=[person("ann", joins=MONDAY + DAY)]), "integrity.away") == 1


def test_causes_come_before_effects() -> None:
    late = said("ann", 10)
    merged = pull(1, hours=-1)

    assert value(company(said("bob", 5, thread=late), late), "integrity.order") == 1
    assert value(company(merged), "integrity.order") == 2
    assert value(company(late, said("bob", 15, thread=late)), "integrity.order") == 0
