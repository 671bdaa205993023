"""What an app says may be written of it is what it finds and leaves behind: no author is told that a true word is wrong."""

from brownout.catalog import find_spec
from brownout.core.values import Json
from brownout.engine.world import World
from worlds.lint.names import Names, fits
from worlds.spec import read_world

PATTERNS = {
    "slack": ["#*"],
    "jira": ["*"],
    "gmail": ["*"],
    "docs": ["*"],
    "github": ["*", "boxoffice", "boxoffice.branch/*", "boxoffice.commit/*"],
    "ops": ["boxoffice", "doorlist"],
    "terminal": ["*"],
}


def values_of(value: Json) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def test_every_field_that_a_thing_has_may_be_asked_for(tiny: World) -> None:
    vocabularies = Names(read_world(find_spec("tiny"))).vocabularies
    seen = set()
    with tiny.open_session("release-the-seats") as session:
        rows = session.simulation.rows()
        for name, patterns in PATTERNS.items():
            for thing in [one for pattern in patterns for one in tiny.setting.apps[name].find(rows, pattern)]:
                fields = vocabularies[name].fields(thing.path.partition(":")[2])
                assert fields is not None, thing.path
                assert thing.fields.keys() <= fields.keys(), thing.path
                for field, value in thing.fields.items():
                    allowed = fields[field].values
                    assert allowed is None or set(values_of(value)) <= set(allowed), (thing.path, field, value)
                seen.add(name)

    assert seen == PATTERNS.keys() - {"terminal"}


def test_every_path_that_something_has_may_be_permitted(tiny: World) -> None:
    vocabularies = Names(read_world(find_spec("tiny"))).vocabularies
    with tiny.open_session("release-the-seats") as session:
        rows = session.simulation.rows()
        for name, app in tiny.setting.apps.items():
            known = vocabularies[name].paths
            for table in app.tables.tables.values() if known is not None else ():
                for row in rows.execute(f'SELECT id FROM "{table.name}" LIMIT 300'):
                    found = rows.get(table, int(str(row[0])))
                    assert found is not None
                    path = app.path_of(rows, table.name, found).removeprefix(f"{name}:")
                    assert fits(path, known or ()), (name, path)


def test_every_room_that_was_made_may_be_spoken_in(tiny: World) -> None:
    names = Names(read_world(find_spec("tiny")))
    with tiny.open_session("release-the-seats") as session:
        things = tiny.setting.apps["slack"].find(session.simulation.rows(), "#*")

    assert {thing.path.removeprefix("slack:") for thing in things} == set(names.channels("slack") or ())
