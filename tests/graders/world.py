"""An episode that is over, made by hand: what graders are given in these tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from brownout.core.apps import Thing
from brownout.core.calls import Account, Effect, Observation, ToolCall
from brownout.core.errors import GradingError
from brownout.core.grading import Act, Said, TruthFact
from brownout.core.instants import MINUTE, Instant
from brownout.core.values import Json, JsonObject
from brownout.core.wildcards import fits

START: Instant = 1_774_348_800_000_000  # 2026-03-24 10:40 UTC
DAY = 24 * 60 * MINUTE
ACTOR = Account("wren", "Wren", "wren@pennywhistle.test", "agent", "operations assistant", "Europe/Lisbon")


def fact(
    name: str,
    slot: str,
    value: str,
    *said: str,
    since: Instant | None = None,
    until: Instant | None = None,
    audience: frozenset[str] | None = None,
) -> TruthFact:
    return TruthFact(name, slot, value, since, until, (), said, audience)


FACTS = {
    each.name: each
    for each in (
        fact("hold-15", "hold", "15", "(hold*|held|seats) * (15|fifteen) min*", "(15|fifteen) (min*|minute*) hold*",
             until=START - 12 * DAY),
        fact("hold-10", "hold", "10", "(hold*|held|seats) * (10|ten) min*", "(10|ten) (min*|minute*) hold*",
             since=START - 12 * DAY),
        fact("stuck-holds", "cause", "Simplify hold store",
             "(simplify hold store|hold store) * (release*|held|stuck|holds|seats)",
             "(release*|held|stuck|holds|seats) * (simplify hold store|hold store)"),
        fact("redis", "cause", "Redis upgrade", "redis upgrade * (release*|held|stuck|holds|seats)",
             "(release*|held|stuck|holds|seats) * redis upgrade", since=START + 900 * DAY),
        fact("standby-south", "standby", "eu-south-1", "standby * eu-south-1", until=START - 15 * DAY),
        fact("standby-west", "standby", "eu-west-1", "standby * eu-west-1", since=START - 15 * DAY),
        fact("down", "bookings", "down", "bookings * (down|unavailable)", until=START + 60 * MINUTE),
        fact("up", "bookings", "up", "bookings * (back|up|restored|work* again)", since=START + 60 * MINUTE),
        fact("layoffs", "layoffs", "twelve people", "(lay* off|layoff*|let go) * (twelve|12)",
             audience=frozenset({"lena", "marcus"})),
        fact("refund", "refund", "Saltworks", "saltworks * refund*", audience=frozenset({"#leads"})),
    )
}  # fmt: skip


@dataclass
class Ended:
    """A hand-made end state; `things` by app, `trees` by (repository, ref)."""

    said: Sequence[Said] = ()
    acts: Sequence[Act] = ()
    answer: str = ""
    facts: Mapping[str, TruthFact] = field(default_factory=lambda: FACTS)
    things: Mapping[str, list[Thing]] = field(default_factory=dict)
    changed: Mapping[str, Instant] = field(default_factory=dict)
    trees: Mapping[tuple[str, str], Mapping[str, bytes]] = field(default_factory=dict)
    tests: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict)
    moments: Mapping[str, Instant] = field(default_factory=dict)
    harnesses: Mapping[str, Sequence[str]] = field(default_factory=dict)
    colleagues: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    task: str = "find-the-change"
    actor: Account = ACTOR
    requester: str = "marcus"
    start: Instant = START
    end: Instant = START + 120 * MINUTE

    def find(self, app: str, pattern: str) -> list[Thing]:
        if app not in self.things:
            raise GradingError(f"the rubric names an app that is not in this world: {app}")
        pattern = self.names.get(f"{app}:{pattern}", pattern).removeprefix(f"{app}:")
        pattern = f"*.pull/{pattern[1:]}" if pattern.startswith("#") else pattern
        return [
            thing
            for thing in self.things[app]
            if any(fits(name, pattern) for name in (thing.path.partition(":")[2], thing.path.rpartition("/")[2]))
            or fits(str(thing.fields.get("title", thing.fields.get("subject", ""))), pattern)
        ]

    def bound(self, app: str, name: str) -> str:
        return self.names.get(f"{app}:{name}", "")

    def path_of(self, effect: Effect) -> str:
        return f"{effect.table.partition('_')[0]}:{effect.table}/{effect.key}"

    def changed_at(self, thing: Thing, field: str = "") -> Instant | None:
        return self.changed.get(f"{thing.path}.{field}", self.changed.get(thing.path))

    def moment(self, text: str) -> Instant:
        if text in self.moments:
            return self.moments[text]
        raise GradingError(f"{text!r}: nothing of that name has a time in this episode")

    def repository(self, name: str, ref: str) -> Mapping[str, bytes]:
        if not any(repo == name for repo, _ in self.trees):
            raise GradingError(f"this world has no repository {name!r}")
        return self.trees.get((name, ref), {})

    def harness(self, name: str) -> Sequence[str]:
        return self.harnesses.get(name, ())

    def hidden(self, name: str) -> Mapping[str, str]:
        return self.tests.get(name, {})

    def members(self, name: str) -> frozenset[str]:
        if name not in self.groups:
            raise GradingError(f"nobody is called {name!r}")
        return self.groups[name]


def says(text: str, *to: str, at: Instant = START + 5 * MINUTE, app: str = "slack", path: str = "") -> Said:
    return Said(text, path or f"{app}:#support.message/{at}", frozenset(to or ("#support", "marcus")), at, app)


def page(body: str, title: str = "Postmortem: stuck holds", key: str = "1", **fields: Json) -> Thing:
    return Thing(f"docs:{key}", {"title": title, "body": body, **fields})


def act(
    name: str,
    arguments: JsonObject | None = None,
    *,
    at: Instant = START,
    content: str = "{}",
    effects: tuple[Effect, ...] = (),
    is_error: bool = False,
    lasts: int = 0,
    notices: str = "",
) -> Act:
    call = ToolCall(name, arguments or {}, f"{name}@{at}")
    return Act(call, Observation(call.call_id, name, is_error, content + notices, content, at + lasts, 0, effects), at)


def wrote(table: str = "ops_need", key: int = 1, *, harmless: bool = False) -> tuple[Effect, ...]:
    return (Effect("update", table, key, None, None, harmless),)
