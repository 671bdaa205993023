"""A company at a moment: calendar, surfaces, links, truth."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import get_args

import pytest
import yaml

from brownout.core.apps import Operation, Refusal
from brownout.core.faults import Fault, RefusalKind, Request
from brownout.core.instants import DAY, HOUR, SECOND, clock_text
from brownout.core.plugins import plugin_names
from brownout.core.seeds import Stream
from brownout.core.top_level_packages import room_folder
from brownout.engine.outages import FaultPlan, words_of
from brownout.engine.simulation_setting import load_app
from studio.company.broken_products import answers_of, breaks
from studio.company.chat import with_emoji
from studio.company.company_view import CompanyView, NotThereYet, Viewing, ViewRefused
from studio.company.ground_truth import truth_at
from studio.company.mentions import with_mentions
from studio.company.moment import moment_of
from studio.company.pane_content import PreviewQuestion, SurfaceName
from studio.company.paths import destination_of
from studio.company.preview_position import read_position
from studio.company.status import status_at
from studio.company.surfaces import SURFACES, tabs_of
from studio.company.timeline import timeline_of
from worlds.package import Outage, Package


@pytest.fixture
def viewing(package: Package) -> Iterator[Viewing]:
    """`tiny` at the start of its task."""
    with closing(CompanyView(package)) as company:
        opened = company.viewing("me", package.manifest.calendar[0])
        go(opened, package.task("find-the-change").start)
        yield opened


def go(viewing: Viewing, at: int) -> None:
    while True:
        try:
            return viewing.go(at)
        except NotThereYet as error:
            assert 0 <= error.share <= 1


def test_the_calendar_has_outages_tasks_and_storylines_but_no_small_talk(package: Package) -> None:
    timeline = timeline_of(package)

    assert {mark.kind for mark in timeline.marks} == {"beat", "outage", "task"}
    assert sum(timeline.bars) > len([mark for mark in timeline.marks if mark.kind == "beat"])
    assert all(timeline.first <= mark.at <= timeline.last for mark in timeline.marks)


MODES = plugin_names("faults")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("app", plugin_names("apps"))
def test_what_an_outage_answers_is_what_the_vendor_says(app: str, mode: str) -> None:
    found = load_app(app)
    outage = Outage(name="o", target=found.name, mode=mode, start=0, lasts=HOUR, announced=None)
    plan = FaultPlan((outage,))

    def fault_for(operation: Operation, draw: int, in_minute: int) -> Fault | None:
        request = Request(found.name, operation.name, "ida", operation.writes, HOUR, in_minute)
        return plan.decide(request, {"o": 0}, found.vendor, Stream("test", draw))

    answers = [*answers_of(found, HOUR, fault_for)]

    operations = found.operations.values()
    assert answers or not operations or mode in ("read_only", "lost_ack", "delayed_delivery")
    for answer in answers:
        if answer.body:
            told = {found.refuse(Refusal(kind)).line for kind in get_args(RefusalKind)} | {
                found.refuse(Refusal("rate_limited", retry_after=30 * SECOND)).line
            }
            assert any(line in answer.what for line in told)
        else:
            assert mode in ("slow", "stale_reads", "delayed_delivery")
    if mode == "down" and operations:
        assert [one.who for one in answers] in (["all requests"], ["all requests that read"])


def test_a_product_that_an_outage_holds_says_so_and_no_other_has_its_card(viewing: Viewing) -> None:
    outage = next(one for one in viewing.package.outages if one.start is not None and one.target == "slack")
    assert outage.start is not None
    go(viewing, outage.start + outage.lasts // 2)

    [broken] = moment_of(viewing, "ida").broken
    assert (broken.product, broken.label) == ("Slack", f"Slack {words_of(outage.mode).said}")
    assert broken.answers

    products = [one for one in status_at(viewing, "ida").services if not one.is_own]
    assert {app.title for app in viewing.setting.apps.values() if app.name != "ops"} <= {one.title for one in products}
    assert [one.title for one in products if one.outage] == ["Slack"]


def test_two_products_of_one_vendor_have_a_card_each() -> None:
    gmail, calendar = load_app("gmail"), load_app("calendar")
    mail = Outage(name="o", target="gmail", mode="down", start=0, lasts=HOUR, announced=None)
    both = Outage(name="b", target="google", mode="down", start=0, lasts=HOUR, announced=None)

    assert gmail.vendor == calendar.vendor == "google"
    assert (breaks(mail, gmail), breaks(mail, calendar)) == (True, False)
    assert breaks(both, gmail)
    assert breaks(both, calendar)


def test_every_product_of_the_world_has_a_tab(package: Package) -> None:
    tabs = {tab.surface: tab.product for tab in tabs_of(package)}

    assert list(tabs)[:4] == ["mail", "chat", "issues", "code"]
    assert tabs["chat"] == "Slack"
    for surface, product in tabs.items():
        if product and surface != "status":
            assert SURFACES[surface].app in package.manifest.apps


@pytest.mark.parametrize("surface", ["mail", "chat", "issues", "code", "docs"])
def test_what_a_list_shows_can_be_opened(viewing: Viewing, surface: str) -> None:
    shown = next(one for name, one in SURFACES.items() if name == surface)
    eyes = viewing.as_person("marcus" if surface == "mail" else "ida")

    opened = 0
    for place in shown.places(eyes):
        for line in shown.lines(eyes, PreviewQuestion(place=place.id, most=3)).lines[:2]:
            reading = shown.reading(eyes, line.id)
            assert reading.title
            assert reading.blocks
            opened += 1
    assert opened


def test_a_commit_is_dated_in_the_companys_time_as_its_list_is(
    viewing: Viewing, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = viewing.package.manifest.model_copy(update={"zone": "Asia/Tokyo"})
    monkeypatch.setattr(viewing, "package", replace(viewing.package, manifest=manifest))
    code, eyes = SURFACES["code"], viewing.as_person("ida")
    place = next(one for one in code.places(eyes) if one.id.startswith("commits:"))
    line = code.lines(eyes, PreviewQuestion(place=place.id, most=1)).lines[0]

    fields = {field.name: field.value for field in code.reading(eyes, line.id).fields}

    assert fields["Date"] == clock_text(line.at, "Asia/Tokyo")


def test_a_list_goes_on_where_its_page_ended(viewing: Viewing) -> None:
    chat = SURFACES["chat"]
    eyes = viewing.as_person("ida")
    first = chat.lines(eyes, PreviewQuestion(place="#general", most=5))
    second = chat.lines(eyes, PreviewQuestion(place="#general", most=5, cursor=first.next))

    assert first.next
    assert first.lines[-1].at > second.lines[0].at


def test_a_message_can_be_the_newest_of_its_list(viewing: Viewing) -> None:
    chat = SURFACES["chat"]
    eyes = viewing.as_person("ida")
    third = chat.lines(eyes, PreviewQuestion(place="#general", most=5)).lines[2]

    assert chat.lines(eyes, PreviewQuestion(place="#general", most=5, until=third.id)).lines[0] == third


def test_a_search_finds_only_what_has_the_words(viewing: Viewing) -> None:
    eyes = viewing.as_person("marcus")

    for surface, place in (("chat", "#support"), ("issues", ""), ("mail", "in:anywhere")):
        found = SURFACES[surface].lines(eyes, PreviewQuestion(place=place, q="sold"))  # type: ignore[index]
        assert found.lines, surface
    assert not SURFACES["chat"].lines(eyes, PreviewQuestion(place="#support", q="zzzz")).lines


def test_quotes_in_a_search_do_not_break_it(viewing: Viewing) -> None:
    eyes = viewing.as_person("ida")

    assert SURFACES["issues"].lines(eyes, PreviewQuestion(q='"; DROP " \\')).lines == ()


def test_what_is_not_there_is_refused_by_name(viewing: Viewing) -> None:
    eyes = viewing.as_person("ida")

    with pytest.raises(ViewRefused, match="Issue BOX-999 not found"):
        SURFACES["issues"].reading(eyes, "BOX-999")
    with pytest.raises(ViewRefused, match="not found"):
        SURFACES["chat"].reading(eyes, "#ops/1.000001")
    with pytest.raises(ViewRefused, match="Person nobody not found"):
        viewing.as_person("nobody")


def test_a_value_that_was_replaced_makes_its_sources_stale(viewing: Viewing) -> None:
    truth = truth_at(viewing)
    slot = next(slot for slot in truth.slots if slot.name == "boxoffice.hold_minutes")

    assert [(value.value, value.holds) for value in slot.values] == [("10 minutes", True), ("15 minutes", False)]
    assert any(person.person == "yuki" for person in slot.values[0].known_by)
    stale = [artefact for artefact in slot.values[1].stated_in if artefact.is_stale]
    assert stale
    assert all(artefact.path in truth.stale and artefact.leads_to for artefact in stale)


def test_nothing_is_known_of_what_is_still_to_come(viewing: Viewing, package: Package) -> None:
    go(viewing, package.manifest.calendar[0] + DAY)

    slot = next(slot for slot in truth_at(viewing).slots if slot.name == "boxoffice.hold_minutes")
    assert [(value.value, value.holds) for value in slot.values] == [("15 minutes", True)]


def test_a_silent_outage_shows_only_in_what_is_true(viewing: Viewing, package: Package) -> None:
    outage = next(outage for outage in package.outages if outage.announced is None and outage.start is not None)
    assert outage.start is not None
    go(viewing, outage.start + outage.lasts // 2)

    state = next(one for one in status_at(viewing, "ida").services if one.outage == outage.name)
    assert (state.page_tone, state.truly) == ("green", "Down")
    assert [one.name for one in moment_of(viewing, "ida").outages] == [outage.name]
    go(viewing, outage.start + outage.lasts + HOUR)
    assert moment_of(viewing, "ida").outages == ()


def test_a_link_is_read_in_the_worlds_own_time(package: Package) -> None:
    timeline, tabs = timeline_of(package), tabs_of(package)

    at = read_position({"at": "2026-03-24T11:40", "surface": "mail"}, timeline, tabs)
    assert (at.at, at.surface, at.wrong) == (package.task("find-the-change").start, "mail", ())
    assert read_position({}, timeline, tabs).at == timeline.start
    assert read_position({"at": "1999-01-01"}, timeline, tabs).at == timeline.first


@pytest.mark.parametrize(
    ("path", "surface", "item"),
    [
        ("slack:#ops.message/1771234567.000100", "chat", "#ops/1771234567.000100"),
        ("jira:BOX.issue/BOX-41.comment/7", "issues", "BOX-41"),
        ("docs:Runbook: boxoffice.page/98305.version/12", "docs", "98305"),
        ("github:pennywhistle/boxoffice.pull/12", "code", "pennywhistle/boxoffice#12"),
        ("mail:abc@mail.test", "mail", "rfc:abc@mail.test"),
    ],
)
def test_a_path_leads_to_its_surface(path: str, surface: str, item: str) -> None:
    found = destination_of(path)

    assert found is not None
    assert (found.surface, found.item) == (surface, item)


def test_every_emoji_that_everyday_talk_types_is_shown() -> None:
    """What the generator writes and the studio does not know would stand raw in a chat."""
    manners = room_folder("generators") / "background" / "manners.yaml"
    packs = (room_folder("generators") / "packs").rglob("*.yaml")
    typed = {
        f":{one}:"
        for path in (manners, *packs)
        for one in re.findall(r"(?:^|[\s\"'|\[]):([a-z][a-z_0-9]+|[+-]1):(?=$|[\s\"'|\]])", path.read_text())
    }
    typed |= {f":{one}:" for one in yaml.safe_load(manners.read_text())["reactions"]}

    assert {":slightly_smiling_face:", ":turtle:", ":100:"} <= typed
    assert [one for one in typed if with_emoji(one) == one] == []


def test_emoji_are_shown_as_people_see_them_and_clock_times_stay() -> None:
    assert (
        with_emoji(":rotating_light: up at 10:30:05, :not_one_we_know: :+1: 2")
        == "🚨 up at 10:30:05, :not_one_we_know: 👍 2"
    )


def test_no_message_of_the_world_shows_the_name_of_an_emoji(viewing: Viewing) -> None:
    go(viewing, viewing.package.manifest.calendar[1])
    eyes, chat = viewing.as_person("ida"), SURFACES["chat"]
    lines = [
        line for place in chat.places(eyes) for line in chat.lines(eyes, PreviewQuestion(place.id, most=200)).lines
    ]

    assert any("🚨" in line.text or "📦" in line.text for line in lines)
    assert not [line for line in lines if re.search(r":[a-z_]{3,}:", line.text)]


def test_what_speaks_of_a_thing_is_a_click_away(viewing: Viewing) -> None:
    eyes = viewing.as_person("ida")
    issue = with_mentions(eyes, "issues", SURFACES["issues"].reading(eyes, "BOX-31"))

    (block,) = (block for block in issue.blocks if block.title == "Spoken of in")

    assert {link.surface for link in block.links} >= {"chat"}
    assert all(link.item != "BOX-31" for link in block.links)
    for link in block.links:
        assert SURFACES[link.surface].reading(eyes, link.item).id


@pytest.mark.parametrize("name", sorted(SURFACES))
def test_what_is_read_says_at_which_places_it_is(viewing: Viewing, name: SurfaceName) -> None:
    eyes, surface = viewing.as_person("marcus"), SURFACES[name]
    if surface.app not in viewing.setting.apps:
        return
    for place in surface.places(eyes):
        for line in surface.lines(eyes, PreviewQuestion(place=place.id)).lines[:2]:
            places = surface.reading(eyes, line.id).places
            assert not places or place.id in places
