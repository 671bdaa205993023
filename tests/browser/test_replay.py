"""Replaying a run in the browser."""

import re
from time import sleep

import pytest
from playwright.sync_api import Page, Route, expect


def test_a_run_is_opened_from_the_table_and_stepped_through_with_keys(page: Page) -> None:
    page.goto("/runs")
    page.get_by_role("table", name="Runs").get_by_role("button", name="solved", exact=True).click()

    pane = page.get_by_role("application", name="Trajectory replay")
    where = pane.locator(".where")
    expect(where).to_have_text(re.compile(r"^Step 1 / \d+ · \d\d:\d\d:\d\d$"))
    first = pane.locator(".detail h3").inner_text()
    page.keyboard.press("ArrowRight")
    expect(where).to_have_text(re.compile(r"^Step 2 /"))
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_text(re.compile(r"^Step 1 /"))
    expect(pane.locator(".detail h3")).to_have_text(first)
    page.keyboard.press("]")
    expect(pane.locator("#change")).to_contain_text("jira:BOX.issue/")


def test_fast_keys_never_jump_back(page: Page) -> None:
    page.goto("/replay?run=solved")
    where = page.get_by_role("application", name="Trajectory replay").locator(".where")
    expect(where).to_have_text(re.compile(r"^Step 1 /"))

    for _ in range(12):
        page.keyboard.press("j")
        page.wait_for_timeout(60)

    expect(where).to_have_text(re.compile(r"^Step 13 /"))
    expect(page).to_have_url(re.compile("step=13"))
    page.wait_for_timeout(600)
    expect(where).to_have_text(re.compile(r"^Step 13 /"))


def test_the_first_error_shows_the_outage_and_the_reward_so_far(page: Page) -> None:
    page.goto("/replay?run=solved")
    pane = page.get_by_role("application", name="Trajectory replay")
    expect(pane.locator(".where")).to_have_text(re.compile(r"^Step 1 /"))

    page.keyboard.press("x")

    expect(pane.locator(".detail")).to_contain_text("first error")
    expect(pane.locator(".fault")).to_contain_text("slack-noon")
    for heading in ("World-state change", "Agent saw vs ground truth", "Reward so far"):
        expect(pane.get_by_role("heading", name=heading)).to_be_visible()
    expect(pane.locator("#saw")).to_contain_text("is down")
    expect(pane.locator("#reward .total")).to_contain_text("0.73")
    page.keyboard.press("End")
    expect(pane.locator("#reward .total")).to_contain_text("1.00")


def test_a_link_goes_to_its_step_and_an_unknown_run_is_said_to_be_missing(page: Page) -> None:
    page.goto("/replay?run=solved&step=5")
    expect(page.locator(".where")).to_have_text(re.compile(r"^Step 5 /"))

    page.goto("/replay?run=r-9")
    expect(page.get_by_text("Run r-9 not found")).to_be_visible()


def test_the_keys_are_listed_and_anything_can_be_gone_to(page: Page) -> None:
    page.goto("/runs")
    page.locator("[aria-keyshortcuts='?']").wait_for(state="attached")
    page.locator("h1").click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Next failed call")
    page.keyboard.press("Escape")

    page.keyboard.press("Control+k")
    dialog = page.get_by_role("dialog", name="Go to…")
    dialog.get_by_role("combobox").click()
    page.keyboard.type("halfway")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="halfway", level=1)).to_be_visible()


def test_every_criterion_says_why_and_the_task_can_be_read(page: Page) -> None:
    page.goto("/replay?run=halfway")
    pane = page.get_by_role("application", name="Trajectory replay")
    page.get_by_role("application", name="Trajectory replay").locator(".where").wait_for()
    page.keyboard.press("End")
    failed = pane.locator("#reward details").filter(has_text="told-room")
    expect(failed.locator(".why p")).to_be_visible()
    passed = pane.locator("#reward details").filter(has_text="untouched")
    expect(passed.locator(".why p")).to_be_hidden()
    passed.locator("summary").click()
    expect(passed.locator(".why p")).to_be_visible()

    page.get_by_text("Find the change that ate the seats").click()
    expect(page.get_by_text("Difficulty:")).to_be_visible()


def test_a_run_is_annotated_with_keys_and_what_was_said_is_kept(page: Page) -> None:
    page.goto("/replay?run=halfway&annotate=1&step=3")
    pane = page.get_by_role("application", name="Trajectory replay")
    annotate = pane.get_by_role("region", name="Annotate")
    expect(annotate).to_be_visible()
    expect(annotate.get_by_role("button", name=re.compile("^Submit"))).to_have_text("SubmitCtrl+Enter")
    expect(pane).to_contain_text("Step 3 /")  # keys mean the step that is shown
    page.keyboard.press("4")
    expect(annotate.get_by_role("button", name="4 Stale assumption")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("f")
    expect(annotate.locator(".records")).to_contain_text("First error")
    page.keyboard.press("n")
    page.keyboard.type("4 times it looked at the wrong room")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(annotate.get_by_role("status")).to_contain_text("Took back: Note")
    expect(annotate.get_by_role("button", name="4 Stale assumption")).to_have_attribute("aria-pressed", "true")

    page.keyboard.press("Control+Enter")
    expect(annotate.get_by_role("status")).to_contain_text("Kept")
    page.goto("/replay?run=halfway&annotate=1&step=3")
    expect(annotate.get_by_role("button", name="4 Stale assumption")).to_have_attribute("aria-pressed", "true")


def test_keys_mean_what_they_say_after_a_click_on_the_annotate_switch(page: Page) -> None:
    page.goto("/replay?run=halfway&step=3")
    pane = page.get_by_role("application", name="Trajectory replay")
    expect(pane.locator(".where")).to_have_text(re.compile(r"^Step 3 /"))
    page.locator("label").filter(has_text="Annotate").click()
    annotate = pane.get_by_role("region", name="Annotate")
    expect(annotate).to_be_visible()

    page.keyboard.press("f")
    expect(annotate.locator(".records")).to_contain_text("First error")
    page.get_by_role("switch", name="Annotate").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1000, 750)])
def test_a_small_window_keeps_the_filters_in_a_row_and_submit_off_the_footer(
    page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto("/replay?run=solved&annotate=1&step=3")
    filters = page.get_by_role("group", name="Show steps of").get_by_role("button")
    expect(filters.nth(2)).to_be_visible()
    expect(filters.first).to_have_attribute("title", re.compile(r"Hide these \d+ steps"))
    tops = {filters.nth(number).bounding_box()["y"] for number in range(filters.count())}  # type: ignore[index]
    submit = page.get_by_role("button", name=re.compile("^Submit")).bounding_box()
    side = page.get_by_role("complementary", name="What this step meant").bounding_box()

    assert len(tops) == 1
    assert submit is not None
    assert side is not None
    assert submit["y"] + submit["height"] <= side["y"] + side["height"] - 6


def test_keys_that_come_faster_than_the_studio_answers_mean_what_was_done_before_them(page: Page) -> None:
    def late(route: Route) -> None:
        sleep(0.3)
        route.continue_()

    page.route("**/api/annotations**", late)
    page.goto("/replay?run=solved&annotate=1&step=1")
    pane = page.get_by_role("application", name="Trajectory replay")
    annotate = pane.get_by_role("region", name="Annotate")
    expect(annotate.get_by_role("button", name="4 Stale assumption")).to_be_visible()
    expect(pane).to_contain_text("Step 1 /")
    for key in ("f", "4", "u", "f", "4"):
        page.keyboard.press(key)

    expect(annotate.locator(".records")).to_have_text("Label Stale assumption · step 1")
    expect(annotate.get_by_role("button", name="4 Stale assumption")).to_have_attribute("aria-pressed", "true")
    expect(annotate.get_by_role("button", name="First error F")).to_have_attribute("aria-pressed", "false")


def test_steps_are_searched_and_a_miss_says_so(page: Page) -> None:
    page.goto("/replay?run=solved")
    pane = page.get_by_role("application", name="Trajectory replay")
    expect(pane.locator(".where")).to_have_text(re.compile(r"^Step 1 /"))
    page.keyboard.press("/")
    page.keyboard.type("jira_update")
    expect(pane.locator(".step mark").first).to_have_text("jira_update")
    page.keyboard.type(" nothing")
    expect(pane.get_by_text("No step says")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    expect(pane.locator(".where")).to_have_text(re.compile(r"^Step 1 /"))


def test_what_was_believed_though_stale_is_found_and_marked(page: Page) -> None:
    page.goto("/replay?run=solved&annotate=1")
    pane = page.get_by_role("application", name="Trajectory replay")
    label = pane.get_by_role("region", name="Annotate").get_by_role("button", name="4 Stale assumption")
    expect(label).to_be_visible()
    expect(pane.locator(".where")).to_have_text(re.compile(r"^Step 1 /"))

    page.keyboard.press("s")

    expect(pane.locator("#saw tr.differs:has(small)")).to_contain_text("boxoffice.hold_minutes")
    page.keyboard.press("4")
    expect(label).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("u")
    expect(label).to_have_attribute("aria-pressed", "false")


def test_runs_are_ticked_sorted_and_compared_in_a_table_that_fits_a_narrow_window(page: Page) -> None:
    page.set_viewport_size({"width": 1000, "height": 800})
    page.goto("/runs")
    table = page.get_by_role("table", name="Runs")
    table.get_by_role("checkbox", name="Tick solved").check()
    expect(page.get_by_role("button", name="Replay it")).to_be_visible()
    expect(table.get_by_role("checkbox", name="Tick solved")).to_be_checked()
    table.get_by_role("button", name="Calls").click()
    expect(page).to_have_url(re.compile("sort=-Calls"))
    for place in ("[data-testid=stMain]", ".rows"):
        assert page.locator(place).first.evaluate("node => node.scrollWidth <= node.clientWidth"), place
    table.get_by_role("checkbox", name="Tick halfway").check()
    page.get_by_role("button", name="Compare solved with halfway").click()
    expect(page).to_have_url(re.compile("runs=solved%2Chalfway"))


def test_calls_are_called_so_where_steps_are_everybodys_events(page: Page) -> None:
    page.goto("/runs?world=tiny")
    made = page.get_by_role("table").locator("tr", has_text="solved").get_by_text("21", exact=True)
    expect(made.first).to_be_visible()
    page.goto("/replay?run=solved")
    expect(page.locator(".called")).to_have_text(re.compile(r"^\d+ of 21 calls made$"))
