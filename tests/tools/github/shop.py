"""A small company with two repositories, on a real store and a real engine: people act in it at times a test chooses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from brownout.core.apps import Intent, IntentKind
from brownout.core.blocking_steps import run_inline
from brownout.core.calls import Account, Effect
from brownout.core.instants import DAY, HOUR, SECOND, Duration, Instant, iso
from brownout.core.trajectory import Event, NoticeEvent, WorldEvent
from brownout.core.values import JsonObject
from brownout.engine.carrying_intents import carry
from brownout.engine.company_assembly import company
from brownout.engine.outages import FaultPlan
from brownout.engine.session_state import State
from brownout.engine.simulation import Simulation
from brownout.engine.simulation_setting import Profile, Setting
from brownout.store import Pool, StoreRows, StoreSession, create_world
from brownout.store.git import NewCommit, Signature, create_repository
from tools.github import app
from tools.ops import app as ops
from worlds.package import engine_tables

__all__ = ["DAWN", "NOW", "PEOPLE", "Shop", "write_company"]

DAWN: Instant = 1_772_409_600_000_000
"""2026-03-02 00:00 UTC."""
NOW = DAWN + 22 * DAY + 10 * HOUR
"""2026-03-24 10:00 UTC."""

PEOPLE = {
    account.person: account
    for account in (
        Account("ida", "Ida Lindqvist", "ida@acme.test", "person", "platform engineer", "Europe/Lisbon"),
        Account("tomas", "Tomás Herrera", "tomas@acme.test", "person", "backend engineer", "Europe/Berlin"),
        Account("owen", "Owen Fitch", "owen@acme.test", "person", "engineer", "America/New_York"),
        Account("wren", "Wren", "wren@acme.test", "agent", "assistant", "Europe/Lisbon"),
        Account("gareth", "Gareth Moss", "gareth@hall.test", "outsider", "Corner Hall"),
        Account("brownout", "Brownout", "", "system"),
    )
}
APP = "def price(seats):\n    return seats * 20\n\n\ndef hold_minutes():\n    return 15\n"
TESTS = "from src.app import price\n\n\ndef test_price():\n    assert price(2) == 40\n"
NOTES = "".join(f"note {number}\n" for number in range(1, 13))
FILES = {
    "README.md": b"# Shop\n\nSells seats.\n",
    "conftest.py": b"",
    "docs/notes.md": NOTES.encode(),
    "logo.bin": b"\x00\xff\x00",
    "src/app.py": APP.encode(),
    "tests/test_app.py": TESTS.encode(),
}


def _signed(who: str, day: int) -> Signature:
    account = PEOPLE[who]
    return Signature(account.name, account.email, (DAWN - (30 - day) * DAY) // 1_000_000)


def _history() -> list[NewCommit]:
    """Three commits on main; a branch that fits and one that conflicts with main."""
    return [
        NewCommit("Begin\n", _signed("ida", 1), changes=FILES),
        NewCommit("Ten minutes (draft)\n", _signed("owen", 2), branch="conflicting", parents=("main",),
                  changes={"src/app.py": APP.replace("15", "12").encode()}),
        NewCommit("Hold for 10 minutes\n\nAs decided.\n", _signed("tomas", 3),
                  changes={"src/app.py": APP.replace("15", "10").encode()}),
        NewCommit("More notes\n", _signed("ida", 4), changes={"docs/notes.md": (NOTES + "note 13\n").encode()}),
        NewCommit("Say hello\n\nPeople like it.\n", _signed("owen", 5), branch="greeting", parents=("main",),
                  changes={"src/greeting.py": b"HELLO = 'hello'\n"}),
        NewCommit("Test it\n", _signed("owen", 6), branch="greeting",
                  changes={"tests/test_greeting.py": b"from src.greeting import HELLO\n\n\n"
                           b"def test_hello():\n    assert HELLO == 'hello'\n"}),
    ]  # fmt: skip


def _past_pull(commits: tuple[str, ...]) -> JsonObject:
    """The branch `greeting` as somebody might have merged it before the calendar."""
    return {
        "thing": "attic/greeting", "who": "owen", "at": DAWN - 5 * HOUR, "title": "Greet", "head": "greeting",
        "base": "main", "head_sha": commits[5], "base_sha": commits[3], "reviewers": ["ida", "tomas"],
        "checks": {"passed": 2, "failed": 0},
        "remarks": [
            {"who": "wren", "at": DAWN - 4 * HOUR, "text": "nice @ida", "path": "src/greeting.py"},
            {"who": "ida", "at": DAWN - 3 * HOUR, "text": "ok", "state": "APPROVED"},
        ],
        "merged": {"who": "tomas", "at": DAWN - 2 * HOUR, "sha": commits[5], "before": commits[3]},
    }  # fmt: skip


def write_company(folder: Path) -> Path:
    """A package folder with `acme/shop`, where anybody may push to main, `acme/vault`, where nobody may, and
    `acme/attic`, which has had a pull before the calendar began.
    """
    more: dict[str, JsonObject] = {
        "shop": {"services": ["shop"]},
        "vault": {"protected": ["main", "release/*"], "require_checks": True, "require_approvals": 1},
        "attic": {},
    }
    for name, given in more.items():
        built = create_repository(folder / "repos" / f"{name}.git", _history())
        given |= {"owner": "acme", "description": f"The {name}.", "refs": dict(built.refs)}
        given |= {"created": DAWN - 29 * DAY, "zone": "Europe/Lisbon"}
        if name == "attic":
            given |= {"pulls": [_past_pull(built.commits)], "names": {"begun": built.commits[0]}}
    settings: JsonObject = {"repositories": {**more}}
    with create_world(folder / "world.sqlite", [engine_tables.metadata, app.tables, ops.tables]) as world:
        shop = Shop(folder, world.rows, now=DAWN)
        call = shop.simulation.acting(PEOPLE["brownout"])
        services: JsonObject = {"services": {"shop": {"repo": "shop"}}}
        for one, wanted in ((ops, services), (app, settings)):
            for account in PEOPLE.values():
                one.open_account(call, account)
            one.prepare(call, wanted)
    return folder


def _setting(folder: Path) -> Setting:
    people = {
        name: Profile(account, None, (), "plain", "", "", {}, None, None)  # nobody here keeps hours
        for name, account in PEOPLE.items()
    }
    return Setting(
        world="shop",
        folder=folder,
        seed=7,
        zone="Europe/Lisbon",
        turn_cost=30 * SECOND,
        apps={"github": app, "ops": ops},
        people=people,
        outages=(),
        services={},
        phrases={},
    )


@dataclass
class Shop:
    """One private copy of the company.

    Attributes:
        tick: passes with everything that is done.
        effects: what was written last.
    """

    folder: Path
    store: StoreRows | StoreSession
    now: Instant = NOW
    tick: Duration = SECOND
    effects: tuple[Effect, ...] = ()
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.simulation: Simulation = company(
            _setting(self.folder), lambda: self.rows, State(now=self.now), self.events.append, plan=FaultPlan(())
        )

    @classmethod
    def open(cls, folder: Path, pool: Pool) -> "Shop":
        return cls(folder, pool.open())

    @property
    def rows(self) -> StoreRows:
        return self.store if isinstance(self.store, StoreRows) else self.store.rows

    def wait(self, span: Duration) -> None:
        """Let time pass, and what is due happen."""
        self.simulation.advance(self.simulation.state.now + span)

    def ask(self, who: str, operation: str, **arguments: object) -> Any:
        """The answer to an operation that succeeds."""
        answer = self._answer(who, operation, arguments)
        assert not answer.is_error, answer.value
        found = app.operations[f"github_{operation}"]
        assert found.writes or not answer.effects, f"{operation} is a read, and wrote"
        return answer.value

    def refused(self, who: str, operation: str, **arguments: object) -> tuple[int, Any]:
        """The status and body of an operation that GitHub refuses; it has left nothing behind."""
        answer = self._answer(who, operation, arguments)
        assert answer.is_error, answer.value
        assert answer.effects == ()
        assert set(cast(dict[str, Any], answer.value)) >= {"message", "documentation_url", "status"}
        return answer.status, answer.value

    def _answer(self, who: str, operation: str, arguments: Mapping[str, object]) -> Any:
        found = app.operations[f"github_{operation}"]
        answer = run_inline(self.simulation.request(found, cast(JsonObject, dict(arguments)), PEOPLE[who]))
        self.effects = answer.effects if found.writes else self.effects
        self.wait(self.tick)
        return answer

    def carry(self, kind: IntentKind, who: str, **words: Any) -> str:
        """The path of what somebody's intent made."""
        event = self._carried(kind, who, words)
        assert event.outcome == "done", event.outcome
        return event.path

    def fails(self, kind: IntentKind, who: str, **words: Any) -> str:
        """Why an intent could not be carried out; it has left nothing behind."""
        event = self._carried(kind, who, words)
        assert event.effects == ()
        return event.outcome

    def _carried(self, kind: IntentKind, who: str, words: Mapping[str, Any]) -> WorldEvent:
        carry(
            self.simulation, Intent(kind, **{"key": f"test/{len(self.events)}", "who": who, "via": "github", **words})
        )
        event = self.events[-1]
        assert isinstance(event, WorldEvent)
        self.effects = event.effects
        self.wait(self.tick)
        return event

    def bound(self, name: str) -> str | None:
        return self.simulation.acting(PEOPLE["brownout"]).bound(name)

    def paths(self) -> list[str]:
        """Where the effects of what was done last are."""
        rows = [(effect.table, effect.after or effect.before) for effect in self.effects]
        return [app.path_of(self.rows, table, row) for table, row in rows if row is not None]

    def said(self) -> list[tuple[str, set[str]]]:
        """The texts of what was written last and who can read them."""
        found = [app.utterance(self.rows, effect) for effect in self.effects]
        return [(one.text, set(one.to)) for one in found if one is not None]

    def notices(self) -> list[tuple[str, str]]:
        """Kind and text of what has reached the agent, oldest first."""
        return [(event.notice.kind, event.notice.text) for event in self.events if isinstance(event, NoticeEvent)]

    def table(self, name: str, *but: str) -> list[tuple[object, ...]]:
        """Every row of a table in the order of their keys, without the columns named."""
        columns = [column for column in app.tables.tables[name].columns.keys() if column not in but]  # noqa: SIM118
        listed = ", ".join(f'"{column}"' for column in columns)
        return list(self.rows.execute(f'SELECT {listed} FROM "{name}" ORDER BY id'))

    def head(self, repo: str = "shop", branch: str = "main") -> str:
        """Where a branch stands."""
        [thing] = app.find(self.rows, f"{repo}.branch/{branch}")
        return str(thing.fields["sha"])

    @property
    def clock(self) -> str:
        """World time as GitHub shows it."""
        return iso(self.simulation.state.now)

    def pull(self, who: str = "wren", head: str = "greeting", **words: object) -> Any:
        """A new pull of a branch that fits."""
        return self.ask(who, "create_pull", **{"repo": "shop", "title": "Say hello", "head": head, **words})
