"""Statistics of people's chat."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import pairwise
from math import log, log1p

from brownout.core.artefacts import ChatMessage
from brownout.core.instants import DAY, SECOND, local
from generators.report.list_statistics import (
    burstiness,
    clustering,
    correlation,
    gini,
    mean,
    quantile,
    reciprocity,
    share,
    top_share,
)
from generators.report.measured_company import MeasuredCompany, gaps_of
from generators.report.statistic import Measured, counted, measures, patterns

__all__ = ["features_of", "shows", "words_in"]

_WORD = re.compile(r"\S+")
_AUTHOR_MESSAGES = 20
_QUICK = 120
_MOMENTS = 20


def words_in(text: str) -> int:
    """How many words a text has, between spaces."""
    return len(_WORD.findall(text))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(patterns()[name])


def shows(name: str, text: str) -> bool:
    """Whether a text has what the expression of that name in bands.yaml finds (`question`, `url`)."""
    return _pattern(name).search(text) is not None


# -- words --------------------------------------------------------------------------------------------------


def _words(percent: float) -> Callable[[MeasuredCompany], Measured]:
    def measure(company: MeasuredCompany) -> Measured:
        return counted([words_in(one.text) for one in company.messages], lambda values: quantile(values, percent))

    return measure


for _percent in (10, 50, 90, 99):
    measures(f"chat.words.p{_percent}")(_words(_percent))


@measures("chat.short")
def short(company: MeasuredCompany) -> Measured:
    """Which part of the messages has at most three words."""
    return counted([words_in(one.text) <= 3 for one in company.messages], share)


def _showing(name: str) -> Callable[[MeasuredCompany], Measured]:
    def measure(company: MeasuredCompany) -> Measured:
        return counted([shows(name, one.text) for one in company.messages], share)

    return measure


for _name in (
    "question", "code", "fenced", "url", "mention", "emoji", "multi_line", "thanks", "hedge", "lower_start", "no_full_stop"
):  # fmt: skip
    measures(f"chat.{_name}")(_showing(_name))


def _by_author(company: MeasuredCompany) -> dict[str, list[ChatMessage]]:
    found = defaultdict[str, list[ChatMessage]](list)
    for one in company.messages:
        found[one.who].append(one)
    return {who: said for who, said in sorted(found.items()) if len(said) >= _AUTHOR_MESSAGES}


def _spread(name: str) -> Callable[[MeasuredCompany], Measured]:
    """How far apart authors are: the difference of the share at the 90th and the 10th of a hundred authors."""

    def measure(company: MeasuredCompany) -> Measured:
        shares = [share(shows(name, one.text) for one in said) for said in _by_author(company).values()]
        return counted(shares, lambda values: quantile(values, 90) - quantile(values, 10))

    return measure


for _name in ("lower_start", "code", "emoji"):
    measures(f"chat.authors.{_name}")(_spread(_name))


@measures("chat.authors.words")
def author_words(company: MeasuredCompany) -> Measured:
    """The mean length of the long-winded (90th of a hundred authors) over that of the terse (10th)."""
    means = [mean([words_in(one.text) for one in said]) for said in _by_author(company).values()]
    return counted(means, lambda values: quantile(values, 90) / max(quantile(values, 10), 1))


# -- who and when -------------------------------------------------------------------------------------------


@measures("chat.sender_gini")
def sender_gini(company: MeasuredCompany) -> Measured:
    """How unequally those who talk do."""
    return counted(_counts(company), gini)


@measures("chat.top_tenth")
def top_tenth(company: MeasuredCompany) -> Measured:
    """What the most talkative tenth of the people writes."""
    return counted(_counts(company), top_share) if company.messages else Measured(None, 0)


def _counts(company: MeasuredCompany) -> list[float]:
    return [*Counter(one.who for one in company.messages).values()]


@measures("chat.a_day")
def a_day(company: MeasuredCompany) -> Measured:
    """Messages a head and weekday."""
    days = max(1, round((company.at - company.begins) / DAY * 5 / 7))
    heads = max(1, len(company.staff))
    return Measured(len(company.messages) / heads / days if company.messages else None, len(company.messages))


@measures("chat.weekend")
def weekend(company: MeasuredCompany) -> Measured:
    """Messages on Saturdays and Sundays of who writes."""
    found = [(local(one.at, company.zone_of(one.who)).weekday() >= 5, one) for one in company.messages]
    return Measured(share(is_so for is_so, _ in found) if found else None, len(found))


@measures("chat.off_hours")
def off_hours(company: MeasuredCompany) -> Measured:
    """Messages before nine and after eighteen, on the author's clock."""
    return counted([not 9 <= local(one.at, company.zone_of(one.who)).hour < 18 for one in company.messages], share)


@measures("chat.burstiness")
def bursts(company: MeasuredCompany) -> Measured:
    """The median over people of how bursty their messages come."""
    found = defaultdict[str, list[float]](list)
    for one in company.messages:
        found[one.who].append(one.at / SECOND)
    return counted(
        [burstiness(at) for at in found.values() if len(at) >= _MOMENTS], lambda values: quantile(values, 50)
    )


@measures("chat.threaded")
def threaded(company: MeasuredCompany) -> Measured:
    """Replies in threads, of all messages."""
    return counted([bool(one.thread) for one in company.messages], share)


@measures("chat.direct")
def direct(company: MeasuredCompany) -> Measured:
    """Messages between two or a few who chose each other, of all."""
    return counted([one.direct for one in company.messages], share)


@measures("chat.reactions")
def reactions(company: MeasuredCompany) -> Measured:
    """Reactions a message."""
    return counted([one.reactions for one in company.messages], mean)


@measures("chat.machines")
def machines(company: MeasuredCompany) -> Measured:
    """Messages of machines, of all."""
    return counted([one.who in company.machines for one in company.all_messages], share)


# -- conversations ------------------------------------------------------------------------------------------


for _percent in (50, 90):

    def _length(percent: float) -> Callable[[MeasuredCompany], Measured]:
        return lambda company: counted([len(talk) for talk in company.talks], lambda values: quantile(values, percent))

    def _people(percent: float) -> Callable[[MeasuredCompany], Measured]:
        return lambda company: counted(
            [len({one.who for one in talk}) for talk in company.talks], lambda values: quantile(values, percent)
        )

    measures(f"chat.talk.length.p{_percent}")(_length(_percent))
    measures(f"chat.talk.people.p{_percent}")(_people(_percent))


@measures("chat.talk.alone")
def alone(company: MeasuredCompany) -> Measured:
    """Conversations that nobody answered."""
    return counted([len({one.who for one in talk}) == 1 for talk in company.talks], share)


def first_replies(company: MeasuredCompany) -> list[float]:
    """Seconds from the first message of a conversation to the first by somebody else."""
    found = []
    for talk in company.talks:
        answer = next((one for one in talk if one.who != talk[0].who), None)
        if answer is not None:
            found.append((answer.at - talk[0].at) / SECOND)
    return found


for _percent in (25, 50, 75, 90):

    def _replied(percent: float) -> Callable[[MeasuredCompany], Measured]:
        return lambda company: counted(first_replies(company), lambda values: quantile(values, percent))

    measures(f"chat.first_reply.p{_percent}")(_replied(_percent))


@measures("chat.first_reply.hour")
def within_hour(company: MeasuredCompany) -> Measured:
    """First replies within an hour, of all there are."""
    return counted([gap <= 3_600 for gap in first_replies(company)], share)


@measures("chat.first_reply.day")
def within_day(company: MeasuredCompany) -> Measured:
    """First replies within a day, of all there are."""
    return counted([gap <= 86_400 for gap in first_replies(company)], share)


def _turns(company: MeasuredCompany) -> list[tuple[bool, float]]:
    """Each step of a conversation: whether the same person goes on, and the seconds it took."""
    return [
        (before.who == after.who, (after.at - before.at) / SECOND)
        for talk in company.talks
        for before, after in pairwise(talk)
    ]


@measures("chat.gap.other")
def gap_other(company: MeasuredCompany) -> Measured:
    """Median seconds until somebody else goes on."""
    return counted([gap for is_same, gap in _turns(company) if not is_same], lambda values: quantile(values, 50))


@measures("chat.gap.same")
def gap_same(company: MeasuredCompany) -> Measured:
    """Median seconds until the same person goes on."""
    return counted([gap for is_same, gap in _turns(company) if is_same], lambda values: quantile(values, 50))


@measures("chat.continuation")
def continuation(company: MeasuredCompany) -> Measured:
    """Turns by whoever spoke last."""
    return counted([is_same for is_same, _ in _turns(company)], share)


@measures("chat.follow_up")
def follow_up(company: MeasuredCompany) -> Measured:
    """Turns by whoever spoke last, within two minutes."""
    return counted([is_same and gap < _QUICK for is_same, gap in _turns(company)], share)


@measures("chat.coupling")
def coupling(company: MeasuredCompany) -> Measured:
    """How a conversation's length and its tempo hang together: the correlation of their logarithms."""
    talks = [talk for talk in company.talks if len(talk) > 1]
    lengths = [log(len(talk)) for talk in talks]
    tempo = [mean([log1p(gap) for gap in gaps_of(talk)]) for talk in talks]
    return Measured(correlation(lengths, tempo) if talks else None, len(talks))


def replies(company: MeasuredCompany) -> dict[tuple[Hashable, Hashable], int]:
    """Who answered whom, and how often."""
    found = Counter[tuple[Hashable, Hashable]]()
    for talk in company.talks:
        for before, after in pairwise(talk):
            if before.who != after.who:
                found[after.who, before.who] += 1
    return found


@measures("chat.graph.reciprocity")
def graph_reciprocity(company: MeasuredCompany) -> Measured:
    """Which part of who-answered-whom goes both ways."""
    found = replies(company)
    return Measured(reciprocity(found) if found else None, len(found))


@measures("chat.graph.clustering")
def graph_clustering(company: MeasuredCompany) -> Measured:
    """How often two who talk with a third talk with each other."""
    found = replies(company)
    return Measured(clustering(found) if found else None, len(found))


def features_of(talk: Sequence[ChatMessage]) -> tuple[float, float, float, float, float, float]:
    """A conversation as six numbers, to four decimals: messages, people, switch rate, and mean, sd and maximum of
    ln(1 + gap in seconds); a single message has rate 0 and -1 for the others.
    """
    if len(talk) == 1:
        return 1.0, 1.0, 0.0, -1.0, -1.0, -1.0
    gaps = [log1p(gap) for gap in gaps_of(talk)]
    middle = mean(gaps)
    spread = mean([(gap - middle) ** 2 for gap in gaps]) ** 0.5
    rate = share(before.who != after.who for before, after in pairwise(talk))
    numbers = (rate, middle, spread, max(gaps))
    return float(len(talk)), float(len({one.who for one in talk})), *(round(number, 4) for number in numbers)  # type: ignore[return-value]
