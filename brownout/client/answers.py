"""What a session server answers, in whichever way it was asked."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from brownout.core.calls import NoticeKind
from brownout.core.errors import FailureKind
from brownout.core.instants import Instant
from brownout.core.values import Json, JsonObject

__all__ = [
    "Closed",
    "GradeAnswer",
    "HeardNotice",
    "RowChange",
    "ServerMetrics",
    "SessionLimits",
    "SessionLog",
    "SessionOpened",
    "SessionState",
    "SessionTool",
    "ToolAnswer",
    "TurnTaken",
]


class _SessionAnswer(BaseModel):
    model_config = ConfigDict(frozen=True)


class SessionTool(_SessionAnswer):
    """A function tool as models are shown it."""

    name: str
    description: str
    input_schema: JsonObject


class SessionLimits(_SessionAnswer):
    """When an episode ends by itself.

    Attributes:
        sim_seconds: of world time, from the task's start.
    """

    calls: int
    sim_seconds: int


class SessionOpened(_SessionAnswer):
    """A session, as it was when it was created; the same for every retry.

    Attributes:
        package: digest of the world's package.
        instructions: what the agent is told.
        digest: of the session's state at its start.
        token: opens this session alone on the agent's port; empty where there is no port.
    """

    session_id: str
    task: str
    seed: int
    world: str
    package: str
    instructions: str
    tools: tuple[SessionTool, ...]
    limits: SessionLimits
    now: Instant
    digest: str
    token: str = ""


class HeardNotice(_SessionAnswer):
    """Something that has reached the agent since its last answer."""

    at: Instant
    app: str
    kind: NoticeKind
    text: str


class ToolAnswer(_SessionAnswer):
    """What an agent gets back for a call.

    Attributes:
        content: the text that a model reads, notices included.
        structured: the answer itself as a value.
        sim_time: world time when it arrived, in microseconds since 1970.
        ended: why the episode ended with it; empty while it goes on.
    """

    call_id: str
    name: str
    is_error: bool
    content: str
    structured: Json
    sim_time: Instant
    notices: tuple[HeardNotice, ...] = ()
    ended: str = ""


class TurnTaken(_SessionAnswer):
    """What an agent gets back for a turn.

    Attributes:
        answers: one for each call, in their order.
        reply: what the requester says to the text of a turn without calls; empty where that ended the episode.
        ended: why the episode has ended; empty while it goes on.
    """

    answers: tuple[ToolAnswer, ...]
    reply: str
    sim_time: Instant
    ended: str


class GradeAnswer(_SessionAnswer):
    """A reward and what it was made of.

    Attributes:
        reward: 0 to 1; None where the episode could not be judged, and `failure` says why.
        failure_kind: why, for programs; empty where there is a reward.
        components: by criterion: the share that is met, 1 or 0 where there are no shares, -1 where a penalty applies.
        complete: whether the reward is of everything that the rubric asks.
    """

    session_id: str
    reward: float | None
    resolved: bool
    complete: bool
    points: int
    possible: int
    components: dict[str, float]
    ledger: tuple[JsonObject, ...]
    left_out: tuple[JsonObject, ...]
    models: tuple[JsonObject, ...]
    failure: str
    failure_kind: FailureKind | Literal[""]

    def document(self) -> JsonObject:
        """The grade as JSON, as run.json and logs have it: `failure` and `failure_kind` are null where there is a reward."""
        told = {"failure": self.failure or None, "failure_kind": self.failure_kind or None}
        return self.model_dump(mode="json") | told


class RowChange(_SessionAnswer):
    """One row that differs from the task's start; of an update only the columns that differ. Bytes are hexadecimal."""

    table: str
    key: int
    kind: str
    before: JsonObject | None
    after: JsonObject | None


class SessionState(_SessionAnswer):
    """How far a session has come, and what differs from its start."""

    session_id: str
    digest: str
    changes: tuple[RowChange, ...]
    now: Instant
    calls: int
    ended: str
    failure: str


class SessionLog(_SessionAnswer):
    """Events of the trajectory, from the one that was asked for on.

    Attributes:
        next: the `seq` to ask for next time.
    """

    session_id: str
    events: tuple[JsonObject, ...]
    next: int


class Closed(_SessionAnswer):
    """A session is closed.

    Attributes:
        was_open: whether it was this request that closed it.
    """

    session_id: str
    was_open: bool


class ServerMetrics(_SessionAnswer):
    """Counts since the server started.

    Attributes:
        live: sessions now.
        capacity: how many there may be.
        expired: closed because they were idle for too long.
        lost: gone with a worker that was killed.
        failed: sessions whose environment failed (sandbox, storage, machine).
        hot: sessions that hold a connection of their own.
        swaps: times that a session was brought back from bytes.
    """

    workers: int
    live: int
    capacity: int
    opened: int
    closed: int
    expired: int
    lost: int
    failed: int
    calls: int
    grades: int
    refusals: int
    hot: int
    swaps: int
    restarts: int
