"""What was typed and not saved, in the browser: every page knows of it, and a build saves it first."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

ROLE = "role: platform engineer"


@pytest.fixture
def people(own_world: Path) -> Path:
    return own_world / "people.yaml"


def _type(page: Page, text: str) -> None:
    """Write at the end of a line of the editor."""
    page.locator(".cm-line", has_text=ROLE).click()
    page.keyboard.press("End")
    page.keyboard.type(text)


def _save_and_build(page: Page) -> Locator:
    return page.get_by_role("button", name="people.yaml not saved · Save and build")


class SlowServer:
    """What the studio answers, held back while it is busy."""

    def __init__(self, page: Page) -> None:
        self._is_busy = False
        self._held: list[str | bytes] = []
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def _connect(self, browser: WebSocketRoute) -> None:
        self._browser = browser
        browser.connect_to_server().on_message(self._answer)

    def _answer(self, message: str | bytes) -> None:
        if self._is_busy:
            self._held.append(message)
        else:
            self._browser.send(message)

    def work_for(self, page: Page, seconds: float) -> None:
        self._is_busy = True
        page.wait_for_timeout(1000 * seconds)
        self._is_busy = False
        for message in self._held:
            self._browser.send(message)


def test_who_leaves_a_text_at_once_is_not_brought_back_to_it(page: Page, own_world: Path) -> None:
    server = SlowServer(page)
    page.goto(f"/files?world={own_world.name}&file=people.yaml")
    _type(page, ", nights")
    page.get_by_role("link", name="Overview").click()
    server.work_for(page, 2)  # the check of what was typed is through by then

    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    expect(_save_and_build(page)).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()


def test_who_leaves_a_field_by_a_button_that_leads_elsewhere_is_not_brought_back_to_it(
    page: Page, own_world: Path, people: Path
) -> None:
    tasks = own_world / "tasks" / "find-the-change" / "task.yaml"
    tasks.write_text(f"{tasks.read_text()}colour: red\n")
    server = SlowServer(page)
    page.goto(f"/people?world={own_world.name}&item=people.yaml%23ida")
    page.get_by_role("textbox", name="Role").fill("night shift")
    page.get_by_test_id("stMain").get_by_test_id("stHorizontalBlock").get_by_role(
        "button", name="1 problem"
    ).first.click()
    server.work_for(page, 2)  # what was typed is written by then

    expect(page.get_by_role("heading", name="Files")).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.get_by_role("heading", name="Files")).to_be_visible()
    assert "night shift" in people.read_text()


def test_a_build_saves_what_was_typed_in_an_editor_that_was_left(page: Page, own_world: Path, people: Path) -> None:
    before = people.read_text()
    page.goto(f"/files?world={own_world.name}&file=people.yaml")
    _type(page, ", nights")
    expect(_save_and_build(page)).to_be_visible()
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    assert people.read_text() == before
    _save_and_build(page).click()

    expect(page.locator(".stMarkdownBadge", has_text="Built")).to_be_visible(timeout=60_000)
    assert people.read_text() == before.replace(ROLE, f"{ROLE}, nights")


def test_the_badge_follows_what_is_typed_and_leads_to_what_is_wrong_with_it(page: Page, own_world: Path) -> None:
    page.goto(f"/files?world={own_world.name}&file=people.yaml")
    page.locator(".cm-line", has_text="voice: dry").first.click()
    page.keyboard.press("End")
    page.keyboard.type("x")
    wrong = page.get_by_role("button", name="1 problem, not saved")
    expect(wrong).to_be_visible()
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    wrong.click()

    expect(page).to_have_url(re.compile("file=people.yaml&line="))
    expect(page.locator(".cm-activeLine")).to_contain_text("voice: dryx")
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    expect(page.locator(".stMarkdownBadge", has_text=re.compile("Valid$"))).to_be_visible()


def test_a_field_that_was_refused_is_shown_by_the_badge(page: Page, own_world: Path) -> None:
    page.goto(f"/people?world={own_world.name}&item=people.yaml%23ida")
    field = page.get_by_role("combobox", name="Manager")
    field.fill("nobody-at-all")
    field.press("Tab")
    button = page.get_by_role("button", name="1 field not written")
    expect(button).to_be_visible()
    button.click()

    expect(field).to_be_focused()


def test_a_build_beside_the_editor_leaves_it_with_what_it_saved(page: Page, own_world: Path, people: Path) -> None:
    before = people.read_text()
    page.goto(f"/files?world={own_world.name}&file=people.yaml")
    _type(page, ", mornings")
    _save_and_build(page).click()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    expect(page.locator(".stMarkdownBadge", has_text="Built")).to_be_visible(timeout=60_000)
    assert people.read_text() == before.replace(ROLE, f"{ROLE}, mornings")
    page.get_by_role("link", name="Overview").click()
    expect(page.locator(".stMarkdownBadge", has_text="Built")).to_be_visible()


def test_nothing_is_built_over_what_somebody_else_wrote(page: Page, own_world: Path, people: Path) -> None:
    page.goto(f"/files?world={own_world.name}&file=people.yaml")
    _type(page, ", nights")
    expect(_save_and_build(page)).to_be_visible()
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    people.write_text(people.read_text().replace(ROLE, "role: gardener"))
    theirs = people.read_text()
    _save_and_build(page).click()

    expect(page.get_by_text("Nothing was built")).to_be_visible()
    assert people.read_text() == theirs
    page.locator(".st-key-save_refused").get_by_role("link", name="people.yaml").click()
    asked = page.get_by_role("dialog", name="This file changed")
    asked.get_by_role("button", name="Keep mine").click()
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert f"{ROLE}, nights" in people.read_text()


def test_yaml_beside_a_form_is_kept_when_the_page_is_left_and_known_to_the_build(
    page: Page, own_world: Path, people: Path
) -> None:
    before = people.read_text()
    page.goto(f"/people?world={own_world.name}&item=people.yaml%23ida")
    _type(page, ", nights")
    expect(_save_and_build(page)).to_be_visible()
    people.write_text("# theirs\n" + before)
    expect(page.get_by_text("Merged with changes on disk")).to_be_visible()
    expect(page.locator(".cm-content")).to_contain_text("platform engineer, nights")
    page.get_by_role("link", name="Outages").click()
    expect(page.get_by_role("option", name=re.compile("^Slack is down"))).to_be_visible()
    expect(_save_and_build(page)).to_be_visible()
    page.get_by_role("link", name="People").click()
    expect(page.get_by_role("heading", name="People")).to_be_visible()
    page.locator("tr[data-id='people.yaml#ida']").click()
    expect(page.locator(".cm-content")).to_contain_text("platform engineer, nights")
    page.keyboard.press("Control+s")

    expect(_save_and_build(page)).to_be_hidden()
    assert people.read_text() == "# theirs\n" + before.replace(ROLE, f"{ROLE}, nights")


def test_a_refused_field_is_known_to_the_button_that_builds(page: Page, own_world: Path) -> None:
    page.goto(f"/people?world={own_world.name}&item=people.yaml%23ida")
    manager = page.locator('[data-field="ida.manager"] input')
    manager.fill("priyq")
    manager.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="no person 'priyq'")).to_be_visible()
    build = page.locator(".st-key-build button").first
    build.hover()
    expect(page.get_by_text("Builds without what was typed in ida.manager in people.yaml")).to_be_visible()
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("button", name="1 field not written")).to_be_hidden()
    page.mouse.move(0, 0)
    build.hover()
    expect(page.get_by_text("Builds the company from its text as it is now")).to_be_visible()


def test_enter_presses_a_dialogs_button_escape_closes_it_and_the_keyboard_goes_back(
    page: Page, own_world: Path, people: Path
) -> None:
    page.goto(f"/people?world={own_world.name}")
    add = page.get_by_role("button", name="Add person")
    asked = page.get_by_role("dialog", name="Add person")
    add.click()
    expect(asked).to_be_visible()
    asked.get_by_role("heading").click()  # the keyboard is on no field then
    page.keyboard.press("Escape")
    expect(asked).to_be_hidden()
    expect(add).to_be_focused()

    page.keyboard.press("Enter")
    asked.get_by_label("Name", exact=True).fill("Nell Okafor")
    asked.get_by_label("Role").fill("support agent")
    asked.get_by_label("Short name").fill("Nell!")
    page.keyboard.press("Enter")
    expect(asked.get_by_text("Give it a short name")).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("nell")
    page.keyboard.press("Enter")
    while asked.is_visible():  # another person first where something would be wrong with this one
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
    expect(page.get_by_role("heading", name="Nell Okafor")).to_be_visible()
    assert "nell:" in people.read_text()


def test_enter_in_a_list_that_is_open_only_chooses(page: Page, own_world: Path) -> None:
    outages = own_world / "outages.yaml"
    page.goto(f"/outages?world={own_world.name}")
    page.get_by_role("button", name="Add outage").click()
    asked = page.get_by_role("dialog", name="Add outage")
    page.keyboard.type("gma")
    page.keyboard.press("Enter")
    expect(asked.get_by_label("On", exact=True)).to_have_value("gmail")
    expect(asked).to_be_visible()
    asked.get_by_label("Mode").focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(asked).to_be_visible()
    page.keyboard.press("Escape")
    if asked.is_visible():
        page.keyboard.press("Escape")
    expect(asked).to_be_hidden()
    assert "gmail" not in outages.read_text()


def test_the_removal_of_something_is_no_matter_of_enter(page: Page, own_world: Path, people: Path) -> None:
    before = people.read_text()
    page.goto(f"/people?world={own_world.name}&item=people.yaml%23marcus")
    page.get_by_role("button", name="Remove", exact=True).click()
    asked = page.get_by_role("dialog", name="Remove marcus?")
    asked.get_by_role("heading").click()
    page.keyboard.press("Enter")
    expect(asked).to_be_visible()
    page.keyboard.press("Escape")
    expect(asked).to_be_hidden()
    assert people.read_text() == before


def test_an_unknown_address_is_answered_by_our_own_page(page: Page) -> None:
    page.goto("/preveiw?world=tiny&as=ida")
    expect(page.get_by_text("/preveiw not found")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("link", name="Preview", exact=True).last.click()
    expect(page).to_have_url(re.compile(r"/preview\?.*as=ida"))
    page.goto("/nothing-at-all")
    page.get_by_role("link", name="Go to Home").click()
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    assert page.evaluate("location.pathname + location.search") == "/"


def test_enter_in_a_dialog_of_home_does_what_its_button_says(page: Page, studio_home: Path) -> None:
    page.goto("/")
    page.get_by_role("button", name="Import a folder").click()
    asked = page.get_by_role("dialog", name="Import a folder")
    folder = asked.get_by_role("textbox", name="Folder")
    folder.press("Enter")
    expect(asked.get_by_text("Name the folder first.")).to_be_visible()
    folder.fill(str(studio_home / "nowhere"))
    folder.press("Enter")
    expect(asked.get_by_role("alert")).to_contain_text("nowhere")
    page.keyboard.press("Escape")
    expect(asked).to_be_hidden()
