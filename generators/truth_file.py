"""truth.sqlite: what happened before the first start, which artefact states which facts, and when everything on the calendar is.

`show why` and the studio's time line read it; facts themselves are rows of the world (`generators.fact_rows`).
"""

from pathlib import Path

import orjson
from sqlalchemy import Column, Index, Integer, MetaData, Table, Text

from brownout.core.trajectory import Event, WorldEvent
from brownout.store import create_world
from generators.timetable import Timetable
from worlds.spec import WorldSpec

__all__ = ["event", "metadata", "provenance", "write_truth"]

metadata = MetaData()

event = Table(
    "truth_event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at_us", Integer, nullable=False),
    Column("key", Text, nullable=False, comment="stable path of the cause: storyline/beat"),
    Column("who", Text, nullable=False),
    Column("act", Text, nullable=False),
    Column("app", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("path", Text, nullable=False),
    Index("truth_event_key", "key"),
    Index("truth_event_path", "path"),
)

provenance = Table(
    "truth_provenance",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("event", Integer, nullable=False),
    Column("path", Text, nullable=False, comment="the artefact"),
    Column("fact", Text, nullable=False),
    Column("role", Text, nullable=False, comment="states"),
    Index("truth_provenance_path", "path"),
)

calendar = Table(
    "truth_calendar",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("at_us", Integer, nullable=False),
    Column("kind", Text, nullable=False, comment="beat, talk, mail, outage, task or an app's own word"),
    Column("details", Text, nullable=False, comment="JSON"),
)


def write_truth(path: Path, spec: WorldSpec, times: Timetable, events: list[Event]) -> None:
    """Write what happened before the first start, and when everything on the calendar is."""
    with create_world(path, [metadata]) as truth:
        for happened in events:
            if isinstance(happened, WorldEvent):
                key = truth.rows.insert(
                    event,
                    at_us=happened.at,
                    key=happened.key,
                    who=happened.who,
                    act=happened.act,
                    app=happened.app,
                    outcome=happened.outcome,
                    path=happened.path,
                )
                for fact in happened.facts if happened.path else ():
                    truth.rows.insert(provenance, event=key, path=happened.path, fact=fact, role="states")
        talks = {name for story in spec.storylines.values() for name in story.talks}
        mails = {name for story in spec.storylines.values() for name in story.mails}
        words = {name: word for parts in spec.sections.values() for word, part in parts.items() for name in part}
        for name, at in sorted(times.moments.items(), key=lambda item: (item[1], item[0])):
            outage = spec.outages.get(name)
            details = {"on": outage.on, "mode": outage.mode, "lasts": outage.lasts} if outage else {}
            kind = (
                "outage"
                if outage
                else "talk"
                if name in talks
                else "mail"
                if name in mails
                else words.get(name, "beat")
            )
            truth.rows.insert(calendar, name=name, at_us=at, kind=kind, details=orjson.dumps(details).decode())
        for name, at in times.starts.items():
            truth.rows.insert(calendar, name=f"task:{name}", at_us=at, kind="task", details="{}")
