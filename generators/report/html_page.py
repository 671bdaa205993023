"""The report as one page of HTML that needs nothing beside itself."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby

import jinja2

from brownout.core.instants import clock_text, local
from generators.report import plots
from generators.report.chat import first_replies, words_in
from generators.report.mail import reply_minutes
from generators.report.measured_company import MeasuredCompany
from generators.report.report import Report, ReportFinding
from generators.report.report_wording import VERDICTS, band_text, mark_text, value_text
from generators.report.statistic import ExampleArtefact, bands
from generators.report.work import close_days, merge_hours

__all__ = ["render_page"]

_EXAMPLES = 8
_LONGEST = 180


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture with what it shows and how to read it."""

    title: str
    says: str
    svg: str


def render_page(company: MeasuredCompany, report: Report, see: Callable[[ExampleArtefact], str]) -> str:
    """The page.

    Args:
        see: how a reader gets to see an artefact, as a command.
    """
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"shortened": _shortened}
    template = environment.from_string(files("generators.report").joinpath("page.html.j2").read_text("utf-8"))
    families = [
        (name, [*found]) for name, found in groupby(_by_family(report.findings), key=lambda one: one.band.family)
    ]
    judged = [(verdict, words, report.count(verdict)) for verdict, words in VERDICTS.items() if report.count(verdict)]
    worst = sorted((one for one in report.findings if one.verdict in ("broken", "unusual")), key=_worse)
    return template.render(
        report=report,
        clock=clock_text(report.at, report.zone),
        families=families,
        judged=judged,
        verdicts=VERDICTS,
        worst=worst[:6],
        plots=_plots(company),
        strip=plots.strip,
        value_text=value_text,
        band_text=band_text,
        mark_text=mark_text,
        see=see,
        most=_EXAMPLES,
    )


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"


_FAMILIES = ("integrity", "activity", "timing", "structure", "graph", "lifecycle", "text", "coherence")


def _by_family(findings: Sequence[ReportFinding]) -> list[ReportFinding]:
    return sorted(findings, key=lambda one: _FAMILIES.index(one.band.family))


def _worse(one: ReportFinding) -> tuple[bool, float, str]:
    return one.verdict != "broken", -one.distance, one.name


def _marks(figure: str) -> dict[str, tuple[float, float]]:
    """What peers have of a figure that is known at several parts of a hundred: peer -> (value, part)."""
    found = dict[str, tuple[float, float]]()
    for name, band in bands().items():
        stem, _, percent = name.rpartition(".p")
        if stem == figure and percent.isdigit():
            found |= {
                f"{peer}, {percent} of 100": (value, int(percent) / 100)
                for peer, value in band.peers.items()
                if value > 0
            }
    return found


def _plots(company: MeasuredCompany) -> list[Plot]:
    hours, senders = Counter[tuple[int, int]](), Counter(one.who for one in company.messages)
    for one in company.messages:
        there = local(one.at, company.zone_of(one.who))
        hours[there.weekday(), there.hour] += 1
    lengths, talks = [words_in(one.text) for one in company.messages], [len(talk) for talk in company.talks]
    found = [
        Plot("When people write", "Chat by hour of the author’s week.", plots.week(hours, "Chat by hour of the week")),
        _curve("How long messages are", "Words of a message.", lengths, "chat.words", "words"),
        _curve("How long conversations are", "Messages of a conversation.", talks, "chat.talk.length", "count"),
        _curve("How soon somebody answers", "The first reply in chat.", first_replies(company), "chat.first_reply", "s"),
        Plot("Who talks", "Messages by author; in companies a few write most.", plots.bars(senders, "Messages by author")),
        _curve("How soon mail is answered", "Answers by people of the company.", reply_minutes(company), "mail.reply_time", "min"),
        _curve("How long tickets take", "From opening to the last closing.", close_days(company), "ticket.close_days", "days"),
        _curve("How long pull requests take", "From opening to merging.", merge_hours(company), "pull.merge_hours", "h"),
    ]  # fmt: skip
    return [plot for plot in found if plot.svg]


def _curve(title: str, says: str, values: Sequence[float], figure: str, unit: str) -> Plot:
    return Plot(title, f"{says} Dots: peers.", plots.curve(values, _marks(figure), unit, title))
