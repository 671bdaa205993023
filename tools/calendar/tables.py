"""The calendar's tables. An event stands on its organizer's calendar; guests see it through their rows.

A series is one event with a rule. What was changed or called off of it is an event of its own, with the series and the
time that the rule gave it.
"""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, UniqueConstraint

__all__ = ["calendar", "event", "guest", "metadata"]

metadata = MetaData()

calendar = Table(
    "calendar_calendar",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("email", Text, nullable=False, unique=True, comment="lower case; its calendarId"),
    Column("name", Text, nullable=False),
    Column("person", Text, nullable=False, server_default="", comment="whose it is, empty for a room's"),
    Column("zone", Text, nullable=False),
    Column("seats", Integer, nullable=False, server_default="0", comment="of a room"),
    Index("calendar_calendar_person", "person"),
    info={"steady": True},
)

event = Table(
    "calendar_event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("event_id", Text, nullable=False, unique=True),
    Column("calendar", Integer, nullable=False, comment="its organizer's"),
    Column("creator", Text, nullable=False, comment="short name of who made it"),
    Column("summary", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("location", Text, nullable=False, server_default=""),
    Column("start_us", Integer, nullable=False),
    Column("end_us", Integer, nullable=False),
    Column("zone", Text, nullable=False, comment="in which a series keeps its time of day"),
    Column("is_all_day", Integer, nullable=False, server_default="0"),
    Column(
        "rule", Text, nullable=False, server_default="", comment="FREQ=WEEKLY;BYDAY=MO, empty where it is no series"
    ),
    Column("kind", Text, nullable=False, server_default="default", comment="default or outOfOffice"),
    Column("visibility", Text, nullable=False, server_default="default", comment="default, public or private"),
    Column("is_free", Integer, nullable=False, server_default="0", comment="does not make its guests busy"),
    Column("status", Text, nullable=False, server_default="confirmed", comment="confirmed or cancelled"),
    Column("series", Integer, comment="the series that it is an exception of"),
    Column("original_us", Integer, comment="when the series had it"),
    Column("sequence", Integer, nullable=False, server_default="0"),
    Column("created_us", Integer, nullable=False),
    Column("updated_us", Integer, nullable=False),
    UniqueConstraint("series", "original_us"),
    Index("calendar_event_calendar", "calendar", "start_us"),
    Index("calendar_event_kind", "kind", "start_us"),
)

guest = Table(
    "calendar_guest",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("event", Integer, nullable=False),
    Column("calendar", Integer, comment="null for somebody outside the company"),
    Column("email", Text, nullable=False, comment="lower case"),
    Column("name", Text, nullable=False, server_default=""),
    Column("response", Text, nullable=False, comment="needsAction, accepted, declined or tentative"),
    Column("comment", Text, nullable=False, server_default=""),
    Column("is_optional", Integer, nullable=False, server_default="0"),
    UniqueConstraint("event", "email"),
    Index("calendar_guest_calendar", "calendar"),
)
