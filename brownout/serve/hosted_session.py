"""One session that somebody far away plays: what it has been asked, what it answered, and whether its environment held."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from brownout.client.answers import (
    GradeAnswer,
    SessionLog,
    SessionOpened,
    SessionState,
    ToolAnswer,
    TurnTaken,
)
from brownout.client.errors import (
    BadRequest,
    CallConflict,
    EnvironmentFailed,
    EpisodeEnded,
    EpisodeGoesOn,
    SessionInUse,
)
from brownout.client.requests import GradeSession, TurnCall
from brownout.core.blocking_steps import BlockingSteps
from brownout.core.calls import Observation, ToolCall
from brownout.core.errors import BrownoutError, Failure, SessionBusy, SessionClosed, UnknownPlugin, is_environments
from brownout.core.grading import Grade
from brownout.core.plugins import plugin_address
from brownout.core.values import canonical, digest_of
from brownout.engine.session import Session
from brownout.rollouts.agent_options import GradingOptions
from brownout.serve.session_answers import event_json, grade_answer, row_change, tool_answer

__all__ = ["HostedSession"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Answered:
    """A call that was made, to know it again by."""

    digest: str
    observation: Observation
    ended: str


class HostedSession:
    """A session under an id.

    Attributes:
        opened: what its creator was told.
        source: the arguments that it was created or forked with; the same ones mean the same session.
        last_use: when it was last asked for something, by its host's clock.
        failure: why there will be no reward; None while the environment holds.
    """

    def __init__(self, session: Session, opened: SessionOpened, source: object, grading: GradingOptions) -> None:
        self.session = session
        self.opened = opened
        self.source = source
        self.last_use = 0.0
        self.failure: Failure | None = None
        self._grading = grading
        self._answered: dict[str, _Answered] = {}
        self._said: dict[str, tuple[str, TurnTaken]] = {}
        self._grades: dict[tuple[frozenset[str], bool], Grade] = {}

    @property
    def id(self) -> str:
        """The id that its creator chose."""
        return self.opened.session_id

    def take_over(self, first: "HostedSession") -> None:
        """Know the calls that were made in the session which this one is a copy of."""
        self.failure = first.failure
        self._answered, self._said = dict(first._answered), dict(first._said)

    # -- acting -------------------------------------------------------------------------------------------

    def call(self, call: TurnCall) -> BlockingSteps[ToolAnswer]:
        """The answer to one call, which is a turn of its own."""
        return (yield from self.calls([call]))[0]

    def submit(self, answer: str) -> BlockingSteps[ToolAnswer]:
        """Hand in an answer; one that was refused may be handed in otherwise."""
        call = TurnCall(name="submit", arguments={"answer": answer}, call_id=f"submit-{digest_of(answer)[:12]}")
        return (yield from self.call(call))

    def turn(self, calls: Sequence[TurnCall]) -> BlockingSteps[TurnTaken]:
        """The calls of one turn."""
        answers = yield from self.calls(calls)
        return TurnTaken(answers=tuple(answers), reply="", sim_time=answers[-1].sim_time, ended=answers[-1].ended)

    def calls(self, calls: Sequence[TurnCall]) -> BlockingSteps[list[ToolAnswer]]:
        """The answers to the calls of one turn. Those that were made before are not made again.

        Raises:
            CallConflict: an id was used for another call.
            EpisodeEnded: it had ended before; nothing was done.
        """
        self._need_sound()
        digests = [digest_of(call.name, canonical(call.arguments)) for call in calls]
        if not all(call.call_id in self._answered for call in calls):
            self._need_going()
        self._check_ids(calls, digests)
        if not all(call.call_id in self._answered for call in calls):
            made = [ToolCall(call.name, call.arguments, call.call_id) for call in calls]
            observations = yield from self._acting(self.session.steps(made))
            return [self._note(*each) for each in zip(calls, digests, observations, strict=True)]
        return [
            tool_answer(known.observation, known.ended) for known in (self._answered[call.call_id] for call in calls)
        ]

    def say(self, text: str, turn_id: str) -> BlockingSteps[TurnTaken]:
        """What the requester answers to a text."""
        if turn_id in self._said:
            said, answer = self._said[turn_id]
            if said != text:
                raise CallConflict(f"turn {turn_id!r} said something else; a new turn has a new id")
            return answer
        self._need_sound()
        self._need_going()
        heard = yield from self._acting(self._say(text))
        answer = TurnTaken(answers=(), reply=heard.content, sim_time=heard.sim_time, ended=self.session.ended)
        if turn_id:
            self._said[turn_id] = text, answer
        return answer

    def stop(self, reason: str, detail: str) -> None:
        """End the episode because its agent does not go on."""
        try:
            self.session.stop(reason, detail)
        except SessionBusy as error:
            raise SessionInUse(str(error)) from error

    # -- what only an admin may know ----------------------------------------------------------------------

    def grade(self, request: GradeSession) -> BlockingSteps[GradeAnswer]:
        """The grade of the episode. Asked twice it is the same: what a model once said of it stands."""
        if self.failure:
            return grade_answer(self.id, Grade.null(self.failure))
        if not self.session.ended:
            raise EpisodeGoesOn(f"{self.id} goes on; submit or stop it first")
        skip = self._grading.skip | {*request.skip}
        for name in request.skip:
            _check_grader(name)
        strict = self._grading.strict or request.strict
        grade = self._grades.get((skip, strict))
        if grade is None:
            grade = yield from self._graded(skip, strict)
            if grade.reward is not None:
                self._grades[skip, strict] = grade
        return grade_answer(self.id, grade)

    def state(self) -> SessionState:
        """How far the session has come."""
        session = self.session
        try:
            changes = session.diff()
            digest = session.digest()
        except SessionBusy as error:
            raise SessionInUse(str(error)) from error
        return SessionState(
            session_id=self.id,
            digest=digest,
            changes=tuple(map(row_change, changes)),
            now=session.now,
            calls=len(session.acts),
            ended=session.ended,
            failure=str(self.failure or ""),
        )

    def log(self, since: int, most: int) -> SessionLog:
        """Events of the trajectory."""
        events = self.session.events[since : since + most]
        return SessionLog(
            session_id=self.id,
            events=tuple(map(event_json, events)),
            next=min(since, len(self.session.events)) + len(events),
        )

    # -- inner --------------------------------------------------------------------------------------------

    def _say(self, text: str) -> BlockingSteps[Observation]:
        yield from ()  # steps, as every way to act is
        return self.session.say(text)

    def _acting(self, steps: BlockingSteps[T]) -> BlockingSteps[T]:
        """What the steps return; what the environment does to them ends the episode without a reward."""
        try:
            return (yield from steps)
        except SessionBusy as error:
            raise SessionInUse(str(error)) from error
        except SessionClosed as error:
            raise EpisodeEnded(str(error)) from error
        except Exception as error:
            if is_environments(error):
                failure = self._fail(error)
                raise EnvironmentFailed(failure.reason, failure.kind) from error
            raise

    def _fail(self, error: Exception) -> Failure:
        self.failure = Failure.of(error)
        try:
            self.session.stop("env_error", self.failure.reason)
        except Exception as worse:
            self.failure = self.failure.and_then(f"it could not be stopped either: {Failure.of(worse)}")
        return self.failure

    def _graded(self, skip: frozenset[str], strict: bool) -> BlockingSteps[Grade]:
        try:
            return (yield from self.session.grading(judge=self._grading.judge(None), skip=skip, strict=strict))
        except SessionBusy as error:
            raise SessionInUse(str(error)) from error
        except BrownoutError as error:
            return Grade.null(Failure.of(error))

    def _note(self, call: TurnCall, digest: str, observation: Observation) -> ToolAnswer:
        ended = self.session.ended
        if call.call_id:
            self._answered.setdefault(call.call_id, _Answered(digest, observation, ended))
        return tool_answer(observation, ended)

    def _check_ids(self, calls: Sequence[TurnCall], digests: Sequence[str]) -> None:
        within: dict[str, str] = {}
        for call, digest in zip(calls, digests, strict=True):
            known = self._answered.get(call.call_id)
            before = known.digest if known else within.setdefault(call.call_id, digest)
            if call.call_id and before != digest:
                raise CallConflict(f"call {call.call_id!r} was another call before; a new call has a new id")

    def _need_sound(self) -> None:
        if self.failure:
            raise EnvironmentFailed(self.failure.reason, self.failure.kind)

    def _need_going(self) -> None:
        if self.session.ended:
            raise EpisodeEnded(f"the episode has ended ({self.session.ended}); the call was not made")


def _check_grader(name: str) -> None:
    try:
        plugin_address("graders", name)
    except UnknownPlugin as error:
        raise BadRequest(f"skip: {error}") from error
