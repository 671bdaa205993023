"""Trade packs: ours hold together, and whoever writes one is told where theirs does not."""

import calendar
import re
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from shutil import copytree
from typing import Final

import pytest

import generators
from brownout.core.errors import AuthoringError
from brownout.core.values import JsonObject
from generators.authoring.author_files import author_files
from generators.authoring.company import draw_company
from generators.authoring.new_world import write_world
from generators.authoring.trades import Trade, load_trade, trade_names
from generators.authoring.world_request import WorldRequest
from generators.world_check import read_whole, spec_mistakes
from worlds.spec.yaml_loading import load_yaml
from worlds.values import KINDS, Context, DurationValue, TimeValue, values_in

PACKS: Final = Path(generators.__file__).parent / "trades"
TRADES: Final = trade_names()
HERE: Final = Context(date(2026, 3, 2), "Europe/Berlin")
SECONDS: Final = {"minutes": 60, "hours": 3_600, "days": 86_400}
TEMPLATE: Final = re.compile(r"<%.*?%>|<<.*?>>", re.DOTALL)


def texts(value: object) -> Iterator[str]:
    """Every word of a file's tree: keys and values."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield str(key)
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)
    else:
        yield str(value)


def files_of(pack: Path) -> dict[str, str]:
    """What a pack says, file by file; in YAML without its comments, in pages without what the template fills in."""
    found = {}
    for path in sorted(path for path in pack.rglob("*") if path.is_file()):
        text = path.read_text("utf-8")
        said = "\n".join(texts(load_yaml(text.encode()))) if path.suffix == ".yaml" else TEMPLATE.sub(" ", text)
        found[path.relative_to(pack).as_posix()] = said
    return found


def nouns_of(trade: Trade) -> set[str]:
    nouns = trade.nouns
    return {word for pair in (nouns.item, nouns.account, nouns.person, nouns.worker) for word in pair}


def numbers_of(entry: JsonObject) -> list[int]:
    values = entry["values"]
    assert isinstance(values, list)
    return [number for number in values if isinstance(number, int)]


def values_of(trade: Trade) -> set[Fraction]:
    """Every duration that a storyline of the trade may be about, in seconds."""
    entries = [entry for name in ("policies", "settings") for entry in trade.content[name].values()]
    return {Fraction(number * SECONDS[str(entry["unit"])]) for entry in entries for number in numbers_of(entry)}


def durations(text: str) -> list[Fraction]:
    found = (one.value for one in values_in(text, HERE, KINDS))
    return [value.seconds for value in found if isinstance(value, DurationValue) and not value.months]


def test_there_are_packs_of_six_trades() -> None:
    assert TRADES == ["clinics", "food-delivery", "invoicing", "learning", "logistics", "shops"]


@pytest.mark.parametrize("name", TRADES)
def test_a_pack_has_enough_for_a_large_company(name: str) -> None:
    trade = load_trade(name)

    assert len(trade.brands) >= 12
    assert 10 <= len(trade.services) <= 12
    assert len([mails for mails in trade.complaints.values() if mails]) >= 4
    assert len(trade.complaints[next(iter(trade.services))]) >= 6
    assert len(trade.customers.notes) >= 8
    assert {kind: len(entries) >= 4 for kind, entries in trade.content.items()} == {
        "policies": True, "settings": True, "grievances": True,
    }  # fmt: skip
    assert all(
        len(numbers_of(entry)) >= 10 for kind in ("policies", "settings") for entry in trade.content[kind].values()
    )
    assert 8 <= len(trade.pages) <= 12
    assert {page.space for page in trade.pages} == {"HELP", "ENG", "OPS"}


@pytest.mark.parametrize("name", TRADES)
def test_every_need_of_a_service_has_log_lines(name: str) -> None:
    silent = {
        f"{service}.{need}"
        for service, pack in load_trade(name).services.items()
        for need in pack.needs
        if need not in pack.logs
    }

    assert silent == set()


@pytest.mark.parametrize("name", TRADES)
def test_a_mail_begins_with_its_subject_and_ends_with_who_wrote_it(name: str) -> None:
    odd = [
        mail
        for mails in load_trade(name).complaints.values()
        for mail in mails
        if not mail.endswith("{contact}") or "\n" not in mail or len(mail.partition("\n")[0]) > 60
    ]

    assert odd == []


@pytest.mark.parametrize("name", TRADES)
def test_a_complaint_fits_any_day_and_hour(name: str) -> None:
    days = "|".join(calendar.day_name)
    told = [
        (mail, found[0])
        for mails in load_trade(name).complaints.values()
        for mail in mails
        for found in re.finditer(
            rf"\b({days}|this (morning|afternoon|evening)|tonight|good (morning|afternoon|evening))\b", mail, re.I
        )
    ]
    told += [
        (mail, str(found.value))
        for mails in load_trade(name).complaints.values()
        for mail in mails
        for found in values_in(mail, HERE, ("time", "date"))
        if isinstance(found.value, TimeValue)
    ]

    assert told == []


@pytest.mark.parametrize("name", TRADES)
def test_a_pack_has_no_noun_of_another_trade(name: str) -> None:
    strange = {noun for other in TRADES for noun in nouns_of(load_trade(other))} - nouns_of(load_trade(name))
    pattern = re.compile(rf"(?<![\w-])({'|'.join(strange)})(?![\w-])", re.IGNORECASE)

    # colleagues may talk of a shop's orders and of an invoice at the customs
    documents = {file: said for file, said in files_of(PACKS / name).items() if file != "talk.yaml"}
    assert len(documents) > 1
    assert [(file, *found.groups()) for file, said in documents.items() for found in pattern.finditer(said)] == []


@pytest.mark.parametrize("name", TRADES)
def test_no_page_states_what_a_storyline_is_about(name: str) -> None:
    drawn = values_of(load_trade(name))
    said = {
        (file, text[found.start : found.end])
        for file, text in files_of(PACKS / name).items()
        if file.startswith("documents/")
        for found in values_in(text, HERE, KINDS)
        if isinstance(found.value, DurationValue) and found.value.seconds in drawn
    }

    assert said == set()


@pytest.mark.parametrize("name", TRADES)
def test_a_rule_is_read_as_the_value_that_it_states_and_no_other(name: str) -> None:
    wrong = []
    for kind, rules in (("policies", ("sentence", "shorter")), ("settings", ("sentence", "wish", "rumour", "decree"))):
        for key, entry in load_trade(name).content[kind].items():
            drawn = {Fraction(number * SECONDS[str(entry["unit"])]) for number in numbers_of(entry)}
            for number in numbers_of(entry):
                meant = Fraction(number * SECONDS[str(entry["unit"])])
                stated = [durations(str(entry[rule]).replace("{value}", f"{number} {entry['unit']}")) for rule in rules]
                wrong += [(key, number, one) for one in stated if one != [meant]]
            rest = " ".join(str(entry.get(word, "")) for word in ("name", "intro", "rest", "question", "reason"))
            wrong += [(key, 0, [one]) for one in durations(rest) if one in drawn]

    assert wrong == []


@pytest.mark.parametrize("name", TRADES)
@pytest.mark.parametrize("people", [6, 60])
def test_nothing_of_a_template_is_left_in_what_is_written(name: str, people: int) -> None:
    request = WorldRequest(name="acme", trade=name, people=people, customers=30, tasks=0, seed=people)
    company = draw_company(request, load_trade(name))
    written = author_files(company, [])
    left = {
        (path, found[0])
        for path, text in written.items()
        if not path.startswith("repos/")
        for found in re.finditer(r"<<|>>|<%|%>|\{(?:contact|company|value|family|given|city|weekday|[a-z]+s?)\}", text)
        if not (path == "prose/systems.yaml" and found[0] in ("{ms}", "{id}", "{n}"))
    }

    assert left == set()
    assert {f"documents/{page.file}" for page in company.trade.pages} <= set(written)


def rewritten(pack: Path, file: str, before: str, after: str) -> None:
    text = (pack / file).read_text("utf-8")
    assert before in text
    (pack / file).write_text(text.replace(before, after, 1), "utf-8")


def line_of(pack: Path, file: str, text: str) -> int:
    return next(number for number, line in enumerate((pack / file).read_text("utf-8").splitlines(), 1) if text in line)


@pytest.mark.parametrize(
    ("file", "before", "after", "line", "why"),
    [
        ("trade.yaml", "squad: menus\n", "squad: menues\n", "squad: menues", "there is no squad 'menues'; did you mean 'menus'?"),
        ("trade.yaml", "menus, payments]", "menus, payments, support]", "squads: [", "a team or a room called 'support'; name the squad"),
        ("trade.yaml", "menus, payments]", "menus, payments, menus]", "squads: [", "'menus' stands twice; every squad has people"),
        ("trade.yaml", "{is: menus, share: 30%}", "{is: menu, share: 30%}", "{is: menu, s", "no service 'menu'; did you mean 'menus'"),
        ("trade.yaml", "service: checkout, ", "service: checkuot, ", "checkuot", "there is no service 'checkuot'"),
        ("trade.yaml", "template: booking", "template: bookings", "bookings", "there is no code base 'bookings'"),
        ("trade.yaml", "  payouts:\n    - \"Payday", "  payout:\n    - \"Payday", "  payout:", "there is no service 'payout'"),
        ("trade.yaml", "    requests: 260\n", "", "  checkout:", "services.checkout.requests: Field required"),
        ("trade.yaml", "desk: kitchen desk", "desks: kitchen desk", "customers:", "customers.desk: Field required"),
        ("trade.yaml", "{on: mapbox/directions,", "{on: mapbax/directions,", "mapbax", "no service needs 'mapbax/directions'"),
        ("trade.yaml", "in {ms} ms\", \"GET /v1/orders", "in {msec} ms\", \"GET /v1/orders", "{msec}", "nothing is filled in for {msec}"),
        ("trade.yaml", "is it us?\\n\\n{contact}", "is it us?\\n\\n{name}", "{name}", "nothing is filled in for {name}"),
        ("trade.yaml", "Café {family}", "Café {surname}", "{surname}", "nothing is filled in for {surname}"),
        ("trade.yaml", "file: glossary.md", "file: glosary.md", "glosary", "there is no file 'glosary.md' in documents/"),
        ("trade.yaml", "space: OPS, file: expenses", "space: OP, file: expenses", "expenses.md", "pages.8.space"),
        ("content/policies.yaml", "  subject: \"How long can guests", "  topic: \"How long can guests", "refunds-for-cold", "subject: Field required"),
        ("content/policies.yaml", "waits {value} at the door before", "waits long at the door before", "waits long", "expected {value} in it"),
        ("content/policies.yaml", "unit: minutes", "unit: weeks", "unit: weeks", "unit: Input should be 'minutes', 'hours' or 'days'"),
        ("content/settings.yaml", "[12, 14, 16,", "[12, 12, 16,", "[12, 12", "found one twice"),
        ("content/grievances.yaml", "name: the shared order", "name: The shared order", "The shared", "name: String should match"),
        ("content/grievances.yaml", "pays twice for the courier", "pays twice for the {driver}", "{driver}", "nothing is filled in for {driver}"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_pack_has_its_file_and_line(
    file: str, before: str, after: str, line: str, why: str, tmp_path: Path
) -> None:
    pack = tmp_path / "food-delivery"
    copytree(PACKS / "food-delivery", pack)
    rewritten(pack, file, before, after)

    with pytest.raises(AuthoringError) as caught:
        load_trade(str(pack))

    places = [(mistake.file, mistake.line) for mistake in caught.value.mistakes if why in f"{mistake}"]
    assert (f"food-delivery/{file}", line_of(pack, file, line)) in places, caught.value


def test_all_mistakes_of_a_pack_are_told_at_once(tmp_path: Path) -> None:
    pack = tmp_path / "food-delivery"
    copytree(PACKS / "food-delivery", pack)
    rewritten(pack, "trade.yaml", "squad: menus\n", "squad: nobody\n")
    rewritten(pack, "content/policies.yaml", "unit: minutes", "unit: weeks")
    rewritten(pack, "content/settings.yaml", "unit: days", "unit: weeks")

    with pytest.raises(AuthoringError) as caught:
        load_trade(str(pack))

    assert {mistake.file for mistake in caught.value.mistakes} == {
        "food-delivery/trade.yaml", "food-delivery/content/policies.yaml", "food-delivery/content/settings.yaml",
    }  # fmt: skip


@pytest.mark.parametrize("wrong", ["<< company.nobody >>", "<< owner >>", "<% if %>"])
def test_a_page_that_does_not_come_out_has_its_file_and_line(wrong: str, tmp_path: Path) -> None:
    copytree(PACKS / "food-delivery", tmp_path / "trades" / "food-delivery")
    rewritten(tmp_path / "trades" / "food-delivery", "documents/on-call.md.j2", "## Swaps", f"## Swaps {wrong}")

    with pytest.raises(AuthoringError, match=r"food-delivery/documents/on-call\.md\.j2:\d+") as caught:
        write_world(WorldRequest(name="acme", trade=f"{tmp_path}/trades/food-delivery", tasks=0), tmp_path / "acme")

    assert caught.value.mistakes[0].line == line_of(tmp_path / "trades/food-delivery", "documents/on-call.md.j2", wrong)
    assert not (tmp_path / "acme").exists()


def test_the_example_of_the_documentation_is_a_pack(tmp_path: Path) -> None:
    page = (PACKS.parents[1] / "docs" / "trades.md").read_text("utf-8")
    for block in re.findall(r"^```(?:yaml|jinja)\n((?:<)?# generators/trades/.*?)^```", page, re.DOTALL | re.MULTILINE):
        path = tmp_path / block.split("generators/")[1].split()[0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block, "utf-8")

    write_world(
        WorldRequest(name="acme", trade=f"{tmp_path}/trades/laundry", people=24, tasks=4, outages=("payments",)),
        tmp_path / "acme",
    )

    assert [str(one) for one in spec_mistakes(read_whole(tmp_path / "acme"))] == []
    assert (tmp_path / "acme/tasks/policy-changed/task.yaml").is_file()
