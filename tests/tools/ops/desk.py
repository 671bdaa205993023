"""A small company with three services, and somebody at a desk who works with its ops products."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError
from sqlalchemy import select

from brownout.core.apps import Health, Intent, IntentKind, LogLine
from brownout.core.calls import Account, NoticeKind
from brownout.core.faults import Fault
from brownout.core.instants import DAY, HOUR, MINUTE, Duration, Instant
from brownout.core.rows import Row, Rows
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject
from brownout.store import StoreSession, compile_query, create_world
from tools.ops import app
from worlds.package import engine_tables

FIRST_DAY: Instant = 1_772_409_600_000_000
"""2026-03-02 00:00 UTC."""
NOW = FIRST_DAY + 22 * DAY + 10 * HOUR
"""2026-03-24 10:00 UTC."""

PEOPLE = {
    account.person: account
    for account in (
        Account("ida", "Ida Lindqvist", "ida@pennywhistle.test", "person", "platform engineer"),
        Account("tomas", "Tomás Herrera", "tomas@pennywhistle.test", "person", "backend engineer"),
        Account("wren", "Wren", "wren@pennywhistle.test", "agent", "operations assistant"),
        Account("saltworks", "Inês Carvalho", "ines@saltworks.test", "outsider", "Saltworks"),
        Account("monitoring", "Monitoring", "", "system"),
        Account("status", "Status pages", "", "system"),
    )
}
SETTINGS: JsonObject = {
    "services": {
        "boxoffice": {
            "says": "Sells tickets and holds seats.",
            "team": "engineering",
            "on_call": "ida",
            "repo": "pennywhistle/boxoffice",
            "version": "1.8.0",
            "commit": "a1",
            "needs": {
                "database": {"is": "aws-rds/eu-west-1", "can_be": ["aws-rds/eu-central-1", "aws-rds/eu-south-1"]},
                "cards": {"is": "payments"},
            },
            "flags": {"instant-holds": True, "maps": False},
        },
        "payments": {"version": "3.0.0", "needs": {"acquirer": {"is": "stripe"}}},
        "venue-pages": {"on_call": None, "needs": {"api": {"is": "boxoffice", "can_be": ["cdn/static"]}}},
    },
    "vendors": ["slack"],
    "teams": {"support": ["tomas", "ida"]},
}


_ALL = [compile_query(select(table)) for table in app.tables.tables.values()]


class Systems:
    """Services of which boxoffice has been slow for ten minutes."""

    def __init__(self, now: Instant) -> None:
        self._now = now

    def services(self) -> list[str]:
        return ["boxoffice", "payments", "venue-pages"]

    def health(self, service: str, at: Instant | None = None) -> Health:
        if service == "boxoffice":
            return Health(service, self._now - 10 * MINUTE, "slow", 12, 2_400, 600, "retry-storm")
        return Health(service, 0, "ok", 0, 80, 100)

    def metric(
        self, service: str, name: str, since: Instant, until: Instant, step: Duration
    ) -> list[tuple[Instant, int]]:
        return [(at, at // MINUTE % 10) for at in range(since, until, step)]

    def logs(self, service: str, since: Instant, until: Instant, *, limit: int, contains: str = "") -> list[LogLine]:
        lines = [LogLine(at, "INFO", f"minute {at // MINUTE % 60}") for at in range(since, until, MINUTE)]
        return [line for line in lines if contains in line.text][-limit:]


@dataclass
class Desk:
    """One account acting at one moment, and what it said is meant for whom."""

    rows: Rows
    actor: Account
    now: Instant = NOW
    reached: list[tuple[str, NoticeKind, str, str]] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    followed: list[tuple[Intent, Duration]] = field(default_factory=list)

    @property
    def systems(self) -> Systems:
        return Systems(self.now)

    def account(self, person: str) -> Account:
        return PEOPLE[person]

    def stream(self, *path: str | int) -> Stream:
        return Stream(7, *path)

    def reach(self, person: str, kind: NoticeKind, path: str, text: str) -> None:
        self.reached.append((person, kind, path, text))

    def outage(self, app: str, operation: str, *, writes: bool, key: str) -> Fault | None:
        return None

    def take(self, time: Duration) -> None:
        raise NotImplementedError

    def follow(self, intent: Intent, after: Duration) -> None:
        self.followed.append((intent, after))

    def file(self, name: str) -> Path:
        raise FileNotFoundError(name)

    def bind(self, name: str, path: str) -> None:
        self.names[name] = path

    def bound(self, name: str) -> str | None:
        return self.names.get(name)

    def ask(self, name: str, **arguments: object) -> Any:
        """The answer to an operation, asked as the engine asks."""
        operation = app.operations[f"ops_{name}"]
        try:
            given = operation.arguments.model_validate(arguments)
        except ValidationError as error:
            raise app.invalid(error.errors()[0]["msg"]) from error
        return operation.run(self, **given.__dict__)

    def carry(self, kind: IntentKind, **words: Any) -> str:
        """The path of what an intent made."""
        words = {"key": f"test/{kind}", "who": self.actor.person, **words}
        path = app.intents[kind](self, Intent(kind, **words))
        assert isinstance(path, str)
        return path

    def at(self, person: str, *, later: Duration = 0) -> "Desk":
        """Somebody else at the same company, perhaps later."""
        return Desk(self.rows, PEOPLE[person], self.now + later, self.reached, self.names)


def write_company(path: Path) -> Path:
    """The company as it was set up, with two deploys and an alert that is over."""
    with create_world(path, [engine_tables.metadata, app.tables]) as world:
        founder = Desk(cast(Rows, world.rows), Account("brownout", "Brownout", "", "system"), FIRST_DAY)
        for account in PEOPLE.values():
            app.open_account(founder, account)
        app.prepare(founder, SETTINGS)
        tomas = founder.at("tomas", later=10 * DAY)
        for version, commit in (("1.8.1", "b2"), ("1.8.2", "c3")):
            details: JsonObject = {"version": version, "commit": commit, "note": f"notes of {version}"}
            tomas.carry("deploy", thing="boxoffice", details=details)
        monitoring = founder.at("monitoring", later=20 * DAY)
        monitoring.carry("alert", thing="payments", to=("tomas",), subject="payments: error rate 9 %")
        monitoring.carry("resolve", thing="payments", details={"service": "payments"})
    return path


def sit_down(session: StoreSession, person: str = "wren") -> Desk:
    """Somebody in a session of the company, now."""
    return Desk(cast(Rows, session.rows), PEOPLE[person])


def rows_of(desk: Desk) -> list[list[Row]]:
    """Everything the app holds, but for keys."""
    return [[Row({k: v for k, v in row.items() if k != "id"}) for row in desk.rows.all(query)] for query in _ALL]


def raise_alert(desk: Desk, **words: Any) -> int:
    """The id of a new alert of boxoffice."""
    given = {
        "thing": "boxoffice",
        "to": ("ida",),
        "subject": "boxoffice: error rate 12 %",
        "text": "error_rate > 5% for 3m on boxoffice; it is 12 % now.",
        "details": {"severity": "high", "rule": "error_rate > 5% for 3m"},
        **words,
    }
    return int(desk.at("monitoring").carry("alert", **given).rpartition("/")[2])
