"""Statistics of the mail that people in the company write."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable

from brownout.core.artefacts import SentMail
from brownout.core.instants import MINUTE, local
from generators.report.chat import shows, words_in
from generators.report.list_statistics import clustering, gini, mean, quantile, reciprocity, share
from generators.report.measured_company import MeasuredCompany
from generators.report.statistic import Measured, counted, measures

__all__ = ["own_text"]

_QUOTED = re.compile(r"^>.*$", re.MULTILINE)
_FORWARDED = re.compile(r"^-{5,} ?(?:Forwarded|Original) message ?-{5,}", re.MULTILINE | re.IGNORECASE)


def own_text(mail: SentMail) -> str:
    """What the sender wrote: without quoted lines and what was forwarded."""
    return _QUOTED.sub("", _FORWARDED.split(mail.text, maxsplit=1)[0]).strip()


@measures("mail.words.p50")
def words(company: MeasuredCompany) -> Measured:
    """Median words of a mail, without what it quotes."""
    return counted([words_in(own_text(one)) for one in company.mails], lambda values: quantile(values, 50))


@measures("mail.long")
def long(company: MeasuredCompany) -> Measured:
    """Mails of more than a hundred words, without what they quote."""
    return counted([words_in(own_text(one)) > 100 for one in company.mails], share)


@measures("mail.replies")
def replies(company: MeasuredCompany) -> Measured:
    """Mails that answer another, of all that people in the company or outside wrote."""
    return counted([bool(one.answers) for one in _human(company)], share)


def _human(company: MeasuredCompany) -> list[SentMail]:
    return [one for one in company.all_mails if one.who and one.who not in company.machines and not one.automatic]


def reply_minutes(company: MeasuredCompany) -> list[float]:
    """Minutes from a mail to its answer by somebody in the company."""
    at = {one.path: (one.at, one.who) for one in company.all_mails}
    found = []
    for one in company.mails:
        when, who = at.get(one.answers, (0, one.who))
        if who != one.who:
            found.append((one.at - when) / MINUTE)
    return found


for _percent in (25, 50, 75, 90):

    def _replied(percent: float) -> Callable[[MeasuredCompany], Measured]:
        return lambda company: counted(reply_minutes(company), lambda values: quantile(values, percent))

    measures(f"mail.reply_time.p{_percent}")(_replied(_percent))


@measures("mail.reply_time.day")
def within_day(company: MeasuredCompany) -> Measured:
    """Answers within a day, of all there are."""
    return counted([one <= 1_440 for one in reply_minutes(company)], share)


def _threads(company: MeasuredCompany) -> list[int]:
    return [*Counter(one.thread for one in _human(company)).values()]


@measures("mail.thread.mean")
def thread_mean(company: MeasuredCompany) -> Measured:
    """Mails a conversation, on average."""
    return counted(_threads(company), mean)


@measures("mail.thread.p50")
def thread_median(company: MeasuredCompany) -> Measured:
    """Mails a conversation, the median."""
    return counted(_threads(company), lambda values: quantile(values, 50))


@measures("mail.recipients.p50")
def recipients(company: MeasuredCompany) -> Measured:
    """Addresses a mail, the median; a group is one."""
    return counted([len({*one.to, *one.cc}) for one in company.mails], lambda values: quantile(values, 50))


@measures("mail.recipients.single")
def single(company: MeasuredCompany) -> Measured:
    """Mails to one address."""
    return counted([len({*one.to, *one.cc}) == 1 for one in company.mails], share)


@measures("mail.copied")
def copied(company: MeasuredCompany) -> Measured:
    """Addresses in cc and bcc, of all addresses."""
    return counted(
        [is_copy for one in company.mails for is_copy in (*[False] * len(one.to), *[True] * len(one.cc))], share
    )


@measures("mail.quoted")
def quoted(company: MeasuredCompany) -> Measured:
    """Answers with quoted lines."""
    return counted([bool(_QUOTED.search(one.text)) for one in company.mails if one.answers], share)


@measures("mail.signed")
def signed(company: MeasuredCompany) -> Measured:
    """Mails with a signature behind a line of dashes, or a block of contacts at the end."""
    return counted([shows("signature", own_text(one)) for one in company.mails], share)


@measures("mail.sender_gini")
def sender_gini(company: MeasuredCompany) -> Measured:
    """How unequally those who write mail do."""
    return counted([*Counter(one.who for one in company.mails).values()], gini)


@measures("mail.weekend")
def weekend(company: MeasuredCompany) -> Measured:
    """Mails on Saturdays and Sundays of who writes."""
    return counted([local(one.at, company.zone_of(one.who)).weekday() >= 5 for one in company.mails], share)


@measures("mail.off_hours")
def off_hours(company: MeasuredCompany) -> Measured:
    """Mails before nine and after eighteen, on the author's clock."""
    return counted([not 9 <= local(one.at, company.zone_of(one.who)).hour < 18 for one in company.mails], share)


@measures("mail.machines")
def machines(company: MeasuredCompany) -> Measured:
    """Mails that no person wrote, of all."""
    return counted([not one.who or one.who in company.machines or one.automatic for one in company.all_mails], share)


def _edges(company: MeasuredCompany) -> dict[tuple[Hashable, Hashable], int]:
    by_mail = {one.account.email.lower(): name for name, one in company.people.items() if name in company.staff}
    found = defaultdict[tuple[Hashable, Hashable], int](int)
    for one in company.mails:
        for address in (*one.to, *one.cc):
            if address in by_mail and by_mail[address] != one.who:
                found[one.who, by_mail[address]] += 1
    return found


@measures("mail.graph.density")
def density(company: MeasuredCompany) -> Measured:
    """Who wrote to whom in the company, of all pairs of those who write or are written to."""
    found = _edges(company)
    people = {one for edge in found for one in edge}
    return Measured(len(found) / (len(people) * (len(people) - 1)) if len(people) > 1 else None, len(found))


@measures("mail.graph.reciprocity")
def graph_reciprocity(company: MeasuredCompany) -> Measured:
    """Which part of who-wrote-to-whom goes both ways."""
    found = _edges(company)
    return Measured(reciprocity(found) if found else None, len(found))


@measures("mail.graph.clustering")
def graph_clustering(company: MeasuredCompany) -> Measured:
    """How often two who write with a third write with each other."""
    found = _edges(company)
    return Measured(clustering(found) if found else None, len(found))
