"""What is done with the studio by keys alone, from nothing to an export."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keyboard import Keyboard

pytestmark = pytest.mark.journeys


@pytest.fixture
def keys(page: Page) -> Keyboard:
    return Keyboard(page)


def _focused(keys: Keyboard, wanted: str) -> None:
    """Wait until something whose name matches has the keyboard."""
    for _ in range(100):
        if re.search(wanted, keys.focused):
            return
        keys.page.wait_for_timeout(100)
    raise AssertionError(f"expected {wanted} to have the keyboard, found {keys.focused or 'nothing'}")


def test_a_company_is_made_from_home(page: Page, keys: Keyboard) -> None:
    page.goto("/")
    expect(page.get_by_role("button", name="New world")).to_be_visible()
    keys.skip()
    keys.activate(page.get_by_role("button", name="New world"))
    name = page.get_by_role("textbox", name=re.compile("^Short name"))
    keys.to(name)
    keys.type("quay")
    keys.press("Tab")
    expect(page.locator(".graph-svg .node").first).to_be_visible()
    keys.activate(page.get_by_role("button", name="Make this company"), by="Shift+Tab")
    expect(page.get_by_role("heading", name="Overview")).to_be_visible(timeout=60_000)
    preview = page.get_by_role("button", name="Open preview")
    preview.wait_for(timeout=120_000)
    keys.activate(preview)
    expect(page.get_by_role("listbox", name="Messages")).to_be_visible(timeout=60_000)


def test_an_outage_is_added_moved_and_made_longer(page: Page, keys: Keyboard, own_world: Path) -> None:
    outages = own_world / "outages.yaml"
    page.goto(f"/outages?world={own_world.name}")
    add = page.get_by_role("button", name="Add outage")
    expect(add).to_be_visible()
    keys.skip()
    keys.activate(add)
    asked = page.get_by_role("dialog", name="Add outage")
    expect(asked).to_be_visible()
    keys.press("Shift+Tab", "Shift+Tab", "Tab", "Tab")  # round its ends
    keys.press("Escape")
    expect(asked).to_be_hidden()
    _focused(keys, "Add outage")

    keys.press("Enter")
    for field, text in {"On": "gmail", "From": "2026-03-24 10:00", "For": "45m", "Short name": "mail-out"}.items():
        keys.to(asked.get_by_label(field, exact=field == "On"))
        keys.type(text)
    keys.activate(asked.get_by_role("button", name="Add outage"))
    expect(asked).to_be_hidden()
    assert "mail-out:" in outages.read_text()
    _focused(keys, "Add outage")

    bar = page.get_by_role("option", name=re.compile("^Gmail is down"))
    keys.to(bar)
    for _ in range(8):
        keys.press("+")
    keys.press("Alt+ArrowRight")
    expect(page.get_by_role("status").filter(has_text="Gmail is down")).to_be_visible()
    expect(page.locator(".toast", has_text="Moved mail-out")).to_be_visible()
    assert "from: 2026-03-24 10:01" in outages.read_text().partition("mail-out:")[2]
    _focused(keys, "Gmail is down")
    keys.press("e", "Alt+ArrowRight")
    expect(page.locator(".toast", has_text=re.compile("Moved mail-out to .*10:4[67]"))).to_be_visible()
    assert "46m" in outages.read_text().partition("mail-out:")[2]


def test_a_mistake_is_mended_from_the_problems(page: Page, keys: Keyboard, own_world: Path) -> None:
    people = own_world / "people.yaml"
    whole = people.read_text()
    people.write_text(whole.replace("manager: priya", "manager: priyq", 1))
    page.goto(f"/people?world={own_world.name}")
    problems = page.get_by_role("region", name="Problems")
    expect(problems).to_be_visible()
    keys.skip()
    keys.activate(problems.get_by_role("button", name="Change to priya"))  # a single one is in sight
    expect(problems).to_be_hidden()
    assert people.read_text() == whole
    _focused(keys, "button")


def test_the_moment_of_an_outage_is_looked_at_as_somebody_else(page: Page, keys: Keyboard) -> None:
    page.goto("/preview?world=tiny&surface=mail&at=2026-03-24T11:40&as=marcus")
    expect(page.get_by_role("listbox", name="Messages").get_by_role("option").first).to_be_visible(timeout=60_000)
    keys.skip()
    viewer = page.get_by_role("combobox", name="View as")
    keys.to(viewer)
    keys.type("yuki")
    keys.press("ArrowDown", "Enter")
    expect(page).to_have_url(re.compile("as=yuki"))
    _focused(keys, "View as")
    slider = page.get_by_role("slider", name="World time")
    keys.to(slider)
    keys.press("ArrowRight")
    expect(slider).not_to_have_attribute("aria-valuetext", re.compile("11:40"))
    keys.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("11:40"))
    keys.activate(page.get_by_role("button", name="event ›"), by="Shift+Tab")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("11:44"))
    _focused(keys, "event ›")

    keys.to(page.get_by_role("tab", name="Mail"))
    keys.press("ArrowRight")
    expect(page.get_by_role("tab", name="Chat")).to_have_attribute("aria-selected", "true")
    _focused(keys, "Chat")
    keys.activate(page.get_by_role("navigation", name="Places").get_by_role("button", name="product"))
    expect(page).to_have_url(re.compile("place=%23product"))
    _focused(keys, "product")
    keys.to(page.get_by_role("listbox", name="Messages"))
    keys.press("End")
    keys.to(page.get_by_role("tab", name="Chat"), key="Shift+Tab")
    keys.press("ArrowLeft", "ArrowLeft")
    expect(page.get_by_text("Slack is down").first).to_be_visible()
    _focused(keys, "Status")


def test_a_mail_leads_to_a_document_and_a_ticket_to_its_pull_request_and_the_commit(page: Page, keys: Keyboard) -> None:
    page.goto("/preview?world=tiny&surface=mail&as=marcus&at=2026-03-24T11:40")
    box = page.get_by_role("listbox", name="Messages")
    expect(box.get_by_role("option").first).to_be_visible(timeout=60_000)
    keys.skip()
    keys.to(box)
    keys.press("/")
    page.keyboard.type("page why")
    expect(box.get_by_role("option")).to_have_count(2)
    keys.to(box)
    keys.press("j")
    reading = page.get_by_label("Reading pane")
    keys.activate(reading.get_by_role("link", name="Why is a seat grey?"))
    expect(page.get_by_role("tab", name="Docs")).to_have_attribute("aria-selected", "true")
    expect(reading.get_by_role("heading", level=3)).to_have_text("Why is a seat grey?")
    _focused(keys, "Reading pane")

    keys.to(page.get_by_role("tab", name="Docs"), key="Shift+Tab")
    keys.press("ArrowLeft", "ArrowLeft")
    issues = page.get_by_role("listbox", name="Issues")
    expect(issues.get_by_role("option").first).to_be_visible()
    _focused(keys, "Issues")
    keys.to(issues)
    keys.press("/")
    page.keyboard.type("shorten the seat hold")
    expect(issues.get_by_role("option")).to_have_count(1)
    keys.to(issues)
    keys.press("j")
    keys.activate(reading.get_by_role("link", name="boxoffice#13"))
    expect(page.get_by_role("tab", name="Code")).to_have_attribute("aria-selected", "true")
    expect(reading.get_by_role("heading", level=3)).to_have_text("Hold seats for 10 minutes instead of 15")
    keys.activate(reading.get_by_role("link", name="5db33139fb"))
    expect(reading).to_contain_text("Commit")
    _focused(keys, "Reading pane")


def test_a_run_is_started_and_opened_in_replay(page: Page, keys: Keyboard) -> None:
    page.goto("/runs?world=tiny")
    start = page.get_by_role("button", name="Start run")
    expect(start).to_be_visible()
    keys.skip()
    keys.activate(start)
    asked = page.get_by_role("dialog", name="Start run")
    expect(asked.get_by_role("combobox", name="Agent")).to_be_visible()
    keys.press("Escape")
    expect(asked).to_be_hidden()
    _focused(keys, "Start run")
    keys.press("Enter")
    keys.activate(asked.get_by_role("button", name="Start", exact=True))
    expect(asked).to_be_hidden()
    expect(page.get_by_role("button", name="Cancel").or_(page.get_by_text("Done").first)).to_be_visible()
    _focused(keys, "Start run|Cancel")
    keys.press("Control+k")
    expect(page.get_by_role("dialog", name="Go to…").get_by_role("combobox")).to_be_focused()
    page.keyboard.type("Run · solved")
    keys.press("Enter")
    pane = page.get_by_role("application", name="Trajectory replay")
    expect(pane.locator(".where")).to_have_text(re.compile(r"^Step 1 /"))
    keys.press("ArrowRight", "ArrowRight")
    expect(pane.locator(".where")).to_have_text(re.compile(r"^Step 3 /"))


def test_a_stale_reading_is_found_and_the_run_annotated(page: Page, keys: Keyboard) -> None:
    page.goto("/replay?run=solved&annotate=1")
    pane = page.get_by_role("application", name="Trajectory replay")
    annotate = pane.get_by_role("region", name="Annotate")
    expect(annotate.get_by_role("button", name="4 Stale assumption")).to_be_visible()
    expect(pane.locator(".where")).to_have_text(re.compile(r"^Step 1 /"))
    keys.press("s")
    expect(pane.locator("#saw tr.differs:has(small)")).to_contain_text("boxoffice.hold_minutes")
    keys.press("4", "f", "n")
    _focused(keys, "(?i)note")
    page.keyboard.type("believed the old policy")
    keys.press("Escape")
    records = annotate.locator(".records")
    expect(records).to_contain_text("First error")
    keys.press("ArrowRight")
    expect(annotate.get_by_role("button", name="4 Stale assumption")).to_have_attribute("aria-pressed", "false")
    keys.press("Control+Enter")
    expect(annotate.get_by_role("status")).to_contain_text("Kept")
    keys.to(annotate.get_by_role("button", name="4 Stale assumption"))
    keys.press("Enter")
    expect(annotate.get_by_role("button", name="4 Stale assumption")).to_have_attribute("aria-pressed", "true")
    _focused(keys, "Stale assumption")
    keys.press("u")
    expect(annotate.get_by_role("button", name="4 Stale assumption")).to_have_attribute("aria-pressed", "false")


def test_two_runs_are_compared(page: Page, keys: Keyboard) -> None:
    page.goto("/compare")
    first = page.get_by_role("combobox", name="First run")
    expect(first).to_be_visible()
    keys.skip()
    keys.to(first)
    page.keyboard.type("solved")
    keys.press("ArrowDown", "Enter")
    second = page.get_by_role("combobox", name="Second run")
    keys.to(second)
    page.keyboard.type("halfway")
    keys.press("ArrowDown", "Enter")
    expect(page).to_have_url(re.compile("runs=solved%2Chalfway"))
    keys.to(page.get_by_role("tab", name="Criteria"))
    keys.press("ArrowRight")
    expect(page.get_by_role("tab", name="Steps")).to_have_attribute("aria-selected", "true")
    _focused(keys, "Steps")


def test_a_world_is_exported_after_its_preflight(page: Page, keys: Keyboard) -> None:
    page.goto("/export?world=tiny")
    preflight = page.get_by_role("button", name="Preflight")
    expect(preflight).to_be_visible()
    keys.skip()
    keys.activate(preflight)
    expect(page.get_by_text(re.compile(r"\d of \d rules|All rules|can be trusted")).first).to_be_visible(
        timeout=180_000
    )
    keys.activate(page.get_by_role("button", name=re.compile("^Export")).first)
    expect(page.get_by_role("button", name="Download").first).to_be_visible(timeout=180_000)


def test_a_file_is_edited_with_completion_and_the_editor_left(page: Page, keys: Keyboard, own_world: Path) -> None:
    people = own_world / "people.yaml"
    page.goto(f"/files?world={own_world.name}&file=people.yaml")
    editor = page.locator(".cm-content")
    expect(editor).to_contain_text("priya")
    keys.skip()
    keys.to(editor)
    keys.press("Control+Home", "ArrowDown")
    while "role: " not in page.locator(".cm-activeLine").inner_text():
        keys.press("ArrowDown")
    keys.press("End", "Enter")
    page.keyboard.type("joi")
    expect(page.get_by_role("option", name=re.compile("^joins"))).to_be_visible()
    page.wait_for_timeout(200)  # a completion that has just come takes no Enter yet
    keys.press("Enter")
    page.keyboard.type("2026-03-02")
    expect(editor).to_contain_text("joins: 2026-03-02")
    keys.press("Control+s")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert "joins: 2026-03-02" in people.read_text()
    assert keys.holds(editor)

    keys.press("Tab")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_enabled()  # Tab writes
    keys.press("Control+z", "Escape", "Tab")
    assert not keys.holds(editor)
    assert keys.focused
