"""The tables of the ops products. People and vendors are named by their short names, services by key."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, UniqueConstraint

__all__ = [
    "alert",
    "deploy",
    "flag",
    "incident",
    "metadata",
    "need",
    "note",
    "override",
    "page",
    "release",
    "schedule",
    "service",
    "silence",
    "standby",
    "update",
    "user",
    "vendor",
]

metadata = MetaData()

user = Table(
    "ops_user",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("role", Text, nullable=False, server_default=""),
)

service = Table(
    "ops_service",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("says", Text, nullable=False, server_default="", comment="what it is for"),
    Column("team", Text, nullable=False, server_default=""),
    Column("on_call", Text, nullable=False, server_default="", comment="short name of a person, empty for nobody"),
    Column("repo", Text, nullable=False, server_default=""),
    Column("version", Text, nullable=False),
    Column("commit", Text, nullable=False, server_default=""),
)

need = Table(
    "ops_need",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("service", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("target", Text, nullable=False, comment="the service or vendor's part that serves it now"),
    Column("options", Text, nullable=False, comment="JSON list of all that could serve it, the first one included"),
    Column("is_lost", Integer, nullable=False, server_default="0", comment="what serves it has none of its data"),
    UniqueConstraint("service", "name"),
)

standby = Table(
    "ops_standby",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("target", Text, nullable=False, unique=True, comment="aws-rds/eu-south-1"),
    Column("state", Text, nullable=False, comment="ready, lagging or empty"),
    Column("lag_seconds", Integer, nullable=False, server_default="0"),
)

schedule = Table(
    "ops_schedule",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("covers", Text, nullable=False, comment="JSON list of services"),
    Column("rotation", Text, nullable=False, comment="JSON list of people, in the order of their turns"),
    Column("start_us", Integer, nullable=False, comment="the first turn's beginning"),
    Column(
        "every_us", Integer, nullable=False, comment="from one turn's beginning to the next one's, on the wall clock"
    ),
    Column("lasts_us", Integer, nullable=False, comment="how much of it somebody is on call"),
    Column("end_us", Integer, comment="when the schedule ends; null while it goes on"),
    Column("zone", Text, nullable=False),
)

override = Table(
    "ops_override",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("schedule", Integer, nullable=False),
    Column("person", Text, nullable=False),
    Column("start_us", Integer, nullable=False),
    Column("end_us", Integer, nullable=False),
    Column("who", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Index("ops_override_schedule", "schedule", "end_us"),
)

silence = Table(
    "ops_silence",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("service", Integer, nullable=False),
    Column("start_us", Integer, nullable=False),
    Column("end_us", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Index("ops_silence_service", "service", "end_us"),
)

flag = Table(
    "ops_flag",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("service", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("is_on", Integer, nullable=False),
    UniqueConstraint("service", "name"),
)

release = Table(
    "ops_release",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("service", Integer, nullable=False),
    Column("version", Text, nullable=False),
    Column("commit", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Column("who", Text, nullable=False),
    Column("note", Text, nullable=False, server_default=""),
    UniqueConstraint("service", "version"),
)

deploy = Table(
    "ops_deploy",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("service", Integer, nullable=False),
    Column("kind", Text, nullable=False, comment="deploy, rollback, failover, flag or restart"),
    Column("version", Text, nullable=False, comment="what runs afterwards"),
    Column("from_version", Text, nullable=False),
    Column("subject", Text, nullable=False, server_default="", comment="the need or flag that was changed"),
    Column("old", Text, nullable=False, server_default=""),
    Column("new", Text, nullable=False, server_default=""),
    Column("at_us", Integer, nullable=False),
    Column("who", Text, nullable=False),
    Column("status", Text, nullable=False, server_default="succeeded"),
    Column("note", Text, nullable=False, server_default=""),
    Index("ops_deploy_service", "service", "id"),
)

alert = Table(
    "ops_alert",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("service", Integer, nullable=False),
    Column("rule", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("details", Text, nullable=False, server_default=""),
    Column("severity", Text, nullable=False),
    Column("status", Text, nullable=False, comment="triggered, acknowledged or resolved"),
    Column("assigned", Text, nullable=False, server_default=""),
    Column("at_us", Integer, nullable=False),
    Column("acknowledged_by", Text, nullable=False, server_default=""),
    Column("acknowledged_us", Integer),
    Column("resolved_by", Text, nullable=False, server_default=""),
    Column("resolved_us", Integer),
    Index("ops_alert_service", "service", "status"),
)

note = Table(
    "ops_note",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("alert", Integer, nullable=False),
    Column("who", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Index("ops_note_alert", "alert"),
)

page = Table(
    "ops_page",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("who", Text, nullable=False),
    Column("whom", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("urgency", Text, nullable=False, comment="high or low"),
    Column("at_us", Integer, nullable=False),
    Column("alert", Integer, comment="what it is about, where it is about an alert"),
    Index("ops_page_alert", "alert"),
)

vendor = Table(
    "ops_vendor",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True, comment="slack, aws-rds/eu-west-1"),
)

incident = Table(
    "ops_incident",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("vendor", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("impact", Text, nullable=False, comment="none, minor, major or critical"),
    Column("status", Text, nullable=False, comment="investigating, identified, monitoring or resolved"),
    Column("started_us", Integer, nullable=False, comment="when the vendor first said so"),
    Column("resolved_us", Integer),
    Index("ops_incident_vendor", "vendor", "id"),
)

update = Table(
    "ops_update",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("incident", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Index("ops_update_incident", "incident", "id"),
)
