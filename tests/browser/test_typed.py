"""What somebody types: it goes where they mean it, and nothing of it is lost."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect


@pytest.mark.parametrize("by", ["key", "button"])
def test_a_dialog_begins_in_its_field_and_offers_what_holds_the_typed_letters(page: Page, by: str) -> None:
    page.goto("/compare?world=tiny")
    expect(page.get_by_role("combobox", name="First run")).to_be_visible()
    go_to = page.get_by_role("button", name="Go to…")
    expect(go_to).to_be_visible()
    if by == "key":
        page.keyboard.press("Control+k")
    else:
        go_to.click()
    place = page.get_by_role("dialog", name="Go to…").get_by_role("combobox")
    expect(place).to_be_focused()
    page.keyboard.type("marc")
    offered = page.get_by_role("option")
    expect(offered.first).to_contain_text("Marcus")
    assert all("marc" in one.casefold() for one in offered.all_inner_texts())


def _hours(page: Page) -> Locator:
    return page.locator('[data-field="owen.hours"] input')


def test_a_field_that_was_refused_stays_on_other_pages_and_after_a_reload(page: Page, own_world: Path) -> None:
    people = own_world / "people.yaml"
    before = people.read_text()
    page.goto(f"/people?world={own_world.name}&item=people.yaml%23owen")
    _hours(page).fill("25:00-3")
    page.get_by_role("link", name="Customers", exact=True).click()  # leaves the field, and the page before the answer
    refused = page.get_by_role("button", name="1 field not written")
    expect(page.get_by_role("heading", name="Customers")).to_be_visible()
    expect(refused).to_be_visible()
    refused.click()
    expect(_hours(page)).to_have_value("25:00-3")
    page.reload()
    expect(_hours(page)).to_have_value("25:00-3")
    expect(refused).to_be_visible()
    assert people.read_text() == before

    page.get_by_role("button", name="Take it back").click()
    expect(_hours(page)).to_have_value("10:00-18:30")
    expect(refused).to_be_hidden()
    page.reload()
    expect(_hours(page)).to_have_value("10:00-18:30")


def test_a_field_that_was_not_left_outlives_a_reload_and_is_written_by_a_click(page: Page, own_world: Path) -> None:
    people = own_world / "people.yaml"
    page.goto(f"/people?world={own_world.name}&item=people.yaml%23owen")
    role = page.locator('[data-field="owen.role"] input')
    role.fill("night baker")
    page.reload()
    expect(role).to_have_value("night baker")
    expect(page.locator('[data-field="owen.role"]')).to_contain_text("not written")
    assert "night baker" not in people.read_text()

    page.get_by_role("button", name="Write it").click()
    expect(page.get_by_role("button", name="Write it")).to_be_hidden()
    expect(page.get_by_label("YAML", exact=True)).to_contain_text("role: night baker")
    assert "role: night baker" in people.read_text()


def test_a_field_keeps_what_is_typed_while_the_file_changes_elsewhere(page: Page, own_world: Path) -> None:
    people = own_world / "people.yaml"
    page.goto(f"/people?world={own_world.name}&item=people.yaml%23owen")
    role = page.locator('[data-field="owen.role"] input')
    role.click()
    role.fill("night baker")
    people.write_text("# theirs\n" + people.read_text())
    expect(page.get_by_label("YAML", exact=True)).to_contain_text("# theirs")
    expect(role).to_have_value("night baker")
    role.press("Tab")
    expect(page.get_by_label("YAML", exact=True)).to_contain_text("role: night baker")
    assert "role: night baker" in people.read_text()


def test_notes_of_an_annotator_outlive_a_reload(page: Page) -> None:
    page.goto("/replay?run=solved&step=3&annotate=1")
    annotate = page.get_by_role("region", name="Annotate")
    note, better = annotate.get_by_role("textbox", name="Note"), annotate.get_by_role("textbox", name="Correct action")
    expect(annotate.get_by_text(re.compile("^as "))).to_be_visible()
    expect(page.get_by_role("application", name="Trajectory replay").locator(".where")).to_have_text(
        re.compile("^Step 3 /")
    )
    better.fill("ask Priya first")
    page.reload()
    expect(better).to_have_value("ask Priya first")
    note.fill("believed the old policy")
    page.reload()
    expect(note).to_have_value("believed the old policy")
    expect(better).to_have_value("ask Priya first")

    note.click()
    better.click()
    page.get_by_role("application", name="Trajectory replay").locator(".where").click()
    expect(annotate.locator(".records")).to_contain_text("ask Priya first")
    kept = "Object.keys(sessionStorage).filter((key) => key.startsWith('brownout-note'))"
    page.wait_for_function(f"() => {kept}.length === 0")
    page.reload()
    expect(note).to_have_value("believed the old policy")


def test_the_answers_of_new_world_outlive_a_reload(page: Page) -> None:
    page.goto("/new_world")
    company = page.get_by_role("textbox", name="Company's name")
    people = page.get_by_role("spinbutton", name="People")
    company.fill("Kestrel Fish")
    expect(page.get_by_role("textbox", name="Short name")).to_have_value("kestrel-fish")
    people.fill("33")
    people.press("Enter")
    page.get_by_text("A migration with a wrong turn").click()
    page.wait_for_url(re.compile("new_company=.*new_people=33.*new_stories="))
    page.reload()
    expect(company).to_have_value("Kestrel Fish")
    expect(page.get_by_role("textbox", name="Short name")).to_have_value("kestrel-fish")
    expect(people).to_have_value("33")
    expect(page.locator(".graph-svg .node").first).to_be_visible()
    page.get_by_role("link", name="Runs", exact=True).click()
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    page.go_back()
    expect(company).to_have_value("Kestrel Fish")
    expect(people).to_have_value("33")
    expect(page.get_by_role("button", name="Make this company")).to_be_visible()
    page.wait_for_function("!document.querySelector('[data-testid=stStatusWidget]')")
    page.goto("/")
    page.get_by_role("link", name="Continue: New world").click()
    expect(people).to_have_value("33")


def test_the_answers_of_an_export_outlive_a_reload_and_other_pages(page: Page) -> None:
    page.goto("/export?world=tiny&to=trl")
    seeds, splits = page.get_by_role("textbox", name="Run seeds"), page.get_by_role("textbox", name="Splits")
    for field, answer in ((seeds, "0-2"), (splits, "train=0.8,test=0.2")):
        field.fill(answer)
        field.press("Enter")
    page.get_by_role("combobox", name="Tasks").click()
    page.get_by_role("option").first.click()
    page.keyboard.press("Escape")
    page.locator("label").filter(has_text="Play it when it is written").click()
    command = page.get_by_text(re.compile("brownout export .*--tasks .*--seeds 0-2 --split train=0.8,test=0.2"))
    expect(command).to_be_visible()
    expect(page.get_by_text(re.compile("brownout export .*--smoke"))).to_be_hidden()

    page.reload()
    expect(command).to_be_visible()
    expect(page.get_by_text(re.compile("brownout export .*--smoke"))).to_be_hidden()

    page.get_by_role("link", name="Check", exact=True).click()
    expect(page.get_by_role("heading", name="Check", level=1)).to_be_visible()
    page.get_by_role("link", name="Export", exact=True).click()
    expect(seeds).to_have_value("0-2")
    expect(splits).to_have_value("train=0.8,test=0.2")
    expect(command).to_be_visible()
