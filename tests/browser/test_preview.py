"""Looking at a company in the browser."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect


def messages(page: Page) -> list[str]:
    return page.get_by_role("listbox", name="Messages").get_by_role("option").all_inner_texts()


ROWS = """[...document.querySelectorAll("*")].flatMap((one) => one.shadowRoot ? [...one.shadowRoot.querySelectorAll(".listbox .row")] : [])"""
ROW_HEIGHT = f"() => {ROWS}[0]?.offsetHeight ?? 0"
ROW_TOPS = f"() => {ROWS}.map((one) => one.offsetTop)"


def test_scrubbing_changes_what_the_channel_says(page: Page) -> None:
    page.goto("/preview?world=tiny&surface=chat&place=%23product&at=2026-03-13T10:00&as=yuki")
    box = page.get_by_role("listbox", name="Messages")
    expect(box.get_by_text("holds are 10 minutes now, not 15")).to_be_visible()
    slider = page.get_by_role("slider", name="World time")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("13 Mar 2026"))

    for _ in range(3):
        slider.press("PageDown")

    expect(slider).to_have_attribute("aria-valuetext", re.compile("10 Mar 2026"))
    expect(box.get_by_text("holds are 10 minutes now, not 15")).to_have_count(0)
    expect(box.get_by_role("option").first).to_be_visible()
    expect(page).to_have_url(re.compile("at=2026-03-10T10%3A00"))


def test_a_channel_opens_at_its_newest_message_and_stays_where_it_is_scrolled_to(page: Page) -> None:
    page.goto("/preview?world=larger&surface=chat&place=%23product&at=2026-03-24T12:40&as=yuki")
    box = page.get_by_role("listbox", name="Messages")
    newest = box.get_by_role("option").last
    expect(newest).to_be_in_viewport(ratio=1)

    box.hover()
    page.mouse.wheel(0, -100_000)
    expect(newest).not_to_be_in_viewport()
    page.wait_for_timeout(500)
    expect(newest).not_to_be_in_viewport()


def test_events_are_stepped_through_and_outages_turn_the_status_red(page: Page) -> None:
    page.goto("/preview?world=tiny&surface=status&at=2026-03-24T11:41")
    expect(page.get_by_role("tab", name="Status")).to_have_attribute("aria-selected", "true")

    page.get_by_role("button", name="event ›").click()

    expect(page.get_by_role("slider", name="World time")).to_have_attribute("aria-valuetext", re.compile("11:44"))
    expect(page.get_by_text("Slack is down").first).to_be_visible()
    expect(page.locator(".service.red")).to_contain_text("Slack")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_what_is_down_is_read_whole_beside_long_words_on_what_was_last(page: Page) -> None:
    page.set_viewport_size({"width": 1400, "height": 900})
    page.goto("/preview?world=tiny&surface=mail&as=ida&at=2026-03-24T11:50")
    badge = page.locator(".outage-now .tag")
    expect(badge).to_contain_text("Slack is down")
    page.locator(".controls .last").evaluate("one => { one.textContent = 'Last: the room was renamed '.repeat(12); }")

    for shown in (badge, page.locator(".outage-now")):
        assert shown.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert page.locator(".controls").evaluate("one => one.scrollWidth <= one.clientWidth")


def test_an_issue_named_in_a_text_opens_where_issues_are(page: Page) -> None:
    page.goto("/preview?world=hostile&surface=chat&place=%23product&at=2026-03-13T10:00&as=yuki")
    page.get_by_role("listbox", name="Messages").get_by_role("link", name="BOX-31").first.click()

    expect(page.get_by_role("tab", name="Issues")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_label("Reading pane")).to_contain_text("Shorten the seat hold from 15 to 10 minutes")
    expect(page).to_have_url(re.compile("item=BOX-31"))


def test_text_of_the_world_is_never_markup(page: Page) -> None:
    page.goto("/preview?world=hostile&surface=chat&place=%23product&at=2026-03-04T10:00&as=yuki")

    message = page.get_by_role("listbox", name="Messages").get_by_role("option").filter(has_text="<script>")
    expect(message).to_contain_text("<img src=x onerror=")
    assert message.locator("img, script").count() == 0
    assert page.title() != "owned"


def test_keys_walk_through_mail_and_search_finds(page: Page) -> None:
    page.goto("/preview?world=tiny&surface=mail&as=marcus&at=2026-03-24T11:40")
    box = page.get_by_role("listbox", name="Messages")
    expect(box.get_by_role("option").nth(2)).to_be_visible()

    box.focus()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(box.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    subject = box.get_by_role("option").nth(1).locator("b").first.inner_text()
    expect(page.get_by_label("Reading pane").get_by_role("heading", level=3)).to_have_text(subject)

    page.keyboard.press("/")
    page.keyboard.type("sold 190")
    expect(box.get_by_role("option")).to_have_count(1)
    expect(page.get_by_role("searchbox", name="Search messages")).to_have_value("sold 190")


def test_the_ground_truth_marks_what_has_gone_stale(page: Page) -> None:
    page.goto("/preview?world=tiny&surface=chat&place=%23product&at=2026-03-13T10:00&as=yuki")
    expect(page.get_by_role("listbox", name="Messages").get_by_role("option").first).to_be_visible()

    page.get_by_text("Ground truth").click()

    drawer = page.get_by_label("Ground truth").and_(page.locator("aside"))
    expect(drawer).to_contain_text("boxoffice.hold_minutes")
    expect(page.get_by_role("listbox", name="Messages").get_by_text("stale")).to_be_visible()
    drawer.get_by_role("link", name="BOX-31").first.click()
    expect(page.get_by_role("tab", name="Issues")).to_have_attribute("aria-selected", "true")


def test_a_copied_link_leads_to_the_same_thing(page: Page) -> None:
    page.goto("/preview?world=tiny&surface=issues&as=ida&at=2026-03-24T11:40")
    page.get_by_role("option").filter(has_text="BOX-32").click()
    expect(page.get_by_label("Reading pane")).to_contain_text("BOX-32 · Bug")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()

    page.goto(page.evaluate("navigator.clipboard.readText()"))

    expect(page.get_by_label("Reading pane")).to_contain_text("BOX-32 · Bug")
    expect(page.get_by_role("slider", name="World time")).to_have_attribute(
        "aria-valuetext", re.compile("24 Mar.*11:40")
    )


def test_it_looks_right_in_the_dark(page: Page) -> None:
    page.goto("/preview?world=tiny&surface=chat&place=%23general")
    expect(page.get_by_role("listbox", name="Messages").get_by_role("option").first).to_be_visible()

    background = page.locator("[data-testid=stApp]").evaluate("node => getComputedStyle(node).backgroundColor")
    pane = page.locator(".body").evaluate("node => getComputedStyle(node).backgroundColor")
    text = page.locator(".pane").evaluate("node => getComputedStyle(node).color")
    assert background == pane == "rgb(18, 21, 28)"
    assert text == "rgb(230, 233, 240)"


def test_a_narrow_window_keeps_everything_in_reach(page: Page) -> None:
    page.set_viewport_size({"width": 1000, "height": 800})
    page.goto("/preview?world=tiny&surface=mail&as=marcus&at=2026-03-24T11:40")
    expect(page.get_by_role("listbox", name="Messages").get_by_role("option").first).to_be_visible()

    page.get_by_role("combobox", name="Place").select_option(label="Sent")

    expect(page.get_by_role("tab", name="Status")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_preview_stands_where_it_was_left(page: Page) -> None:
    page.goto("/preview?world=tiny&as=ida")
    expect(page.get_by_role("listbox", name="Messages").get_by_role("option").first).to_be_visible()
    page.get_by_role("tab", name="Issues").click()
    page.get_by_role("option").filter(has_text="BOX-32").click()
    expect(page).to_have_url(re.compile("item=BOX-32"))

    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", name="Calendar")).to_be_visible()
    page.get_by_role("link", name="Preview").click()

    expect(page.get_by_label("Reading pane")).to_contain_text("BOX-32 · Bug")
    expect(page).to_have_url(re.compile("item=BOX-32"))


def test_what_nobody_knows_yet_is_shown_with_the_ground_truth_alone(page: Page) -> None:
    page.goto("/preview?world=tiny&surface=status&at=2026-03-24T11:41")
    table = page.locator(".status-view table")
    expect(table).to_contain_text("rds-evening")
    expect(table).not_to_contain_text("slack-noon")
    expect(page.get_by_text("1 more on the calendar")).to_be_visible()

    page.get_by_text("Ground truth", exact=True).click()

    expect(table).to_contain_text("slack-noon")
    expect(table).to_contain_text("Ahead")


def test_a_week_is_turned_and_a_meeting_opened(page: Page) -> None:
    page.goto("/preview?world=larger&surface=calendar&as=tomas&at=2026-03-24T11:40")
    events = page.get_by_role("listbox", name="Events")
    expect(events.get_by_role("option", name="Tue 24, 09:30 to 09:45, Standup")).to_be_visible()
    expect(events.locator(".now-line")).to_have_count(1)

    page.get_by_role("button", name="The week before").click()
    expect(page.get_by_text("16 to 22 March 2026")).to_be_visible()
    expect(events.get_by_role("option", name="My sister's wedding, out of office")).to_be_visible()
    events.get_by_role("option", name="Standup").first.click()

    reading = page.get_by_label("Reading pane")
    expect(reading).to_contain_text("Every weekday, until 29 May 2026")
    expect(reading.get_by_role("listitem").filter(has_text="Ida Lindqvist")).to_contain_text("organizer")
    expect(page).to_have_url(re.compile("week=2026-03-16"))
    page.get_by_role("button", name="Priya").click()
    expect(page.get_by_text("16 to 22 March 2026")).to_be_visible()


def test_from_a_customer_to_what_was_said_and_back(page: Page) -> None:
    page.goto("/preview?world=larger&surface=customers&as=marcus&at=2026-03-24T11:40")
    page.get_by_role("listbox", name="Customers").get_by_role("option").filter(has_text="Corner Hall").click()
    reading = page.get_by_label("Reading pane")
    expect(reading.get_by_role("listitem").filter(has_text="Polly Reed")).to_contain_text("decides nothing")
    version = reading.get_by_role("listitem").filter(has_text="Version 2").filter(has_text="Price a month")
    expect(version).to_contain_text("holds")

    reading.get_by_role("link", name="Our contract").click()

    expect(reading).to_contain_text("Please end our contract today.")
    reading.get_by_role("link", name="Corner Hall").first.click()
    expect(reading.get_by_role("heading", level=3)).to_have_text("Corner Hall")


def test_the_calendar_zooms_to_the_moment_and_back(page: Page) -> None:
    page.goto("/preview?world=tiny")
    handle = page.get_by_role("slider", name="World time")
    expect(handle).to_be_visible()
    window = page.locator(".overview .window")
    handle.focus()
    expect(window).to_have_attribute("style", re.compile("width: 100%"))
    page.keyboard.press("+")
    page.keyboard.press("+")
    expect(window).to_have_attribute("style", re.compile(r"width: (2[0-9]|1[0-9]|[0-9])(\.\d+)?%"))
    expect(page.get_by_role("group", name="Storyline events and tasks")).to_be_visible()
    page.keyboard.press("0")
    expect(window).to_have_attribute("style", re.compile("width: 100%"))


def test_the_browsers_way_back_leads_back_from_a_link(page: Page) -> None:
    page.goto("/preview?world=hostile&surface=chat&place=%23product&at=2026-03-13T10:00&as=yuki")
    page.get_by_role("listbox", name="Messages").get_by_role("link", name="BOX-31").first.click()
    reading = page.get_by_label("Reading pane")
    expect(reading).to_contain_text("Shorten the seat hold from 15 to 10 minutes")
    expect(page).to_have_url(re.compile("item=BOX-31"))
    reading.locator(".links").get_by_role("link", name="#product").first.click()
    expect(page.get_by_role("tab", name="Chat")).to_have_attribute("aria-selected", "true")
    expect(page).to_have_url(re.compile("surface=chat"))

    page.go_back()

    expect(page.get_by_role("tab", name="Issues")).to_have_attribute("aria-selected", "true")
    expect(reading).to_contain_text("Shorten the seat hold from 15 to 10 minutes")
    page.go_back()
    expect(page.get_by_role("tab", name="Chat")).to_have_attribute("aria-selected", "true")


def test_lanes_of_outages_fold_and_stay_folded(page: Page) -> None:
    page.goto("/preview?world=tiny&surface=status&at=2026-03-24T11:41")
    fold = page.locator(".lanes .fold")
    expect(fold).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("group", name="Outages of Slack")).to_be_visible()

    fold.click()

    expect(fold).to_have_text(re.compile("Outages"))
    expect(page.locator(".lanes .lane")).to_have_count(2)
    page.reload()
    expect(page.locator(".lanes .fold")).to_have_attribute("aria-expanded", "false")
    page.locator(".lanes .fold").click()
    expect(page.get_by_role("group", name="Outages of Slack")).to_be_visible()


def test_a_laptop_keeps_the_channels_and_says_where_something_is_new(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/preview?world=tiny&surface=chat&as=yuki&at=2026-03-24T11:40")
    places = page.get_by_label("Places")
    expect(places.get_by_role("button", name="#product")).to_be_visible()
    expect(places.locator("button.fresh small").first).to_be_visible()
    page.get_by_role("tab", name="Mail").click()
    expect(page.get_by_role("option").first).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("combobox", name="Place")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_low_window_shows_more_rows_of_a_list(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/preview?world=tiny&surface=issues&as=marcus&at=2026-03-24T11:40")
    rows = page.get_by_role("listbox", name="Issues").get_by_role("option")
    expect(rows.first).to_be_visible()
    low = page.evaluate(ROW_HEIGHT)
    page.set_viewport_size({"width": 1280, "height": 1300})
    page.wait_for_function(f"({ROW_HEIGHT})() > {low}")

    assert low <= 40
    rows.first.click()  # beside what is read there is no room for a line
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function(f"({ROW_HEIGHT})() === 50")
    tops = page.evaluate(ROW_TOPS)
    assert [below - above for above, below in pairwise(tops)] == [50] * (len(tops) - 1)


def test_the_list_goes_to_where_the_thing_of_a_link_is(page: Page) -> None:
    pull = "pennywhistle/boxoffice%2313"
    page.goto(f"/preview?world=tiny&surface=code&place=commits:pennywhistle/boxoffice&item={pull}&at=2026-03-24T11:40")
    chosen = page.get_by_role("navigation", name="Places").locator("[aria-current=true]")
    expect(page.get_by_label("Reading pane").get_by_role("heading", level=3)).to_be_visible(timeout=60_000)
    expect(chosen).to_have_text("Pull requests")
    expect(page.get_by_role("listbox").get_by_role("option", selected=True)).to_contain_text("#13")
    expect(page).to_have_url(re.compile("place=pulls%3A"))


@pytest.mark.parametrize("surface", ["mail", "chat", "issues", "code"])
def test_what_is_not_written_yet_says_when_it_is_and_leads_there(page: Page, surface: str) -> None:
    page.goto(f"/preview?world=tiny&surface={surface}&as=marcus&at=2026-03-24T11:40")
    listed = page.get_by_role("listbox").get_by_role("option")
    expect(listed.first).to_be_visible(timeout=60_000)
    (listed.last if surface == "chat" else listed.first).click()
    reading = page.get_by_label("Reading pane")
    title = reading.get_by_role("heading", level=3).inner_text()
    expect(page).to_have_url(re.compile("item="))

    page.goto(page.url.replace("at=2026-03-24T11", "at=2026-02-23T09"))
    expect(reading.get_by_text("Not written yet at this time")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("not found")).to_have_count(0)
    reading.get_by_role("button", name="Go to that moment").click()
    expect(reading.get_by_role("heading", level=3)).to_have_text(title)


def test_a_link_to_a_message_that_never_was_shows_the_channel_and_says_so(page: Page) -> None:
    page.goto("/preview?world=tiny&surface=chat&place=%23ops&item=%23ops/1.000000&as=marcus&at=2026-03-24T11:40")
    expect(page.get_by_label("Reading pane").get_by_text("not found")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("listbox", name="Messages").get_by_role("option").first).to_be_visible()
    expect(page.get_by_text("Nobody has written here yet")).to_have_count(0)
