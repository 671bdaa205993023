"""What somebody types: it goes where they mean it, and nothing of it is lost."""

import pytest
from playwright.sync_api import Page, expect


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
