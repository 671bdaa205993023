"""What people make of an outage in everyday life, and which outages it leaves to storylines."""

from functools import cache
from pathlib import Path

import pytest

from brownout.background.days import Days, Item
from brownout.background.desk_hours import Desk
from brownout.background.life_sources import Life, Project
from brownout.background.outage_reactions import OutageReactions
from brownout.background.outage_texts import GONE, NoticedOutage
from brownout.catalog import find_spec
from brownout.core.error_notes import notes_of
from brownout.core.errors import AuthoringError
from brownout.core.faults import Failing
from brownout.core.instants import DAY, HOUR, MINUTE
from brownout.engine.simulation_setting import load_app
from generators.background import read_mail_packs, read_work_packs
from generators.background.noticed_outages import noticed_outages
from generators.background.outside_senders import read_mail_manners
from generators.background.pack_files import packs_folder, read_outage_pack
from generators.world_check import read_whole
from tests.background.lives import START, life_of_people
from worlds.package import Outage

SINCE = START + 2 * DAY + 8 * HOUR
"""Nine o'clock in Berlin, on a Wednesday."""


def _outage(
    life: Life, name: str = "out", *, app: str = "tracker", days: int = 0, lasts: int = HOUR, fails: Failing = "down"
) -> NoticedOutage:
    since = SINCE + 2 * HOUR + days * DAY
    return NoticedOutage(
        name=name, since=since, until=since + lasts, thing=app.title() if app else "pickup", app=app, fails=fails,
        kind="product" if app else "service", people=tuple(one.name for one in life.people), near=() if app else tuple(one.name for one in life.people[:9]),
    )  # fmt: skip


@cache
def _life(people: int = 30) -> Life:
    life = life_of_people(people)
    names = tuple(one.name for one in life.people)
    return life.model_copy(
        update={
            "apps": {"talks": "chat", "mails": "mail", "opens": "tracker"}, "mail": read_mail_packs(), "domain": "acme.test",
            "mail_manners": read_mail_manners(), "outage_texts": read_outage_pack(), "company": "Acme",
            "work": read_work_packs(), "projects": (Project(key="ONE", lead=names[0], people=names, area="engineering"),),
        }
    )  # fmt: skip


def _reactions(life: Life, *outages: NoticedOutage) -> list[Item]:
    found = Days(life.model_copy(update={"outages": outages})).between(None, life.calendar[1])
    return [item for item in found if item.intent.key.startswith("outage/") and "/mail/" not in item.intent.key]


def test_people_ask_while_it_lasts_and_say_when_it_works_again_at_their_desks() -> None:
    life = _life()
    outage = _outage(life)
    items = _reactions(life, outage)
    asked = [one for one in items if "/asked." in one.intent.key or "/private." in one.intent.key]
    over = [one for one in items if "/over." in one.intent.key]
    desks = {one.name: Desk(life.seed, one) for one in life.people}

    assert len(asked) > 6
    assert over
    assert all(outage.since + MINUTE <= one.at < outage.until for one in asked)
    assert all(outage.until < one.at < outage.until + 3 * HOUR for one in over)
    assert all(desks[one.intent.who].is_there(one.at) for one in items)
    assert any("Tracker" in one.intent.text for one in asked)
    assert not [one for one in items if "{" in one.intent.text or GONE.strip() in one.intent.text]


def test_where_rooms_are_what_is_down_people_write_mails() -> None:
    life = _life()
    outage = _outage(life, app="chat")
    meanwhile = [one for one in _reactions(life, outage) if one.at < outage.until]

    assert len([one for one in meanwhile if "/mail." in one.intent.key]) > 1
    assert {one.intent.via for one in meanwhile} <= {"mail", "tracker"}


def test_a_ticket_is_opened_while_it_lasts_and_closed_after_it() -> None:
    life = _life()
    outages = [_outage(life, f"out-{days}", app="", days=days) for days in (0, 1, 2, 5, 6)]
    items = [one for one in _reactions(life, *outages) if "/ticket/" in one.intent.key]
    opened = {one.intent.key.split("/")[1]: one for one in items if one.intent.kind == "open"}
    closed = {one.intent.key.split("/")[1]: one for one in items if one.intent.kind == "close"}
    whens = {one.name: (one.since, one.until) for one in outages}

    assert 1 <= len(opened) < 5
    assert closed.keys() <= opened.keys()
    assert closed
    assert all(whens[name][0] < one.at < whens[name][1] for name, one in opened.items())
    assert all(whens[name][1] < one.at for name, one in closed.items())


def test_nobody_says_anything_of_an_outage_at_night() -> None:
    life = _life(6)
    assert not _reactions(life, _outage(life, days=-1, lasts=HOUR).model_copy(update={"since": SINCE - 6 * HOUR, "until": SINCE - 5 * HOUR}))  # fmt: skip


def test_no_text_about_outages_is_used_twice_in_a_world() -> None:
    life = _life()
    pack = read_outage_pack().product
    first = {one.removeprefix(GONE).split("\n")[0][3:].split("{")[0] for one in pack.asked}
    outages = [_outage(life, f"out-{days}", days=days) for days in (0, 1, 2, 5, 6)]
    items = [one for one in _reactions(life, *outages) if len(one.intent.text.split()) > 5]
    said = [one.intent.text.lower().rstrip(".") for one in items if one.intent.kind == "tell"]

    assert first
    assert len({one.intent.key.split("/")[1] for one in items}) == 5
    assert len(said) == len({*said})


def test_of_what_is_only_slow_nobody_says_that_it_is_gone() -> None:
    life = _life()
    gone = [one.removeprefix(GONE) for one in (*read_outage_pack().product.private, *read_outage_pack().product.asked) if one.startswith(GONE)]  # fmt: skip
    endings = {one.rstrip().split("\n")[-1][3:] for one in gone if len(one.rstrip().split("\n")[-1].split()) > 4}
    items = _reactions(life, _outage(life, app="chat", fails="slow"))

    assert [one for one in items if "/asked." in one.intent.key or "/private." in one.intent.key]
    assert not {one.intent.text for one in items} & endings


def test_other_life_goes_on_as_without_it() -> None:
    life = _life()
    found = [*Days(life.model_copy(update={"outages": (_outage(life),)})).between(None, life.calendar[1])]
    without = [*Days(life).between(None, life.calendar[1])]

    assert [one for one in found if not one.intent.key.startswith("outage/")] == without


def _of_larkspur(*outages: Outage) -> dict[str, NoticedOutage]:
    spec = read_whole(find_spec("larkspur"))
    apps = {name: load_app(name) for name in spec.world.apps}
    people = _life().people
    return {one.name: one for one in noticed_outages(spec, outages, apps, people, {"p01", "p03", "p05"})}


def test_what_a_storyline_tells_of_is_left_to_it_with_what_breaks_beside_it() -> None:
    def out(name: str, target: str, at: int, mode: str = "down") -> Outage:
        return Outage(name=name, target=target, mode=mode, start=at, lasts=HOUR, announced=None)

    found = _of_larkspur(
        out("rds-brownout", "aws-rds/eu-central-1", SINCE),
        out("beside-it", "slack", SINCE + 90 * MINUTE),
        out("weeks-later", "slack", SINCE + 20 * DAY),
        out("limit-of-code", "github", SINCE + 21 * DAY, "errors"),
        out("slow-bank", "stripe", SINCE + 22 * DAY, "slow"),
        out("silent", "slack", SINCE + 23 * DAY, "stale_reads"),
        out("nobody's", "a-vendor-of-nobody", SINCE + 24 * DAY),
    )

    assert {name: (one.thing, one.kind, one.fails) for name, one in found.items()} == {
        "weeks-later": ("Slack", "product", "down"),
        "limit-of-code": ("GitHub", "product", "errors"),
        "slow-bank": ("billing", "service", "slow"),
    }
    assert found["limit-of-code"].people == found["limit-of-code"].near == ("p01", "p03", "p05")
    assert {*found["slow-bank"].near} == {one.name for one in _life().people if one.area == "support"}
    assert len(found["slow-bank"].people) == len(_life().people)


def test_a_mistake_in_what_is_said_of_outages_has_its_line(tmp_path: Path) -> None:
    text = packs_folder().with_name("outages.yaml").read_text(encoding="utf-8")
    path = tmp_path / "outages.yaml"
    path.write_text(text.replace("A: {thing} {fails} for anybody else?", "A: {thing} {breaks} for anybody else?"))
    line = next(number for number, one in enumerate(path.read_text().split("\n"), 1) if "{breaks}" in one)

    with pytest.raises(AuthoringError) as error:
        read_outage_pack(path)

    assert [(one.file, one.line in (line, line - 1)) for one in error.value.mistakes] == [("outages.yaml", True)]
    assert "there is no slot 'breaks'" in str(error.value)


def test_a_mistake_of_ours_names_the_day_and_the_outage_that_led_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise TypeError("one argument is missing")

    monkeypatch.setattr(OutageReactions, "_written", fail)
    with pytest.raises(TypeError) as caught:
        _reactions(_life(), _outage(_life(), app="chat"))

    outage, day, *_ = notes_of(caught.value)
    assert outage.startswith("what people say and write of the outage out (")
    assert day.startswith("what people do and machines report on 2026-")
