"""The states of the studio that are looked at, each with what leads there."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

__all__ = ["LOOKS", "WAIT_MS", "Look", "Studio"]

Studio: TypeAlias = Literal["full", "read-only", "empty"]
"""Which studio shows it: one with worlds and runs, the same one read-only, one with neither."""
WAIT_MS: Final = 60_000
_AT: Final = "2026-04-14T10:31"


@dataclass(frozen=True, slots=True)
class Look:
    """A page in one of its states.

    Attributes:
        link: where it is.
        ready: what is seen when it is there, as a CSS selector.
        then: what is done before it is looked at.
        studio: which one shows it.
    """

    name: str
    link: str
    ready: str = "h1"
    then: Callable[[Page], None] = lambda page: None
    studio: Studio = "full"


def _first_row(page: Page) -> None:
    page.locator("[role=listbox] [role=option]").first.click()


def _truth(page: Page) -> None:
    page.get_by_text("Ground truth", exact=True).first.click()
    page.locator("aside.truth").first.wait_for(timeout=WAIT_MS)


def _outage(page: Page) -> None:
    page.get_by_label("Show an outage").select_option("rds-brownout")


def _failed(page: Page) -> None:
    page.keyboard.press("x")


def _stale(page: Page) -> None:
    page.keyboard.press("s")
    expect(page.locator("#reward .total")).to_be_visible(timeout=WAIT_MS)


def _palette(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").wait_for(timeout=WAIT_MS)


def _keys(page: Page) -> None:
    page.get_by_role("button", name="Keyboard shortcuts").first.click()
    page.get_by_role("dialog").wait_for(timeout=WAIT_MS)


def _view(name: str) -> Callable[[Page], None]:
    def show(page: Page) -> None:
        page.get_by_role("radio", name=name).first.click()

    return show


def _button(name: str) -> Callable[[Page], None]:
    def press(page: Page) -> None:
        page.get_by_role("button", name=name, exact=True).first.click()

    return press


def _asked(name: str, title: str) -> Callable[[Page], None]:
    """Press a button that opens a dialog."""

    def ask(page: Page) -> None:
        _button(name)(page)
        _dialog(page).filter(has_text=title).wait_for()

    return ask


def _dialog(page: Page) -> Locator:
    return page.get_by_role("dialog").first


def _mended(page: Page) -> None:
    """An Add dialog with something wrong in it."""
    _button("Add outage")(page)
    _dialog(page).get_by_role("button", name="Add outage").click()


def _drafted(page: Page) -> None:
    _button("Draft with a model")(page)
    _dialog(page).get_by_label("Describe the person").fill("Somebody for the evenings.")
    _dialog(page).get_by_role("button", name="Ask the model").click()
    expect(_dialog(page)).to_contain_text("tokens in", timeout=WAIT_MS)


def _menu(world: str) -> Callable[[Page], None]:
    def choose(page: Page) -> None:
        page.locator(f".st-key-more_{world} button").first.click()
        page.get_by_role("menuitem", name="Delete").click()
        _dialog(page).wait_for()

    return choose


def _cases(page: Page) -> None:
    oracle = page.get_by_role("columnheader", name="Oracle")
    if not oracle.is_visible():
        _button("Play the cases")(page)
    oracle.wait_for(timeout=5 * WAIT_MS)


def _settled(button: str, seen: str | re.Pattern[str]) -> Callable[[Page], None]:
    """Start a job where what it gives is not there yet, and wait for that."""

    def start(page: Page) -> None:
        found = page.get_by_text(seen).first
        page.wait_for_timeout(1500)
        if not found.is_visible():
            page.get_by_role("button", name=button).first.click()
        found.wait_for(timeout=5 * WAIT_MS)

    return start


def _running(page: Page) -> None:
    _button("Run all checks")(page)
    page.get_by_role("button", name="Cancel").first.wait_for()


def _cancelled(page: Page) -> None:
    cancel = page.get_by_role("button", name="Cancel").first
    page.wait_for_timeout(1500)
    if not cancel.is_visible():
        _button("Run all checks")(page)
    cancel.wait_for()
    page.wait_for_timeout(3000)  # it gets to work first
    cancel.click()
    page.locator(".stMarkdownBadge", has_text="Cancelled").first.wait_for()


def _tab(name: str, seen: str = "") -> Callable[[Page], None]:
    def show(page: Page) -> None:
        page.get_by_role("tab", name=name).first.click()
        if seen:
            page.get_by_text(seen).first.wait_for()

    return show


def _annotating(page: Page) -> None:
    page.get_by_role("button", name=re.compile("Stale assumption")).first.click()


def _task_read(page: Page) -> None:
    page.wait_for_timeout(500)


def _problems(page: Page) -> None:
    head = page.locator(".wrong-strip .problem-head")
    if head.get_attribute("aria-expanded") == "false":  # a few are in sight by themselves
        head.click()


def _nothing_found(page: Page) -> None:
    page.get_by_role("searchbox").first.fill("zzzz")


def _left_unsaved(page: Page) -> None:
    page.locator(".cm-line").nth(2).click()
    page.keyboard.press("End")
    page.keyboard.type(", nights")
    page.get_by_role("button", name="not saved").wait_for()
    page.get_by_role("link", name="Overview", exact=True).click()
    page.get_by_role("heading", name="Overview").wait_for()


def _typed_wrong(page: Page) -> None:
    page.locator(".cm-line").nth(3).click()
    page.keyboard.press("End")
    page.keyboard.type("\nwrong: yes")
    page.locator(".cm-lintRange, .problem-head").first.wait_for()


def _preview(
    surface: str, person: str = "ember", then: Callable[[Page], None] = lambda page: None, as_: str = "", **more: str
) -> Look:
    name = "-".join(("preview", surface, *([as_] if as_ else [])))
    asked = "".join(
        f"&{key}={quote(value)}" for key, value in {"at": _AT, "surface": surface, "as": person, **more}.items()
    )
    return Look(name, f"/preview?world=lark{asked}", ".pane [role=tab]", then)


_RUN: Final = "aws-down-slack-down-oracle-s0"
_OTHER: Final = "aws-down-slack-down-oracle-s0-2"
_ROWS: Final = "table[aria-label=Runs] tbody tr"
_TABLE: Final = "table[aria-label]"
_FORM: Final = ".form .field"
_NODE: Final = ".graph-svg .node"
_ITEM: Final = "tr[data-id]"
LOOKS: Final = (
    Look("home", "/", "[data-testid=stMetric]"),
    Look("home-nothing", "/", "h1", studio="empty"),
    Look("home-read-only", "/", "[data-testid=stMetric]", studio="read-only"),
    Look("home-import", "/", "[data-testid=stMetric]", _asked("Import a folder", "")),
    Look("home-delete", "/", "[data-testid=stMetric]", _menu("penny")),
    Look("new-world", "/new_world", _NODE),
    Look("not-found", "/timeline?world=penny"),
    Look("world-not-found", "/overview?world=pennny"),
    Look("overview", "/overview?world=lark", "[data-testid=stMetric]"),
    Look("overview-task", "/overview?world=lark&task=aws-down-slack-down", ".st-key-task"),
    Look("overview-shipped", "/overview?world=larkspur"),
    Look("overview-not-built", "/overview?world=fresh"),
    Look("overview-stale", "/overview?world=stale"),
    Look("overview-broken", "/overview?world=broken"),
    Look("overview-build-failed", "/overview?world=broken", "h1", _settled("Build", "Failed")),
    Look("company", "/company?world=lark", _ITEM),
    Look("company-form", "/company?world=lark&item=world.yaml%23clock", _FORM),
    Look("people", "/people?world=lark", f"{_ITEM}, {_NODE}"),
    Look("people-form", "/people?world=lark&item=people.yaml%23mara", _FORM),
    Look("people-chart", "/people?world=lark", _ITEM, _view("Org chart")),
    Look("people-chart-form", "/people?world=lark&item=people.yaml%23mara&view=graph", _FORM),
    Look("people-add", "/people?world=lark", _ITEM, _asked("Add person", "Add person")),
    Look("people-remove", "/people?world=lark&item=people.yaml%23mara", _FORM, _asked("Remove", "Remove mara")),
    Look("people-rename", "/people?world=lark&item=people.yaml%23mara", _FORM, _asked("Rename", "Rename mara")),
    Look("people-draft", "/people?world=lark", _ITEM, _asked("Draft with a model", "Draft a person")),
    Look("people-drafted", "/people?world=lark", _ITEM, _drafted),
    Look("people-problems", "/people?world=broken", ".wrong-strip .problem-head", _problems),
    Look("people-wrong", "/people?world=broken&item=people.yaml%23ida", _FORM),
    Look("people-read-only", "/people?world=lark&item=people.yaml%23mara", _FORM, studio="read-only"),
    Look("people-shipped", "/people?world=larkspur", _ITEM),
    Look("customers", "/customers?world=lark", _ITEM),
    Look("customers-form", "/customers?world=lark&item=customers.yaml%23hafenpraxis", _FORM),
    Look("systems", "/systems?world=lark", _NODE, _outage),
    Look("systems-table", "/systems?world=lark&view=table", _ITEM),
    Look("systems-form", "/systems?world=lark&item=systems.yaml%23bookings", _FORM),
    Look("storylines", "/storylines?world=lark", ".tl-item"),
    Look("storylines-table", "/storylines?world=lark&view=table", ".group-row"),
    Look("storylines-form", "/storylines?world=lark&item=storylines%2Fretries.yaml%23facts%23retry-cap", _FORM),
    Look("storylines-add", "/storylines?world=lark", ".tl-item", _asked("Add storyline", "Add storyline")),
    Look("outages", "/outages?world=lark", ".tl-item"),
    Look("outages-table", "/outages?world=lark&view=table", _ITEM),
    Look("outages-form", "/outages?world=lark&item=outages.yaml%23slack-down", _FORM),
    Look("outages-add", "/outages?world=lark", ".tl-item", _asked("Add outage", "Add outage")),
    Look("outages-add-wrong", "/outages?world=lark", ".tl-item", _mended),
    Look("tasks", "/tasks?world=lark", _ITEM),
    Look("tasks-time", "/tasks?world=lark&view=time", ".tl-item"),
    Look("tasks-form", "/tasks?world=lark&item=tasks%2Faws-down-slack-down%2Ftask.yaml", _FORM),
    Look("tasks-add", "/tasks?world=lark", _ITEM, _asked("Add task", "Add task")),
    Look("graders", "/graders?world=lark", _ITEM),
    Look("graders-cases", "/graders?world=penny", _ITEM, _cases),
    Look("graders-form", "/graders?world=lark&item=tasks%2Faws-down-slack-down%2Ftask.yaml%23rubric%23points%23fixed", _ITEM),
    Look("files", "/files?world=lark&file=systems.yaml", ".cm-line"),
    Look("files-wrong", "/files?world=broken&file=people.yaml", ".cm-line"),
    Look("files-typed", "/files?world=penny&file=people.yaml", ".cm-line", _typed_wrong),
    Look("files-left-unsaved", "/files?world=penny&file=people.yaml", ".cm-line", _left_unsaved),
    Look("files-document", "/files?world=lark&file=documents%2Fpostmortem-2026-03.md", ".pane"),
    _preview("mail"),
    _preview("mail", then=_first_row, as_="read"),
    _preview("mail", "timo", as_="found", q="hilfe"),
    _preview("mail", then=_nothing_found, as_="not-found"),
    _preview("chat", place="#infra"),
    _preview("chat", then=_truth, as_="truth"),
    _preview("issues"),
    _preview("issues", then=_first_row, as_="read"),
    _preview("code"),
    _preview("code", then=_first_row, as_="read"),
    _preview("docs"),
    _preview("docs", then=_first_row, as_="read"),
    _preview("calendar"),
    _preview("customers"),
    _preview("customers", then=_first_row, as_="read"),
    _preview("status"),
    Look("preview-not-built", "/preview?world=fresh"),
    Look("check", "/check?world=penny"),
    Look("check-problems", "/check?world=broken"),
    Look("check-not-built", "/check?world=fresh"),
    Look("check-running", "/check?world=lark", "h1", _running),
    Look("check-cancelled", "/check?world=lark", "h1", _cancelled),
    Look("check-passed", "/check?world=penny", "h1", _settled("Run all checks", "All tasks pass")),
    Look("check-failed", "/check?world=loose", "h1", _settled("Run all checks", re.compile("tasks fail"))),
    Look("check-seeds", "/check?world=penny", "h1", _settled("Try 20 world seeds", re.compile("20 world seeds: no"))),
    Look("report-none", "/report?world=stale"),
    Look("report-not-built", "/report?world=fresh"),
    Look("report", "/report?world=lark", "h1", _settled("Measure", re.compile("As it is on"))),
    Look("runs", "/runs", _ROWS),
    Look("runs-none", "/runs", "h1", studio="empty"),
    Look("runs-filtered-away", "/runs?agent=oracle&outcome=Ungraded"),
    Look("runs-start", "/runs?world=lark", _ROWS, _asked("Start run", "Start run")),
    Look("replay", f"/replay?run={_RUN}&step=1", ".where"),
    Look("replay-error", f"/replay?run={_RUN}", ".where", _failed),
    Look("replay-stale", "/replay?run=find-the-change-oracle-s0&step=1", ".where", _stale),
    Look("replay-end", f"/replay?run={_RUN}&step=9999", ".where"),
    Look("replay-annotate", "/replay?run=aws-down-slack-down-lazy-s0&step=20&annotate=1", ".annotate button", _annotating),
    Look("replay-failed", "/replay?run=find-the-change-llm-s0"),
    Look("replay-cut-off", "/replay?run=cut-off", ".where"),
    Look("replay-none", "/replay"),
    Look("replay-unknown", "/replay?run=nobody"),
    Look("compare", f"/compare?runs={_RUN},{_OTHER}", _TABLE),
    Look("compare-steps", f"/compare?runs={_RUN},{_OTHER}", _TABLE, _tab("Steps", "rows")),
    Look("compare-state", f"/compare?runs={_RUN},{_OTHER}", _TABLE, _tab("State difference", "rows of the world")),
    Look("compare-other-tasks", "/compare?runs=find-the-change-oracle-s0,who-decided-oracle-s0"),
    Look("compare-none", "/compare"),
    Look("compare-nothing", "/compare", studio="empty"),
    Look("annotate", "/annotate"),
    Look("annotate-agreement", "/annotate", "h1", _tab("Agreement")),
    Look("annotate-blind", "/annotate", "h1", _tab("Blind A/B")),
    Look("annotate-labels", "/annotate", "h1", _tab("Labels and export")),
    Look("annotate-nothing", "/annotate", studio="empty"),
    Look("export", "/export?world=lark&to=trl"),
    Look("export-not-built", "/export?world=fresh"),
    Look("export-written", "/export?world=penny&to=trl", "h1", _settled("Export package", "Smoke run")),
    Look("export-refused", "/export?world=loose&to=trl"),
    Look("nowhere", "/overview?world=nobody"),
    Look("no-such-page", "/nowhere"),
    Look("no-world", "/people"),
    Look("go-to", "/runs", _ROWS, _palette),
    Look("keys", "/preview?world=penny&surface=chat", "[role=option]", _keys),
)  # fmt: skip
