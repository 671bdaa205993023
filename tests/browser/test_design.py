"""Designing a world in the browser: nothing that is typed is lost, and nothing else changes."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from brownout.testing.fake_openai import FakeOpenAI

ROLE = "role: platform engineer"


@pytest.fixture
def people(own_world: Path) -> Path:
    return own_world / "people.yaml"


def _editor(page: Page, world: Path, file: str = "people.yaml") -> Locator:
    page.goto(f"/files?world={world.name}&file={file}")
    editor = page.locator(".cm-content")
    expect(editor).to_contain_text("priya")
    return editor


def test_two_mistakes_are_mended_by_clicks_and_every_other_byte_stays(
    page: Page, own_world: Path, people: Path
) -> None:
    whole = people.read_text()
    people.write_text(whole.replace("manager: priya", "manager: priyq", 1).replace("voice: terse", "voise: terse", 1))

    _editor(page, own_world)
    expect(page.get_by_label("Problems").get_by_role("button", name="2 problems")).to_be_visible()
    page.get_by_role("button", name="Change to priya").click()
    page.get_by_role("button", name="Change to voice").click()
    expect(page.get_by_role("button", name="No problems")).to_be_visible()
    page.keyboard.press("Control+s")  # the click took the keyboard from the editor

    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert people.read_text() == whole


def test_the_editor_completes_from_the_format_and_takes_every_key(page: Page, own_world: Path) -> None:
    editor = _editor(page, own_world)
    page.locator(".cm-line", has_text=ROLE).click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("joi")
    page.get_by_role("option", name=re.compile("^joins")).click()
    page.keyboard.type("2026-03-0?cr")

    expect(editor).to_contain_text("joins: 2026-03-0?cr")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Revert").click()
    expect(editor).not_to_contain_text("joins:")


def test_what_was_typed_survives_a_reload_and_changes_on_disk(page: Page, own_world: Path, people: Path) -> None:
    editor = _editor(page, own_world)
    page.locator(".cm-line", has_text=ROLE).click()
    page.keyboard.press("End")
    page.keyboard.type(", nights")
    page.on("dialog", lambda asked: asked.accept())
    page.reload()
    expect(editor).to_contain_text("platform engineer, nights")

    people.write_text("# theirs\n" + people.read_text())
    expect(page.get_by_text("Merged with changes on disk")).to_be_visible()
    expect(editor).to_contain_text("# theirs")
    people.write_text(people.read_text().replace(ROLE, "role: gardener"))
    asked = page.get_by_role("dialog", name="This file changed")
    expect(asked).to_be_visible()
    asked.get_by_role("button", name="Keep mine").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()

    assert "# theirs" in people.read_text()
    assert "platform engineer, nights" in people.read_text()


def test_a_form_changes_one_word_beside_its_yaml_and_is_taken_back(page: Page, own_world: Path, people: Path) -> None:
    before = people.read_text()
    page.goto(f"/people?world={own_world.name}&item=people.yaml%23ida")
    manager = page.locator('[data-field="ida.manager"] input')
    manager.fill("priyq")
    manager.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="no person 'priyq'")).to_be_visible()
    assert people.read_text() == before
    page.get_by_role("button", name="Change to priya").click()
    expect(manager).to_have_value("priya")

    role = page.locator('[data-field="ida.role"] input')
    role.fill("staff engineer")
    role.press("Enter")
    expect(page.get_by_label("YAML", exact=True)).to_contain_text("role: staff engineer")
    assert people.read_text() == before.replace(ROLE, "role: staff engineer")
    page.get_by_role("button", name="Undo", exact=False).click()
    expect(role).to_have_value("platform engineer")
    assert people.read_text() == before


def test_an_outage_is_moved_by_hand_and_by_keys(page: Page, own_world: Path) -> None:
    outages = own_world / "outages.yaml"
    page.goto(f"/outages?world={own_world.name}")
    bar = page.get_by_role("option", name=re.compile("^Slack is down"))
    box = bar.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 6, box["y"] + 6)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 6, steps=5)
    page.mouse.up()
    asked = page.get_by_role("button", name="Move it anyway")
    expect(asked.or_(page.get_by_text("Moved slack-noon"))).to_be_visible()
    if asked.is_visible():
        asked.click()
    expect(page.get_by_text("Moved slack-noon")).to_be_visible()
    dragged = outages.read_text()
    assert "slack-noon:" in dragged
    assert "2026-03-24 11:44" not in dragged
    assert re.search(r"slack-noon: .*from: 2026-03-\d\d \d\d:\d[05]", dragged), "dragged to a moment that people name"
    assert "# The evening that filled the hold table" in dragged

    bar.focus()
    page.keyboard.press("Alt+ArrowLeft")
    expect(page.get_by_role("status").filter(has_text="Slack is down")).to_be_visible()
    with page.expect_response(lambda answer: answer.url.endswith("/move") and answer.ok):
        pass


def _answered(page: Page, label: str) -> None:
    """Wait until a move was shown, and make it though something else would be wrong."""
    asked = page.get_by_role("button", name="Move it anyway")
    told = page.locator(".toast", has_text=label)
    expect(asked.or_(told)).to_be_visible()
    if asked.is_visible():
        asked.click()
    expect(told).to_be_visible()


def test_the_ends_of_an_outage_are_moved_by_hand_and_by_keys(page: Page, own_world: Path) -> None:
    outages = own_world / "outages.yaml"
    before = outages.read_text()
    page.goto(f"/outages?world={own_world.name}")
    bar = page.get_by_role("option", name=re.compile("^Slack is down"))
    bar.focus()
    for _ in range(8):
        page.keyboard.press("+")
    expect(bar.locator(".grip.end")).to_be_attached()
    box = bar.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] + 60, box["y"] + 8, steps=5)
    page.mouse.up()
    _answered(page, "Moved slack-noon to 24 Mar 11:44–24 Mar")
    longer = outages.read_text()
    assert "from: 2026-03-24 11:44" in longer
    assert "for: 48m" not in longer
    page.get_by_role("button", name="Undo", exact=True).first.click()
    expect(page.get_by_text("Took back: End slack-noon later")).to_be_visible()
    assert outages.read_text() == before

    bar.focus()
    page.keyboard.press("b")
    expect(page.get_by_role("status").filter(has_text="Beginning of Slack is down")).to_be_visible()
    page.keyboard.press("Alt+ArrowRight")
    _answered(page, "Moved slack-noon to 24 Mar 11:4")

    assert "from: 2026-03-24 11:45, for: 47m" in outages.read_text()


def test_the_time_line_says_where_an_outage_is_after_a_move_was_refused_or_taken_back(
    page: Page, own_world: Path
) -> None:
    page.goto(f"/outages?world={own_world.name}")
    bar = page.get_by_role("option", name=re.compile("^Slack is down"))
    said = page.locator(".tl-status")
    bar.focus()
    page.keyboard.press("Alt+ArrowRight")
    _answered(page, "Moved slack-noon")
    page.get_by_role("button", name="Undo", exact=True).first.click()
    expect(page.get_by_text("Took back: Move slack-noon")).to_be_visible()
    expect(said).to_contain_text("24 Mar 2026, 11:44")
    expect(said).not_to_contain_text(re.compile(r"\+\d"))

    page.route(re.compile("/move"), lambda route: route.fulfill(status=400, json={"error": "Not there"}))
    bar.focus()
    page.keyboard.press("Alt+ArrowRight")
    expect(page.locator(".toast", has_text="Not there")).to_be_visible()
    expect(said).to_contain_text("24 Mar 2026, 11:44")
    expect(said).not_to_contain_text(re.compile(r"\+\d"))


def test_what_was_missing_is_not_said_any_more_once_a_suggestion_has_it(page: Page, own_world: Path) -> None:
    page.goto(f"/people?world={own_world.name}")
    page.get_by_role("button", name="Add person").click()
    asked = page.get_by_role("dialog", name="Add person")
    asked.get_by_role("button", name="Add person").click()
    said = asked.get_by_role("alert")
    expect(said).to_contain_text("Give it a short name")

    asked.get_by_role("button", name="Suggest one").click()
    expect(asked.get_by_label("Short name")).to_have_value(re.compile("[a-z]"))
    expect(said).to_be_empty()


def test_what_a_removal_leaves_wrong_is_shown_and_taken_back(page: Page, own_world: Path, people: Path) -> None:
    before = people.read_text()
    page.goto(f"/people?world={own_world.name}&item=people.yaml%23marcus")
    page.get_by_role("button", name="Remove", exact=True).click()
    asked = page.get_by_role("dialog", name="Remove marcus?")
    expect(asked.get_by_role("listitem").first).to_contain_text(re.compile(r"\.yaml:\d+"))
    asked.get_by_role("button", name="Remove it anyway").click()
    problems = page.get_by_role("region", name="Problems")
    expect(problems).to_contain_text("Removed marcus: 1 problem came of it")
    expect(problems).to_contain_text("nobody in people.yaml is called 'marcus'")
    expect(page.locator(".st-key-problems_here", has_text="1 problem")).to_be_visible()

    problems.get_by_role("button", name="Undo it").click()

    expect(problems).to_have_count(0)
    assert people.read_text() == before


def test_two_tabs_lose_nothing(page: Page, context: BrowserContext, own_world: Path, people: Path) -> None:
    first = _editor(page, own_world)
    other = context.new_page()
    _editor(other, own_world)
    other.locator(".cm-line", has_text="role: support lead").click()
    other.keyboard.press("End")
    other.keyboard.type(", days")
    other.keyboard.press("Control+s")
    expect(other.get_by_text("Saved", exact=True)).to_be_visible()
    page.locator(".cm-line", has_text=ROLE).click()
    page.keyboard.press("End")
    page.keyboard.type(", nights")
    page.keyboard.press("Control+s")

    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    expect(first).to_contain_text("support lead, days")
    assert "support lead, days" in people.read_text()
    assert "platform engineer, nights" in people.read_text()
    other.close()


def test_a_draft_is_asked_for_by_a_click_shown_as_text_and_written_when_it_is_approved(
    page: Page, own_world: Path, people: Path, drafter: FakeOpenAI
) -> None:
    before = people.read_text()
    page.goto(f"/people?world={own_world.name}")
    page.get_by_role("button", name="Draft with a model").click()
    asked = page.get_by_role("dialog", name="Draft a person")
    approve = asked.get_by_role("button", name="Approve")
    expect(approve).to_be_disabled()
    asked.get_by_label("Describe the person").fill("Somebody for the evenings.")
    assert drafter.requests == []
    asked.get_by_role("button", name="Ask the model").click()
    expect(asked).to_contain_text("The world is valid with it.", timeout=60_000)
    expect(asked).to_contain_text("1,200 tokens in, 80 out, no price is known for this model")
    expect(asked).to_contain_text("<img src=x onerror=")
    assert len(drafter.requests) == 1
    assert people.read_text() == before

    approve.click()
    expect(page.get_by_role("heading", name="Nell Okafor")).to_be_visible()
    assert people.read_text().startswith(before)
    assert "nell:\n  name: Nell Okafor" in people.read_text()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Took back: Draft person nell")).to_be_visible()
    assert people.read_text() == before
    assert "owned" not in page.title()


def test_a_file_is_renamed_and_deleted_by_keys_and_what_names_it_is_shown(page: Page, own_world: Path) -> None:
    story = own_world / "storylines" / "holds.yaml"
    before = story.read_text()
    page.goto(f"/files?world={own_world.name}&file=documents%2Fwhy-is-a-seat-grey.md")
    page.get_by_role("treeitem", name="why-is-a-seat-grey.md").focus()
    page.keyboard.press("F2")
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("storylines/holds.yaml:")
    asked.get_by_label("New path").fill("documents/grey.md")
    page.keyboard.press("Tab")
    asked.get_by_role("button", name="Rename", exact=True).click()
    expect(page.get_by_text("Renamed documents/why-is-a-seat-grey.md to documents/grey.md")).to_be_visible()
    assert "file: grey.md}" in story.read_text()

    page.get_by_role("treeitem", name="grey.md").focus()
    page.keyboard.press("Delete")
    asked.get_by_role("button", name="Delete", exact=True).click()
    expect(asked).to_contain_text("Then the world would have 1 problem")
    asked.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("1 problem came of it")).to_be_visible()
    assert not (own_world / "documents" / "grey.md").exists()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Took back: Delete documents/grey.md")).to_be_visible()
    page.get_by_role("button", name="Undo the last change").click()
    expect(page.get_by_text("Took back: Rename documents/why-is-a-seat-grey.md")).to_be_visible()
    expect(page.get_by_role("treeitem", name="why-is-a-seat-grey.md")).to_be_visible()
    assert story.read_text() == before


def test_what_a_world_says_is_only_text_in_the_dark(page: Page) -> None:
    page.goto("/files?world=hostile&file=prose%2Fholds.yaml")
    expect(page.locator(".cm-content")).to_contain_text("onerror")
    page.goto("/storylines?world=hostile&view=table")
    expect(page.locator("table.entries")).to_be_visible()

    assert "owned" not in page.title()


def test_a_row_of_a_table_is_chosen_by_a_click_and_by_keys_and_is_a_card_in_a_narrow_window(page: Page) -> None:
    page.goto("/overview?world=tiny")
    tasks = page.get_by_role("table", name="Tasks")
    tasks.get_by_role("row").filter(has_text="mend-the-help-page").click()
    expect(page).to_have_url(re.compile("task=mend-the-help-page"))
    chosen = tasks.get_by_role("button", pressed=True)
    expect(chosen).to_have_text("Mend the help page")
    chosen.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("task=find-the-change"))
    expect(chosen).to_have_text("Find the change that ate the seats")

    page.set_viewport_size({"width": 390, "height": 844})
    expect(tasks.get_by_role("columnheader", name="Difficulty")).to_be_hidden()
    cell = page.locator("td[data-label=Difficulty]").first
    expect(cell).to_be_visible()
    box = cell.bounding_box()
    assert box is not None
    assert 250 < box["width"] < 390


def test_an_outage_is_chosen_from_a_list_and_a_task_from_questions(page: Page, own_world: Path) -> None:
    page.goto(f"/outages?world={own_world.name}")
    page.get_by_role("button", name="Add outage").click()
    on = page.get_by_role("combobox", name="On", exact=True)
    on.click()
    page.get_by_role("option", name=re.compile("^gmail")).click()
    expect(page.get_by_role("textbox", name="Short name")).to_have_value("gmail-down")
    begins = page.get_by_role("combobox", name="From")
    before = begins.input_value()
    begins.fill("2026-02-31 14:00")
    expect(page.get_by_text("Nothing there is called so")).to_be_visible()
    begins.fill("2026-03-24 14:00")
    expect(page.get_by_text(re.compile(r"^A Tuesday, 14:00 in \w+/\w+\.$"))).to_be_visible()
    begins.fill(before)
    on.click()
    page.keyboard.press("Escape")  # closes the list, not the dialog
    page.get_by_role("dialog").get_by_role("button", name="Add outage").click()
    expect(page.get_by_text("Added gmail-down")).to_be_visible()
    assert "gmail-down: {on: gmail" in (own_world / "outages.yaml").read_text().replace("\n", " ")

    page.goto(f"/tasks?world={own_world.name}")
    page.get_by_role("button", name="Add task").click()
    start = page.get_by_role("textbox", name="When the agent comes in")
    expect(start).not_to_have_value("")
    begun = start.input_value()
    last = page.locator("label.fact").last
    stood = last.bounding_box()
    page.get_by_role("checkbox", name=re.compile("How many minutes a seat is really kept")).check()
    expect(page.get_by_role("textbox", name="Short name")).to_have_value("boxoffice-hold-minutes")
    expect(page.get_by_role("combobox", name=re.compile("^Right answer"))).to_be_visible()
    assert last.bounding_box() == stood, "no row moves from under the pointer"
    expect(start).to_have_value(begun)
    start.fill("2026-03-24 11:40")
    expect(page.get_by_text("Slack is down from 11:44, 4 minutes later.")).to_be_visible()
    start.fill("soon")
    expect(page.get_by_text("expected a time such as")).to_be_visible()
    start.fill("2026-03-24 11:40")
    page.get_by_role("dialog").get_by_role("button", name="Add task").click()
    expect(page.get_by_text("Added boxoffice-hold-minutes")).to_be_visible()
    assert "fact: hold-10" in (own_world / "tasks/boxoffice-hold-minutes/task.yaml").read_text()


@pytest.mark.journeys
def test_five_answers_are_a_company_on_screen(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="New world").click()
    page.get_by_role("textbox", name="Company's name").press_sequentially("Harbour & Sons")
    expect(page.get_by_role("heading", name="Harbour & Sons")).to_be_visible()  # nothing was left, no key pressed
    people = page.get_by_role("spinbutton", name="People")
    people.fill("31")
    expect(page.locator("[data-testid=stMetric]", has_text="People")).to_contain_text("31")
    page.get_by_role("button", name="Show it whole (0)").click()
    expect(page.locator(".graph-more")).to_be_empty()
    page.get_by_role("textbox", name="Short name").fill("harbour")
    page.get_by_role("textbox", name="Short name").press("Enter")
    expect(page.locator(".graph-svg .node").first).to_be_visible()
    page.get_by_role("button", name="Make this company").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    page.get_by_role("button", name="Open preview").click(timeout=120_000)
    expect(page.get_by_role("listbox", name="Messages")).to_be_visible(timeout=60_000)


@pytest.mark.parametrize(
    "title", ["Company", "People", "Customers", "Systems", "Storylines", "Outages", "Tasks", "Graders", "Files"]
)
def test_a_page_is_one_step_of_the_browsers_history(page: Page, own_world: Path, title: str) -> None:
    page.goto(f"/overview?world={own_world.name}")
    link = page.get_by_role("link", name=title, exact=True)
    expect(link).to_be_visible()
    before = page.evaluate("history.length")
    link.click()
    expect(page).to_have_url(re.compile("(view|file)="))
    assert page.evaluate("history.length") == before + 1
    page.go_back()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()


def test_the_link_of_a_page_follows_what_is_chosen_and_leads_back_to_it(page: Page, own_world: Path) -> None:
    page.goto(f"/people?world={own_world.name}")
    page.get_by_text("Owen Fitch").first.click()
    expect(page).to_have_url(re.compile("item=people.yaml%23owen"))
    page.get_by_role("link", name="Customers", exact=True).click()
    expect(page.get_by_role("heading", name="Customers")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("The chosen entry").get_by_role("heading", name="Owen Fitch")).to_be_visible()


@pytest.mark.parametrize("name", ["people", "customers", "systems", "outages"])
def test_a_file_that_cannot_be_read_is_said_so_with_the_way_to_its_line(page: Page, own_world: Path, name: str) -> None:
    (own_world / f"{name}.yaml").write_text("broken:\n  name: [x\n")
    page.goto(f"/{name}?world={own_world.name}&view=table")
    note = page.locator(".nothing")
    expect(note).to_contain_text(f"{name}.yaml cannot be read")
    expect(page.get_by_role("button", name=re.compile("^Add "))).to_be_disabled()
    note.get_by_role("button", name=re.compile(f"Go to {name}.yaml:2")).click()
    expect(page).to_have_url(re.compile(f"files.*file={name}.yaml.*line=2"))


_EDGES_INSIDE_BOXES = """svg => {
  const boxes = [...svg.querySelectorAll(".node rect")].map((one) => one.getBoundingClientRect());
  const isInside = (at) => boxes.find((box) => at.x > box.left + 2 && at.x < box.right - 2 && at.y > box.top + 2 && at.y < box.bottom - 2);
  return [...svg.querySelectorAll(".edge")].filter((path) => {
    const points = [...Array(201).keys()].map((at) => path.getPointAtLength((at / 200) * path.getTotalLength()));
    return points.some((point) => isInside(point.matrixTransform(path.getScreenCTM())));
  }).map((path) => path.getAttribute("d"));
}"""
"""The edges of a graph that lie within a box on their way."""


def test_no_dependency_is_drawn_through_the_box_of_another_service(page: Page) -> None:
    page.goto("/systems?world=larkspur")
    expect(page.locator(".graph-svg .node").first).to_be_visible()

    through = page.locator(".graph-svg").evaluate(_EDGES_INSIDE_BOXES)

    assert page.locator(".graph-svg .edge").count() > 10
    assert through == []
