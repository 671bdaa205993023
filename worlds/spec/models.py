"""The author's files as frozen values. Field names are the words an author writes."""

from worlds.spec.company import (
    AskedRule,
    Away,
    BackgroundSpec,
    ClockSpec,
    CompanySpec,
    Customer,
    CustomerContact,
    CustomerContract,
    Generation,
    Outsider,
    Person,
    WorldFile,
)
from worlds.spec.drawn_slots import DrawnSlot
from worlds.spec.field_types import Name
from worlds.spec.findings import FieldKind, Finding, FindingSchema
from worlds.spec.storylines import Action, Beat, FactSpec, Line, Mail, Storyline, Talk
from worlds.spec.systems import Behaviour, Need, OutageSpec, Service, Shows
from worlds.spec.tasks import Actor, Criterion, Flooding, OracleStep, Requester, Rubric, Task, TaskLimits

__all__ = [
    "Action",
    "Actor",
    "AskedRule",
    "Away",
    "BackgroundSpec",
    "Beat",
    "Behaviour",
    "ClockSpec",
    "CompanySpec",
    "Criterion",
    "Customer",
    "CustomerContact",
    "CustomerContract",
    "DrawnSlot",
    "FactSpec",
    "FieldKind",
    "Finding",
    "FindingSchema",
    "Flooding",
    "Generation",
    "Line",
    "Mail",
    "Name",
    "Need",
    "OracleStep",
    "OutageSpec",
    "Outsider",
    "Person",
    "Requester",
    "Rubric",
    "Service",
    "Shows",
    "Storyline",
    "Talk",
    "Task",
    "TaskLimits",
    "WorldFile",
]
