"""What a session is, as the answers of `brownout.client` tell it."""

import orjson

from brownout.client.answers import (
    GradeAnswer,
    HeardNotice,
    RowChange,
    SessionLimits,
    SessionOpened,
    SessionTool,
    ToolAnswer,
)
from brownout.core.calls import Observation
from brownout.core.grading import Grade
from brownout.core.rows import Row
from brownout.core.trajectory import Event, dump_event
from brownout.core.values import JsonObject
from brownout.engine.session import Session
from brownout.store import RowDifference

__all__ = ["event_json", "grade_answer", "opening", "row_change", "tool_answer"]


def opening(session_id: str, session: Session, tools: tuple[SessionTool, ...], token: str) -> SessionOpened:
    """What the creator of a session is told.

    Args:
        tools: of the session's task; thousands of sessions share them.
    """
    manifest, task = session.package.manifest, session.task
    return SessionOpened(
        session_id=session_id,
        task=task.id,
        seed=session.seed,
        world=manifest.world,
        package=manifest.digest,
        instructions=session.instructions,
        tools=tools,
        limits=SessionLimits(calls=task.limit_calls, sim_seconds=task.limit_sim // 1_000_000),
        now=session.now,
        digest=session.digest(),
        token=token,
    )


def grade_answer(session_id: str, grade: Grade) -> GradeAnswer:
    """The grade, with its scores also by criterion."""
    return GradeAnswer(
        session_id=session_id,
        reward=grade.reward,
        resolved=grade.resolved,
        complete=grade.complete,
        points=grade.points,
        possible=grade.possible,
        components=grade.scores,
        ledger=tuple(line.document() for line in grade.ledger),
        left_out=tuple(each.document() for each in grade.left_out),
        models=tuple(use.document() for use in grade.uses),
        failure=grade.failure,
        failure_kind=grade.failure_kind,
    )


def tool_answer(observation: Observation, ended: str) -> ToolAnswer:
    """What an agent may see of an observation, and how the episode stood then."""
    return ToolAnswer(
        call_id=observation.call_id,
        name=observation.name,
        is_error=observation.is_error,
        content=observation.content,
        structured=observation.structured,
        sim_time=observation.sim_time,
        notices=tuple(
            HeardNotice(at=notice.at, app=notice.app, kind=notice.kind, text=notice.text)
            for notice in observation.notices
        ),
        ended=ended,
    )


def row_change(change: RowDifference) -> RowChange:
    """A change as JSON can hold it."""
    return RowChange(
        table=change.table,
        key=change.key,
        kind=change.kind,
        before=_row_json(change.before),
        after=_row_json(change.after),
    )


def _row_json(row: Row | None) -> JsonObject | None:
    if row is None:
        return None
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in row.items()}


def event_json(event: Event) -> JsonObject:
    """An event as it stands in a trajectory."""
    found: JsonObject = orjson.loads(dump_event(event))
    return found
