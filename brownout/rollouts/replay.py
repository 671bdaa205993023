"""Plays a recorded run again: every answer is compared, or the run is judged again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import orjson

from brownout.core.blocking_steps import BlockingSteps, run_inline
from brownout.core.calls import ToolCall
from brownout.core.errors import OtherPackage, RunError
from brownout.core.grading import Grade
from brownout.core.trajectory import (
    TRAJECTORY_FORMAT,
    Event,
    GapEvent,
    HeaderEvent,
    NoticeEvent,
    ReplyEvent,
    ResultEvent,
    SayEvent,
    StopEvent,
    ToolCallEvent,
    WorldEvent,
)
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts.agent_options import AS_RECORDED, GradingOptions
from brownout.rollouts.recorder import StoredRun
from brownout.rollouts.sandbox_needs import check_sandbox

__all__ = ["ReplayReport", "header_of", "missing_in", "regrade", "regrading", "replay"]


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """Whether a run came out as it was recorded.

    Attributes:
        matches: everything that was recorded came again, and the record has an end.
        steps: how many were recorded.
        first_divergence: number of the first step that differs, and how; None where none does.
        missing: what the record lacks, empty where it is whole.
    """

    matches: bool
    steps: int
    first_divergence: dict[str, object] | None
    missing: str = ""


def header_of(run: StoredRun) -> HeaderEvent:
    """The run's header.

    Raises:
        RunError: it has none.
    """
    if not run.events or not isinstance(run.events[0], HeaderEvent):
        raise RunError(f"{run.folder}: expected a header as the first event, found none")
    return run.events[0]


def replay(world: World, run: StoredRun) -> ReplayReport:
    """Make the run's calls again, in a new session with its seed, and compare what comes back.

    Raises:
        OtherPackage: the run is of another package.
        SandboxUnavailable: the task runs code, and there is no sandbox.
    """
    header = _checked(world, run)
    check_sandbox(world.package, header.task)
    with world.open_session(header.task, seed=header.seed) as session:
        _act(session, run.events)
        return _compare(_told(run.events), _told(session.events, header.format), missing_in(run.events))


def missing_in(events: Sequence[Event]) -> str:
    """What a record lacks, empty where it is whole: it begins with its header, misses nothing and ends with a stop."""
    for number, event in enumerate(events):
        if isinstance(event, GapEvent):
            return event.reason
        if event.seq != number:
            return f"event {number} is missing"
    return (
        "" if any(isinstance(event, StopEvent) for event in events) else "the record has no end: the run was cut short"
    )


def regrade(world: World, run: StoredRun, grading: GradingOptions = AS_RECORDED) -> Grade:
    """The grade of a recorded run by the graders as they are now.

    Args:
        grading: who judges, and what is left out. What the judge once said of a run that has a folder stands there and
            counts.

    Raises:
        OtherPackage: the run is of another package.
        RunError: it is not whole, or does not come out as recorded.
        SandboxUnavailable: the task runs code, and there is no sandbox.
    """
    return run_inline(regrading(world, run, grading))


def regrading(world: World, run: StoredRun, grading: GradingOptions = AS_RECORDED) -> BlockingSteps[Grade]:
    """The steps of `regrade`; they yield the questions (`brownout.llm.Questions`) that a model must answer.

    Raises:
        RunError: as `regrade` does.
    """
    header = _checked(world, run)
    check_sandbox(world.package, header.task, grading.skip)
    missing = missing_in(run.events)
    if missing:
        raise RunError(f"{run.folder} cannot be judged: {missing}")
    with world.open_session(header.task, seed=header.seed) as session:
        _act(session, run.events)
        report = _compare(_told(run.events), _told(session.events, header.format))
        if not report.matches:
            raise RunError(f"{run.folder} does not come out as recorded: {report.first_divergence}")
        folder = run.folder if run.folder.is_dir() else None
        return (yield from session.grading(judge=grading.judge(folder), skip=grading.skip, strict=grading.strict))


def _checked(world: World, run: StoredRun) -> HeaderEvent:
    header = header_of(run)
    manifest = world.package.manifest
    if header.package != manifest.digest:
        raise OtherPackage(
            f"{run.folder} was recorded on package {header.package}; this one is {manifest.digest}. "
            "Replay needs the very package: name it with --package FOLDER, or build "
            f"{header.world} with seed {header.world_seed} as it was then"
        )
    return header


def _act(session: Session, events: list[Event]) -> None:
    """Make the recorded calls, turn by turn, until the recorded stop."""
    turn: list[ToolCall] = []
    number = 0
    called = ""
    for event in events:
        if isinstance(event, ResultEvent):
            called = ""
        elif isinstance(event, ToolCallEvent):
            called = event.name
            if turn and event.turn != number:
                session.turn(turn)
                turn = []
            number = event.turn
            turn.append(ToolCall(event.name, event.arguments, event.call_id))
        elif isinstance(event, SayEvent) and called != "submit":
            if turn:
                session.turn(turn)
                turn = []
            session.say(event.text)
        elif isinstance(event, StopEvent) and not session.ended:
            if turn:
                session.turn(turn)
                turn = []
            session.stop(event.reason, event.detail)


_Told: TypeAlias = ResultEvent | ReplyEvent | WorldEvent | NoticeEvent | StopEvent


def _told(events: list[Event], log_format: int = TRAJECTORY_FORMAT) -> list[_Told]:
    """The events that a replay must repeat to the letter, of those that a log of that format has."""
    found = [e for e in events if isinstance(e, _Told)]
    return found if log_format > 1 else [e for e in found if not isinstance(e, ReplyEvent)]


def _compare(recorded: list[_Told], replayed: list[_Told], missing: str = "") -> ReplayReport:
    steps = sum(isinstance(event, ResultEvent) for event in recorded)
    step = 0
    for old, new in zip(recorded, replayed, strict=False):
        step += isinstance(old, ResultEvent)
        difference = _difference(old, new)
        if difference is not None:
            return ReplayReport(False, steps, {"step": step, **difference}, missing)
    if missing:
        return ReplayReport(False, steps, None, missing)
    if len(recorded) != len(replayed):
        difference = {"field": "events", "recorded": len(recorded), "replayed": len(replayed)}
        return ReplayReport(False, steps, {"step": step, **difference})
    return ReplayReport(True, steps, None)


def _difference(old: Event, new: Event) -> dict[str, object] | None:
    if old.kind != new.kind:
        return {"field": "kind", "recorded": old.kind, "replayed": new.kind}
    first, second = (orjson.loads(orjson.dumps(event)) for event in (old, new))
    for field in first:
        if field != "seq" and first[field] != second[field]:
            return {"field": field, "recorded": first[field], "replayed": second[field]}
    return None
