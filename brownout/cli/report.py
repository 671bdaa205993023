"""`brownout report`: how real a built world is."""

from pathlib import Path
from shlex import join

from rich.markup import escape

from brownout.api import open_package
from brownout.cli.output import console, counted, errors, print_json, table
from brownout.core.artefacts import ChatMessage, LandedCommit, PullRequest, SentMail, Ticket, Writing
from brownout.core.errors import UsageError
from brownout.core.instants import MINUTE, clock_text, local
from generators.report import MeasuredCompany, Report, ReportFinding, measure_company, read_company
from generators.report.html_page import render_page
from generators.report.report_wording import VERDICTS, band_text, mark_text, value_text
from generators.report.statistic import ExampleArtefact

__all__ = ["report"]

_COLOURS = {"usual": "green", "holds": "green", "near": "yellow", "unusual": "red", "broken": "bold red"}
_SHOWN = 3
"""Artefacts that are printed for a statistic."""
_LONGEST = 100


def report(package: str, task: str, html: Path | None, as_json: bool) -> None:
    """Say how real a built world is: every figure beside what is usual, and what does not hold together."""
    company = read_company(open_package(package), task=task)
    found = measure_company(company)

    def see(one: ExampleArtefact) -> str:
        return command_for(company, one, package)

    if html is not None:
        try:
            html.write_text(render_page(company, found, see), "utf-8")
        except OSError as error:
            raise UsageError(f"{html} cannot be written: {error.strerror}") from error
    if as_json:
        print_json(found.document())
        return
    _show(company, found, package)
    if html is not None:
        errors.print(f"written: {html}", markup=False, soft_wrap=True)


def command_for(company: MeasuredCompany, one: ExampleArtefact, package: str) -> str:
    """The command that shows an artefact."""
    moment = f"{local(max(one.at, company.begins) + MINUTE, company.zone):%Y-%m-%d %H:%M}"
    match company.by_path.get(one.path):
        case ChatMessage() as said:
            eyes = ["--as", said.who] if said.direct else []
            words = ["chat", package, said.room, "--at", moment, *eyes]
        case SentMail() as mail if mail.who:
            words = ["mail", package, f'subject:"{mail.subject}"', "--at", moment, "--as", mail.who]
        case Ticket() as ticket:
            words = ["issues", package, f"key = {ticket.key}"]
        case PullRequest() | LandedCommit() as change:
            words = ["code", package, change.repository, "--at", moment]
        case Writing(title=title) if title:
            words = ["docs", package, title]
        case _:
            words = ["why", package, one.path]
    return join(["brownout", "show", *words])


def _show(company: MeasuredCompany, found: Report, package: str) -> None:
    console.print(f"[bold]{escape(found.title)}[/] on {clock_text(found.at, found.zone)}")
    console.print("[dim]" + " · ".join(f"{count:,} {name}" for name, count in found.counts.items()) + "[/]")
    families = dict.fromkeys(one.band.family for one in found.findings)
    for family in families:
        console.print()
        shown = table(family, "value", "usual", "verdict", "of", whole=("value", "usual", "verdict"))
        for one in found.findings:
            if one.band.family == family:
                shown.add_row(*_cells(one))
        console.print(shown)
    _show_worst(company, found, package)
    console.print()
    parts = [f"{count} {words}" for verdict, words in VERDICTS.items() if (count := found.count(verdict))]
    console.print(f"{counted(len(found.findings), 'figure')}: {', '.join(parts)}")
    console.print("[dim]* the band is a working value without a source[/]")


def _cells(one: ReportFinding) -> tuple[str, ...]:
    colour = _COLOURS.get(one.verdict, "dim")
    star = " *" if one.band.mark == "U" and one.usual and not one.band.must else ""
    return (
        escape(one.band.title),
        value_text(one.value, one.band.unit),
        band_text(one) + star,
        f"[{colour}]{VERDICTS[one.verdict]}[/]",
        f"[dim]{one.measured.of:,}[/]",
    )


def _show_worst(company: MeasuredCompany, found: Report, package: str) -> None:
    """The artefacts to blame for what does not hold and what is unusual."""
    for one in sorted(found.findings, key=lambda each: (each.verdict != "broken", -each.distance, each.name)):
        if one.verdict not in ("broken", "unusual") or not one.examples:
            continue
        console.print()
        colour = _COLOURS[one.verdict]
        more = len(one.examples) - _SHOWN
        console.print(f"[{colour}]{escape(one.band.title)}[/] [dim]{mark_text(one)}[/]")
        for each in one.examples[:_SHOWN]:
            says = " ".join(each.says.split())
            console.print(f"  {escape(says if len(says) <= _LONGEST else says[: _LONGEST - 1] + '…')}", soft_wrap=True)
            console.print(f"    [dim]{escape(command_for(company, each, package))}[/]", soft_wrap=True)
        if more > 0:
            console.print(f"  [dim]and {more} more[/]")
