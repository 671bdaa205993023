"""What passes between an agent and a session: calls, observations, effects and notices."""

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, cast

import orjson

from brownout.core.instants import Duration, Instant
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject

__all__ = ["Account", "CallIds", "Effect", "EffectKind", "Notice", "NoticeKind", "Observation", "ToolCall"]

EffectKind: TypeAlias = Literal["insert", "update", "delete"]
NoticeKind: TypeAlias = Literal["page", "mention", "direct", "reply", "mail", "assigned", "review", "message", "invite"]


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who can act: one of the company's people, an outsider, the agent, or a system.

    Attributes:
        person: the short name used in specs (`mara`).
        kind: `person`, `outsider` (a customer or vendor), `agent` or `system`.
    """

    person: str
    name: str
    email: str
    kind: Literal["person", "outsider", "agent", "system"]
    role: str = ""
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One request of an agent: `call_id` makes a retried call take effect once."""

    name: str
    arguments: JsonObject
    call_id: str


class CallIds:
    """Ids of their own for the calls of one model.

    A session answers an id that it knows without making the call again. Models number their calls anew each turn, or
    not at all, and mean another call each time.
    """

    def __init__(self) -> None:
        self._used: set[str] = set()

    def own(self, call: ToolCall) -> ToolCall:
        """The call under an id that was not used before: `c0`, then `c0#2`. One without an id is left to the session."""
        name, number = call.call_id, 1
        while name in self._used:
            number += 1
            name = f"{call.call_id}#{number}"
        if name:
            self._used.add(name)
        return replace(call, call_id=name)


@dataclass(frozen=True, slots=True)
class Effect:
    """One row written by an operation, recorded by the store's own write functions.

    `before` is None for an insert, `after` for a delete. Something made and undone leaves two effects
    though the state shows none.

    Attributes:
        harmless: as its app declares it: never damage, and nobody sees it (read marks, drafts).
        addition: as its app declares it: part of something that the actor adds, which grants, approves and silences
            nothing (a comment and the time stamp that it moves). `graders.agent_additions` says what follows.
    """

    kind: EffectKind
    table: str
    key: int
    before: Row | None
    after: Row | None
    harmless: bool = False
    addition: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that reached a person through a service that worked then.

    Attributes:
        path: what it is about, as `app:thing` (`slack:#ops/1771.0001`).
        text: what a phone's lock screen would show.
    """

    id: int
    to: str
    at: Instant
    app: str
    kind: NoticeKind
    path: str
    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class Observation:
    """What the agent got back for one call.

    Attributes:
        content: the text a model reads: JSON, or the vendor's own text.
        body: the answer itself as JSON text, empty where there is none; `structured` is its value.
        sim_time: world time when the answer arrived.
        effects: what the call wrote.
        notices: what reached the actor since its last observation, each exactly once.
        fault: the outage that shaped this answer, empty where none did. Never shown to the agent.
    """

    call_id: str
    name: str
    is_error: bool
    content: str
    body: str
    sim_time: Instant
    cost: Duration = 0
    effects: tuple[Effect, ...] = ()
    notices: tuple[Notice, ...] = field(default=())
    fault: str = ""

    @property
    def structured(self) -> Json:
        """The answer as a value, None where there is none. Read anew each time: thousands of answers are kept."""
        return cast(Json, orjson.loads(self.body)) if self.body else None
