"""The tables of the ops products. People and vendors are named by their short names, services by key."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, UniqueConstraint

__all__ = [
    "alert",
    "component",
    "deploy",
    "flag",
    "incident",
    "incident_rule",
    "incident_update",
    "metadata",
    "mitigation",
    "need",
    "note",
    "override",
    "page",
    "post",
    "post_update",
    "release",
    "schedule",
    "service",
    "silence",
    "standby",
    "team",
    "user",
    "vendor",
    "vendor_incident",
    "vendor_update",
    "visitor",
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
    info={"steady": True},
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
    Column("incident", Integer, comment="the incident that was opened for it"),
    Index("ops_alert_service", "service", "status"),
    Index("ops_alert_incident", "incident"),
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

vendor_incident = Table(
    "ops_vendor_incident",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("vendor", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("impact", Text, nullable=False, comment="none, minor, major or critical"),
    Column("status", Text, nullable=False, comment="investigating, identified, monitoring or resolved"),
    Column("started_us", Integer, nullable=False, comment="when the vendor first said so"),
    Column("resolved_us", Integer),
    Index("ops_vendor_incident_vendor", "vendor", "id"),
)

vendor_update = Table(
    "ops_vendor_update",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("incident", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Index("ops_vendor_update_incident", "incident", "id"),
)

incident = Table(
    "ops_incident",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("title", Text, nullable=False),
    Column("severity", Text, nullable=False, comment="minor, major or critical"),
    Column("status", Text, nullable=False, comment="investigating, identified, monitoring or resolved"),
    Column("services", Text, nullable=False, comment="JSON list"),
    Column("mitigation", Text, nullable=False, server_default=""),
    Column("next_update_us", Integer, comment="when the next update is promised for"),
    Column("commander", Text, nullable=False, server_default=""),
    Column("responders", Text, nullable=False, server_default="[]", comment="JSON list of people"),
    Column("subscribers", Text, nullable=False, server_default="[]", comment="JSON list of people and teams"),
    Column("tickets", Text, nullable=False, server_default="[]", comment="JSON list of issue keys"),
    Column("who", Text, nullable=False, comment="who opened it"),
    Column("started_us", Integer, nullable=False, comment="when the trouble began"),
    Column("opened_us", Integer, nullable=False),
    Column("resolved_us", Integer),
    Index("ops_incident_status", "status"),
)

mitigation = Table(
    "ops_mitigation",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("incident", Integer, nullable=False),
    Column("service", Text, nullable=False),
    Column("need", Text, nullable=False),
    Column("target", Text, nullable=False, comment="what it is said to run on now"),
    UniqueConstraint("incident", "service", "need"),
)

incident_update = Table(
    "ops_incident_update",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("incident", Integer, nullable=False),
    Column("number", Integer, nullable=False, comment="1 is the one it was opened with"),
    Column("who", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Column("message", Text, nullable=False, server_default=""),
    Column("changed", Text, nullable=False, comment="JSON: field to its value before and after"),
    Column("sent_to", Text, nullable=False, comment="JSON list of people"),
    Column("status", Text, nullable=False, comment="this and what follows as it was then"),
    Column("services", Text, nullable=False, comment="JSON list"),
    Column("mitigation", Text, nullable=False),
    Column("runs_on", Text, nullable=False, comment="JSON: service, need, target"),
    Column("next_update_us", Integer),
    UniqueConstraint("incident", "number"),
)

incident_rule = Table(
    "ops_incident_rule",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("severity", Text, nullable=False, unique=True, comment="of the alerts that open an incident by themselves"),
    Column("subscribers", Text, nullable=False, comment="JSON list of people and teams"),
)

team = Table(
    "ops_team",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("person", Text, nullable=False),
    UniqueConstraint("name", "person"),
)

visitor = Table(
    "ops_visitor",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", Text, nullable=False, unique=True, comment="somebody from outside, who can read the status page"),
)

component = Table(
    "ops_component",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("service", Text, nullable=False, unique=True),
    Column("status", Text, nullable=False, comment="operational, degraded_performance, partial_outage …"),
    Column("updated_us", Integer, nullable=False),
)

post = Table(
    "ops_post",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("title", Text, nullable=False),
    Column("impact", Text, nullable=False, comment="none, minor, major or critical"),
    Column("status", Text, nullable=False, comment="investigating, identified, monitoring or resolved"),
    Column("services", Text, nullable=False, comment="JSON list of components"),
    Column("incident", Integer, comment="the incident that it tells of"),
    Column("created_us", Integer, nullable=False),
    Column("resolved_us", Integer),
)

post_update = Table(
    "ops_post_update",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("post", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Index("ops_post_update_post", "post", "id"),
)
