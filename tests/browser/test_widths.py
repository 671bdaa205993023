"""What a window of a usual size shows: no page is wider than it, and what one decides by is in sight."""

import pytest
from playwright.sync_api import Page, expect

from studio.pages import PAGES

_WINDOWS = ((1280, 800), (1000, 750), (390, 844))
_QUERIES = {"replay": "run=solved", "compare": "runs=solved,halfway", "runs": "", "home": "", "new_world": ""}
_REST_MS = 500
_BEYOND = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  const dialogs = [...document.querySelectorAll("[role=dialog]")];
  const wide = [document.scrollingElement, main, ...dialogs].filter((one) => one.scrollWidth > one.clientWidth + 1);
  const outside = dialogs.filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
  return [...wide.map((one) => one.scrollWidth - one.clientWidth), ...outside.map((one) => Math.round(one.getBoundingClientRect().right - innerWidth))];
}"""


def _rested(page: Page) -> None:
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.wait_for_timeout(_REST_MS)


def _beyond(page: Page) -> dict[int, list[int]]:
    """Pixels that something is wider than its window, by the window's width."""
    found = {}
    for width, height in _WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(_REST_MS)
        found[width] = page.evaluate(_BEYOND)
    return {width: pixels for width, pixels in found.items() if pixels}


@pytest.mark.journeys
@pytest.mark.parametrize("name", [one.file for one in PAGES])
def test_no_page_is_wider_than_its_window(page: Page, name: str) -> None:
    page.goto(f"/{'' if name == 'home' else name}?{_QUERIES.get(name, 'world=tiny')}")
    expect(page.get_by_role("heading").first).to_be_visible()
    _rested(page)

    assert _beyond(page) == {}


def test_the_start_of_a_run_is_no_wider_than_its_window_in_the_dark(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto("/runs?world=tiny")
    page.get_by_role("button", name="Start run").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Start", exact=True)).to_be_visible()
    _rested(page)

    assert _beyond(page) == {}


def test_a_new_worlds_seed_is_in_sight_in_a_small_window(page: Page) -> None:
    page.set_viewport_size({"width": 1000, "height": 750})
    page.goto("/new_world")

    expect(page.get_by_role("spinbutton", name="World seed")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Another one")).to_be_in_viewport(ratio=1)
