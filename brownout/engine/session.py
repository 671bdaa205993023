"""One private copy of a world running under one clock, with an agent in it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock
from typing import Protocol

import orjson
from pydantic import BaseModel

from brownout.core.arguments import read_arguments, suggestion
from brownout.core.blocking_steps import BlockingSteps, run_inline
from brownout.core.call_validation import UNREADABLE, admitted, admitted_text
from brownout.core.calls import Account, Notice, Observation, ToolCall
from brownout.core.errors import SessionBusy, SessionClosed, SessionError, StoreError
from brownout.core.grading import CallRecord, Grade, Said
from brownout.core.instants import HOUR, MINUTE, Instant, clock_text, duration_text
from brownout.core.plugins import load_plugin
from brownout.core.session_tools import SESSION_TOOLS, ListNotices, Submit, Wait
from brownout.core.trajectory import (
    TRAJECTORY_FORMAT,
    ClockEvent,
    Event,
    HeaderEvent,
    ReplyEvent,
    ResultEvent,
    SayEvent,
    StopEvent,
    ToolCallEvent,
)
from brownout.core.values import Json, JsonObject
from brownout.engine.company_assembly import company
from brownout.engine.coworkers.replies import reply_to
from brownout.engine.coworkers.timed_answers import overhear
from brownout.engine.end_state import EpisodeEnd
from brownout.engine.entities import entities_of
from brownout.engine.notices import last_id, latest, notices_text, take_notices
from brownout.engine.reading_hours import next_reading
from brownout.engine.session_state import State, load_state, save_state
from brownout.engine.shared_state import SharedState, tools_of
from brownout.engine.simulation import REFUSAL, CallAnswer
from brownout.engine.systems.triggers import watch_triggers
from brownout.engine.tables_before_outage import KeptPast
from brownout.engine.throwaway_company import Trial
from brownout.llm import JudgeSettings
from brownout.store import RowDifference, StoreSession
from worlds.findings import RECORD_FINDINGS, read_findings, shown
from worlds.package import Package, TaskRecord
from worlds.spec.models import Rubric

__all__ = ["Session"]


class _Grading(Protocol):
    def __call__(
        self, rubric: Rubric, end: EpisodeEnd, *, skip: frozenset[str], strict: bool, judge: JudgeSettings, seed: int
    ) -> BlockingSteps[Grade]: ...


class Session:
    """A session. Open one with `World.open_session` or `brownout.open_session`.

    It has one order of calls: whatever else is asked of it while a call is being made, from another thread or by a
    second task of an event loop, raises SessionBusy and changes nothing. Waiting instead would leave it to the threads
    which of two calls comes first, and the episode could not be played again.

    Attributes:
        events: what has happened since the start, where no sink was given.
        acts: the agent's calls with their answers.
        when_closed: called after the session was closed.
    """

    def __init__(
        self,
        shared: SharedState,
        task: TaskRecord,
        store: StoreSession,
        *,
        seed: int,
        sink: Callable[[Event], None] | None,
        origin: State | None = None,
    ) -> None:
        self.when_closed: Callable[[], None] | None = None
        self.setting = shared.setting
        self._stage = shared
        self.task = task
        self.seed = seed
        self.events: list[Event] = []
        self.acts: list[CallRecord] = []
        self.said: list[Said] = []
        self._answers: dict[str, Observation] = {}
        self._given: tuple[JsonObject, BaseModel | str | None] = {}, None
        self._sink = sink or self.events.append
        self._has_sink = sink is not None
        self._in_use = Lock()
        self._store = store
        loaded = origin or load_state(store.rows)
        if loaded is None:
            raise StoreError(f"{shared.package.folder} has no starting state; build the world again")
        if origin is None:
            loaded = replace(loaded, notices=last_id(store.rows), events=0, requests=0, chain="")
        self._origin = loaded
        self._begin(loaded.copy(), is_new=origin is None)
        store.before_swap = self._rest

    def _begin(self, state: State, *, is_new: bool) -> None:
        self._state = state
        self._past = KeptPast(self._store, self._rest)
        self.simulation = company(
            self.setting,
            lambda: self._store.rows,
            state,
            self._sink,
            plan=self._stage.plan,
            days=self._stage.days,
            seed=self.seed,
            past=self._past,
            proves=self._proves,
            requester=self.task.requester,
            prompt=self.task.prompt,
            contains=True,
        )
        if is_new:
            self.simulation.log(self._header)

    def _header(self, seq: int) -> HeaderEvent:
        manifest = self._stage.package.manifest
        return HeaderEvent(
            seq=seq,
            at=self._state.now,
            format=TRAJECTORY_FORMAT,
            world=manifest.world,
            package=manifest.digest,
            world_seed=manifest.seed,
            task=self.task.id,
            seed=self.seed,
            actor=self.task.actor,
            tools=self._stage.tools_digest,
            turn_cost=manifest.turn_cost,
            instructions=self._stage.texts.same(self.instructions),
        )

    # -- what the agent is told ---------------------------------------------------------------------------

    @property
    def instructions(self) -> str:
        """What the agent is asked, by whom, when, and as whom."""
        account, requester = self.actor, self.setting.people[self.task.requester].account
        now = clock_text(self.task.start, self.setting.zone)
        company_name = self._stage.package.manifest.company
        ends = "" if self.task.requester_replies else " Your first answer without a tool call ends the work."
        return (
            f"You are {account.name}, {account.role} at {company_name}. It is {now}. You work with the tools you are "
            f"given, under your own account in every product. Time passes while you work, people answer when they get "
            f"to it, and services can fail. You have {self.task.limit_calls} calls and {duration_text(self.task.limit_sim)} "
            f"of that time. When you are done, call submit.{ends}\n\n"
            f"{requester.name} ({requester.role}) asks:\n{self.task.prompt}"
        )

    @property
    def tools(self) -> list[JsonObject]:
        """Function tools: `{"name", "description", "input_schema"}` each."""
        return tools_of(self.setting, self.task)

    @property
    def package(self) -> Package:
        """The package that this is a session of."""
        return self._stage.package

    @property
    def actor(self) -> Account:
        """Whom the agent plays."""
        return self.setting.people[self.task.actor].account

    @property
    def now(self) -> Instant:
        """World time."""
        return self._state.now

    @property
    def notices(self) -> list[Notice]:
        """What has reached the agent so far, newest first."""
        with self._alone():
            return latest(self._store.rows, self.task.actor, 200, since=self.task.start)

    @property
    def ended(self) -> str:
        """Why the episode ended; empty while it goes on."""
        return self._state.ended

    # -- acting -------------------------------------------------------------------------------------------

    def call(self, name: str, arguments: JsonObject, *, call_id: str = "") -> Observation:
        """Make one call as a turn of its own.

        Raises:
            SessionClosed: the episode has ended.
            SessionBusy: another call is being made.
        """
        return self.turn([ToolCall(name, arguments, call_id)])[0]

    def turn(self, calls: Sequence[ToolCall]) -> list[Observation]:
        """Make the calls of one turn in their order; the turn itself costs its fixed time once.

        A call whose id was seen before is not made again: it gets the answer it got then.

        Raises:
            SessionClosed: the episode has ended.
            SessionBusy: another call is being made.
        """
        return run_inline(self.steps(calls))

    def steps(self, calls: Sequence[ToolCall]) -> BlockingSteps[list[Observation]]:
        """The calls of one turn as a generator: it yields work to be done outside (off an event loop, say) and is
        sent what that returned. `turn` does the work where it stands.
        """
        with self._alone():
            self._need_open()
            ready = [admitted(call) for call in calls]
            if any(call.call_id not in self._answers for call in calls):
                if any(self._is_read(call) for call in ready):
                    self._move(self.setting.turn_cost, "turn")
                self._state.turns += 1
            answers = []
            for call, fit in zip(calls, ready, strict=True):
                known = self._answers.get(call.call_id)
                answers.append(known if known is not None else (yield from self._one(call, fit)))
            return answers

    def _one(self, call: ToolCall, fit: ToolCall) -> BlockingSteps[Observation]:
        if self._state.ended:
            content = "The episode has ended; this call was not made."
            return Observation(call.call_id, call.name, True, content, "", self._state.now)
        state = self._state
        state.calls += 1
        named = fit if fit.call_id else ToolCall(fit.name, fit.arguments, self._free_id())
        at = state.now
        self.simulation.log(
            lambda seq: ToolCallEvent(
                seq=seq, at=at, call_id=named.call_id, name=named.name, arguments=named.arguments, turn=state.turns
            )
        )
        answer = yield from self._ask(named)
        with self.simulation.contained(f"who overhears {named.name}"):
            self._hear(named, answer)
        if not answer.is_error:
            watch_triggers(self.simulation, named.name, "called", state.now)
        if answer.cost:
            self.simulation.advance(state.now + answer.cost)
        observation = self._observe(named, answer)
        self._answers[named.call_id] = observation
        self.acts.append(CallRecord(named, observation, at))
        if not state.ended:
            self._check_limits()
        return observation

    def _is_read(self, call: ToolCall) -> bool:
        """Whether an admitted call names a tool, with arguments that it takes. A turn of others has cost its agent no work."""
        if self._records(call):
            return True
        operation = self.setting.operations.get(call.name)
        if operation is not None and self.task.offers(operation.name, operation.app):
            model, schema = operation.arguments, operation.schema
        elif call.name in SESSION_TOOLS:
            model, schema = SESSION_TOOLS[call.name]
        else:
            return False
        given = read_arguments(model, schema, call.arguments)
        self._given = call.arguments, given
        return not isinstance(given, str)

    def _records(self, call: ToolCall) -> bool:
        return call.name == RECORD_FINDINGS and bool(self.task.findings)

    def _free_id(self) -> str:
        """An id for a call that came without; the agent may have used that name itself."""
        number = self._state.calls
        while f"call-{number}" in self._answers:
            number += 1
        return f"call-{number}"

    def _ask(self, call: ToolCall) -> BlockingSteps[CallAnswer]:
        if call.name in SESSION_TOOLS or self._records(call):
            return self._own(call)
        operation = self.setting.operations.get(call.name)
        if operation is None or not self.task.offers(operation.name, operation.app):
            return CallAnswer(True, {"error": "unknown_tool", "message": self._no_tool(call.name)}, cost=REFUSAL)
        arguments, given = self._given
        known = given if arguments is call.arguments else None
        self._given = {}, None
        return (yield from self.simulation.request(operation, call.arguments, self.actor, given=known))

    def _no_tool(self, name: str) -> str:
        known = [str(tool["name"]) for tool in self.tools]
        return f"There is no tool called {name}{suggestion(name, known) or '.'}"

    def _own(self, call: ToolCall) -> CallAnswer:
        if UNREADABLE in call.arguments:
            message = f"The arguments cannot be read: {call.arguments[UNREADABLE]}."
            return CallAnswer(True, {"error": "invalid_arguments", "message": message})
        try:
            if call.name == RECORD_FINDINGS:
                return self._record(call)
            given = read_arguments(*SESSION_TOOLS[call.name], call.arguments)
            if isinstance(given, str):
                return CallAnswer(True, {"error": "invalid_arguments", "message": given}, cost=REFUSAL)
            return self._do(given)
        except Exception as error:
            self.simulation.note_defect(call.name, error)
            return CallAnswer(True, {"error": "internal_error", "message": "Something went wrong on our side."})

    def _record(self, call: ToolCall) -> CallAnswer:
        """Keep what the agent found; nothing of a call with a mistake in it is kept."""
        entities = entities_of(self.setting, self._store.rows, self._state.now)
        found, wrong = read_findings(self.task.findings, call.arguments, entities)
        if wrong:
            return CallAnswer(True, {"error": "invalid_arguments", "message": "; ".join(wrong)})
        for name, given in found.items():
            self._state.findings[name] = given.text, self._state.now
        fields = {field.name: field for field in self.task.findings}
        recorded: JsonObject = {name: shown(given, fields[name], entities) for name, given in found.items()}
        return CallAnswer(False, {"recorded": recorded})

    def _do(self, given: BaseModel) -> CallAnswer:
        if isinstance(given, Submit):
            self._state.answer = given.answer
            self._hear_text(given.answer, final=True)
            self._end("submit")
            return CallAnswer(False, {"ok": True})
        if isinstance(given, ListNotices):
            shown: list[Json] = [
                _notice_json(notice)
                for notice in latest(self._store.rows, self.task.actor, given.limit, since=self.task.start)
            ]
            return CallAnswer(False, {"notices": shown})
        assert isinstance(given, Wait)
        before = last_id(self._store.rows)
        has_come = (lambda: last_id(self._store.rows) > before) if given.until_notice else None
        left = max(0, self.task.start + self.task.limit_sim - self._state.now)
        self._move(min(given.minutes * MINUTE, left), "wait", stop=has_come)
        return CallAnswer(False, {"now": clock_text(self._state.now, self.setting.zone)})

    def say(self, text: str) -> Observation:
        """Say something to the requester without a tool call; where they do not reply, this ends the episode.

        Raises:
            SessionClosed: the episode has ended.
            SessionBusy: a call is being made.
        """
        with self._alone():
            self._need_open()
            return self._say(admitted_text(text))

    def _say(self, text: str) -> Observation:
        self._move(self.setting.turn_cost, "turn")
        self._state.turns += 1
        self._state.answer = text
        final = not self.task.requester_replies
        self._hear_text(text, final=final)
        if final:
            self._end("answer")
            return Observation("", "say", False, "", "", self._state.now)
        reply = self._requester_says(text)
        notices = take_notices(self._store.rows, self._state, self.task.actor)
        content = reply + notices_text(notices, self.setting.zone)
        now, told = self._state.now, tuple(notice.id for notice in notices)
        self.simulation.log(lambda seq: ReplyEvent(seq=seq, at=now, content=content, notices=told))
        self._check_limits()
        return Observation("", "say", False, content, "", self._state.now, notices=notices)

    def _requester_says(self, text: str) -> str:
        """The requester's answer, after the time it takes them to read and write it; they may be away."""
        requester = self.setting.people[self.task.requester]
        stream = self.simulation.stream("requester", self._state.turns)
        at = next_reading(requester, self._state.now, stream)
        if at is None or at - self._state.now > HOUR:
            self._move(MINUTE, "reply")
            return f"({requester.account.name} is away and does not answer.)"
        self._move(at - self._state.now, "reply")
        said = ""
        with self.simulation.contained("the requester's reply"):
            said = reply_to(self.simulation, requester, self.actor, text, stream).text
        return f"{requester.account.name}: {said}"

    def submit(self, text: str) -> None:
        """Hand in the answer and end the episode; the world runs on for the task's settling time.

        Raises:
            SessionError: the answer is too long; the episode goes on.
        """
        answer = self.call("submit", {"answer": text})
        if answer.is_error:
            raise SessionError(f"the answer was not accepted: {answer.content[:300]}")

    def stop(self, reason: str, detail: str = "") -> None:
        """End the episode because the agent does not go on; harmless where it has ended."""
        with self._alone():
            if not self._state.ended:
                self._end(reason, detail)

    # -- the end ------------------------------------------------------------------------------------------

    def grade(
        self, *, judge: JudgeSettings | None = None, skip: frozenset[str] = frozenset(), strict: bool = False
    ) -> Grade:
        """Judge the episode. It must have ended; grading changes nothing and can be repeated.

        Args:
            judge: who judges what only a reader can judge. Without, the answers recorded with the task count, and what
                they do not cover is left out.
            skip: graders to leave out as well. The grade names what is left out; it is neither earned nor possible.
            strict: the reward is null where something would be left out because nobody can read it.

        Raises:
            SessionClosed: it has not ended.
        """
        return run_inline(self.grading(judge=judge, skip=skip, strict=strict))

    def grading(
        self, *, judge: JudgeSettings | None = None, skip: frozenset[str] = frozenset(), strict: bool = False
    ) -> BlockingSteps[Grade]:
        """The steps of `grade`, for whoever asks the models' questions (`brownout.llm.Questions`) in another way.

        Raises:
            SessionClosed: the episode has not ended.
        """
        if not self._state.ended:
            raise SessionClosed("an episode is graded when it has ended; submit or stop first")
        grading: _Grading = load_plugin("grading", "rubric")  # type: ignore[assignment]
        package = self._stage.package
        settings = replace(judge or JudgeSettings(), given=package.judged(self.task.id))
        rubric = package.rubric(self.task.id)
        return self._alone_with(
            grading(rubric, self.end_state(), skip=skip, strict=strict, judge=settings, seed=self.seed)
        )

    def _alone_with(self, steps: BlockingSteps[Grade]) -> BlockingSteps[Grade]:
        with self._alone(), self._store.pinned(), self._past.pinned():  # graders read in threads of their own
            return (yield from steps)

    def end_state(self) -> EpisodeEnd:
        """What graders may see of the episode."""
        self.simulation.settle()
        return EpisodeEnd(
            world=self.setting,
            task=self.task,
            end_rows=lambda: self._store.rows,
            outages={outage.name: outage for outage in self._stage.package.outages},
            end=self._state.now,
            answer=self._state.answer,
            acts=tuple(self.acts),
            said=tuple(self.said),
            start_rows=self._past.start,
            findings=dict(self._state.findings),
            fork=self._store.fork,
        )

    def _end(self, reason: str, detail: str = "") -> None:
        self._state.ended = reason
        self.simulation.log(lambda seq: StopEvent(seq=seq, at=self._state.now, reason=reason, detail=detail))
        self._move(self.task.settle, "settle")

    def _check_limits(self) -> None:
        if self._state.calls >= self.task.limit_calls:
            self._end("calls", f"the limit of {self.task.limit_calls} calls")
        elif self._state.now - self.task.start >= self.task.limit_sim:
            self._end("sim", "the task's world time is over")

    # -- copies -------------------------------------------------------------------------------------------

    def fork(self) -> "Session":
        """An independent session that has come as far as this one."""
        with self._alone():
            self._rest()
            copy = self._store.fork()
        twin = Session(self._stage, self.task, copy, seed=self.seed, sink=None, origin=self._state)
        twin._origin = self._origin
        twin.events = [] if self._has_sink else list(self.events)
        twin._sink = twin.events.append
        twin.simulation.emit = twin._sink
        twin.acts, twin.said, twin._answers = list(self.acts), list(self.said), dict(self._answers)
        return twin

    def trial(self) -> Trial:
        """A copy of the company as it is now, to do things in that are nobody's episode; whoever asks for it closes it."""
        with self._alone():
            self._rest()
            return Trial(self._stage, self._store.fork(), self._state.copy())

    def reset(self) -> None:
        """Back to the task's start, as if nothing had been done."""
        with self._alone():
            self._past.close()
            self._store.reset()
            self.events.clear()
            self.acts.clear()
            self.said.clear()
            self._answers.clear()
            self._begin(self._origin.copy(), is_new=True)

    def diff(self) -> list[RowDifference]:
        """Every row that differs from the start, in one order."""
        with self._alone():
            self._rest()
            return self._store.diff()

    def digest(self) -> str:
        """Digest of the whole session; equal for equal states whatever led to them."""
        with self._alone():
            self._rest()
            return self._store.digest()

    def close(self) -> None:
        """Give the session's storage back; a second close is harmless."""
        self._past.close()
        self._store.close()
        if self.when_closed is not None:
            self.when_closed()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- inner --------------------------------------------------------------------------------------------

    def _alone(self) -> "_Alone":
        """Nothing else may be asked of the session meanwhile."""
        return _Alone(self._in_use)

    def _need_open(self) -> None:
        if self._state.ended:
            raise SessionClosed(f"the episode has ended ({self._state.ended}); reset or open another session")
        if self._store.is_closed:
            raise SessionClosed("this session was closed")

    def _proves(self, service: str, commit: str, test: str) -> bool:
        with self._store.pinned():  # whoever asks goes on with the rows that they have
            return self._stage.proofs.proves(lambda: self._store.rows, service, commit, test, self._past.start)

    def _rest(self) -> None:
        self.simulation.settle()
        save_state(self._store.rows, self._state)

    def _move(self, span: int, reason: str, *, stop: Callable[[], bool] | None = None) -> None:
        since = self._state.now
        self.simulation.advance(since + span, stop=stop)
        if reason != "turn":
            self.simulation.log(
                lambda seq: ClockEvent(seq=seq, at=self._state.now, since=since, reason=reason)  # type: ignore[arg-type]
            )

    def _hear(self, call: ToolCall, answer: CallAnswer) -> None:
        """Note what the agent said with a call."""
        operation = self.setting.operations.get(call.name)
        for place, effect in enumerate(answer.effects):
            name = self.setting.tables.get(effect.table)
            if place < len(answer.said) and operation is not None and name == operation.app:
                said = answer.said[place]
            else:
                said = self.setting.apps[name].utterance(self._store.rows, effect) if name else None
            if name and said is not None:
                heard = Said(said.text, said.path, said.to - {self.task.actor}, self._state.now, name, call.call_id)
                self.said.append(heard)
                overhear(self.simulation, heard)

    def _hear_text(self, text: str, *, final: bool) -> None:
        self.simulation.log(lambda seq: SayEvent(seq=seq, at=self._state.now, text=text, final=final))
        self.said.append(Said(text, "answer", frozenset({self.task.requester}), self._state.now, ""))

    def _observe(self, call: ToolCall, answer: CallAnswer) -> Observation:
        notices = take_notices(self._store.rows, self._state, self.task.actor)
        body = self._stage.texts.same(orjson.dumps(answer.value).decode())
        content = body + notices_text(notices, self.setting.zone) if notices else body
        now = self._state.now
        self.simulation.log(
            lambda seq: ResultEvent(
                seq=seq,
                at=now,
                call_id=call.call_id,
                is_error=answer.is_error,
                content=content,
                body=body,
                effects=answer.effects,
                notices=tuple(notice.id for notice in notices),
                fault=answer.fault,
                state=self._state.chain,
            )
        )
        return Observation(
            call.call_id, call.name, answer.is_error, content, body, now, answer.cost, answer.effects, notices,
            answer.fault,
        )  # fmt: skip


class _Alone:
    """A block in which a session's lock is held, which nobody waits for."""

    __slots__ = ("_lock",)

    def __init__(self, lock: Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise SessionBusy("a call to this session is being made; wait for its answer, or fork the session")

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _notice_json(notice: Notice) -> JsonObject:
    return {"at": notice.at // 1_000_000, "app": notice.app, "kind": notice.kind, "text": notice.text}
