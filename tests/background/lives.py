"""A life of so many people for tests of what they say."""

from brownout.background.desk_hours import day_of
from brownout.background.life_sources import Colleague, Life, Room
from brownout.core.instants import DAY, HOUR, from_datetime, to_datetime
from generators.background.life import _manners
from generators.background.pack_files import read_dialogues, read_packs
from generators.measured_tables import measured_tables

ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo", "Europe/Lisbon")
START = from_datetime(to_datetime(0).replace(year=2026, month=3, day=2))
FIRST, LAST = (day_of(at, "Europe/Berlin") for at in (START, START + 14 * DAY))


def colleague(number: int, **more: object) -> Colleague:
    """Somebody of engineering or support, in one of four zones."""
    name = f"p{number:02d}"
    fields: dict[str, object] = {
        "name": name, "full": f"Person{number} Surname", "zone": ZONES[number % len(ZONES)], "hours": (540, 1050),
        "team": f"team{number % 3}", "area": "engineering" if number % 2 else "support",
        "does": ("backend", "code", "frontend", "operations") if number % 2 else ("support",),
    }  # fmt: skip
    return Colleague.model_validate(fields | more)


def life_of_people(people: int = 14, *, seed: int = 3, weeks: int = 2, extra: tuple[Colleague, ...] = ()) -> Life:
    """A company that talks, with one room for everybody and one for engineering."""
    everyone = (*(colleague(number) for number in range(people)), *extra)
    names = tuple(person.name for person in everyone)
    return Life(
        seed=seed, zone="Europe/Berlin", calendar=(START - HOUR, START - HOUR + weeks * 7 * DAY), volumes={"people": 1000},
        apps={"talks": "chat"}, people=everyone,
        rooms=(Room(name="#all", members=names), Room(name="#half", members=names[: people // 2], area="engineering")),
        words={"service": ("api",), "customer": ("Acme",), "room": ("#all", "#half")}, manners=_manners(),
        packs=read_packs(), dialogues=read_dialogues(), tables=measured_tables(),
    )  # fmt: skip
