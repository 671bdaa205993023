"""The engine's own tables in world.sqlite. No operation, search or SQL tool can name them.

They hold what makes a session more than its apps: the clock, the schedule, who has learned what, how
services are. One changeset over all tables is therefore the whole session.
"""

from sqlalchemy import Column, Index, Integer, LargeBinary, MetaData, Table, Text, UniqueConstraint

__all__ = [
    "account",
    "belief",
    "binding",
    "call",
    "fact",
    "health",
    "metadata",
    "notice",
    "schedule",
    "snapshot",
    "state",
    "topic",
    "trigger",
]

metadata = MetaData()

state = Table(
    "engine_state",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("value", Text, nullable=False, comment="JSON"),
)

account = Table(
    "engine_account",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("kind", Text, nullable=False, comment="person, outsider, agent or system"),
    Column("role", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("profile", Text, nullable=False, server_default="{}", comment="JSON: hours, reads, voice, manager, asked …"),
    info={"steady": True},
)

schedule = Table(
    "engine_schedule",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at_us", Integer, nullable=False),
    Column("priority", Integer, nullable=False, comment="smaller first at the same moment"),
    Column("kind", Text, nullable=False, comment="what the engine does with it: intent, outage …"),
    Column("key", Text, nullable=False, comment="stable path of its cause"),
    Column("payload", Text, nullable=False, comment="JSON"),
    Index("engine_schedule_due", "at_us", "priority", "id"),
)

binding = Table(
    "engine_binding",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True, comment="the author's logical name"),
    Column("path", Text, nullable=False),
)

fact = Table(
    "engine_fact",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fact", Text, nullable=False, unique=True),
    Column("slot", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("since_us", Integer),
    Column("until_us", Integer),
    Column("again_us", Integer, comment="from when on it is so once more"),
    Column(
        "words", Text, nullable=False, comment="JSON: says, about; kind, called, mentions, audience where it has them"
    ),
    Index("engine_fact_slot", "slot"),
)

topic = Table(
    "engine_topic",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("slot", Text, nullable=False, unique=True),
    Column("about", Text, nullable=False, comment="the words that its facts' author would ask with"),
    Column("says", Text, nullable=False, comment="how people put its facts"),
    Column("called", Text, nullable=False, comment="the slot's name in words"),
    Column("alike", Text, nullable=False, comment="what the author's synonyms add to those"),
    Column("kinds", Text, nullable=False, comment="the kinds of answer it is: who, when, where …"),
    info={"search": ("about", "says", "called", "alike"), "stems": True},
)

belief = Table(
    "engine_belief",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", Text, nullable=False),
    Column("fact", Text, nullable=False),
    Column("learned_us", Integer, nullable=False, comment="may be ahead: when they next read"),
    Column("path", Text, nullable=False, comment="what they learned it from; empty for those who made it so"),
    UniqueConstraint("person", "fact"),
)

notice = Table(
    "engine_notice",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Column("app", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("sender", Text, nullable=False),
    Column("text", Text, nullable=False),
    Index("engine_notice_person", "person", "id"),
)

call = Table(
    "engine_call",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("call_id", Text, nullable=False, unique=True),
    Column("record", Text, nullable=False, comment="JSON: the call, its answer and its effects"),
)

health = Table(
    "engine_health",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("service", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Column("state", Text, nullable=False, comment="ok, slow, errors or down"),
    Column("error_percent", Integer, nullable=False),
    Column("latency_ms", Integer, nullable=False),
    Column("load_percent", Integer, nullable=False),
    Column("cause", Text, nullable=False),
    Index("engine_health_service", "service", "at_us"),
)

snapshot = Table(
    "engine_snapshot",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True, comment="the outage it was taken at the beginning of"),
    Column("changeset", LargeBinary, nullable=False),
    Column("ids", Text, nullable=False, comment="JSON: largest keys, to go with the changeset"),
)

trigger = Table(
    "engine_trigger",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, comment="what is watched: a service, a vendor's part, an operation"),
    Column("state", Text, nullable=False, comment="slow, errors, down; `called` for an operation"),
    Column("lasting_us", Integer, nullable=False),
    Column("kind", Text, nullable=False, comment="schedule entries to make: intent or outage"),
    Column("key", Text, nullable=False),
    Column("payload", Text, nullable=False, comment="JSON"),
    Column("delay_us", Integer, nullable=False, comment="after it has come true"),
    Column("fired_us", Integer, comment="null while it waits"),
    Index("engine_trigger_name", "name"),
    info={"steady": True},
)
