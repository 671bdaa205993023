"""Reads `repos/<name>/series.yaml`: the history of a code base as patches, oldest first.

Main takes one after the other; those with `pull` come by a pull request. Everything is applied here, so that an author
hears of every name that is not there and of the first patch that does not fit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import Field, TypeAdapter

from brownout.core.errors import Mistake, Unknown
from brownout.core.instants import MINUTE, SECOND, Instant
from brownout.core.seeds import Stream
from brownout.core.strict_model import StrictModel
from brownout.core.vocabulary import near
from brownout.store.git import File, PatchError, apply_patch
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.trees import write_changes
from generators.drawn_seconds import Minutes
from worlds.expressions import ExpressionError, parse_moment
from worlds.spec import WorldSpec
from worlds.spec.line_marks import line_in
from worlds.spec.salvage import salvage
from worlds.spec.yaml_loading import BrokenText, load_yaml

__all__ = ["Checks", "CommitHistory", "HistoryEntry", "HistoryStep", "PullComment"]


class PullComment(StrictModel):
    """A comment on a pull; `path` is the file that it is about. One that `wants_changes` is a review that asks for them."""

    who: str
    at: str
    text: str
    path: str = ""
    wants_changes: bool = False


class Checks(StrictModel):
    """What the tests really came to on the pull's head, whose git tree is `tree`."""

    passed: int
    failed: int
    tree: str


class First(StrictModel):
    """What a pull was opened with, where that was not yet the whole of it."""

    patch: str
    checks: Checks | None = None


class Fixup(StrictModel):
    """A commit that was pushed to a pull's branch later; the last one makes it the whole."""

    at: str
    patch: str
    message: str
    checks: Checks | None = None


class HistoryEntry(StrictModel):
    """One patch: pushed to main at `at`, or opened as a pull before and merged then.

    Attributes:
        authored: when it was written, where that is to be some other time than shortly before; git's author date.
    """

    patch: str
    at: str
    who: str
    message: str
    body: str = ""
    beat: str = ""
    pull: str = ""
    branch: str = ""
    opened: str = ""
    authored: str = ""
    description: str = ""
    issue: str = ""
    review: str = ""
    method: Literal["squash", "merge", "rebase"] = "squash"
    comments: list[PullComment] = Field(default=[])
    first: First | None = None
    fixups: list[Fixup] = Field(default=[])
    checks: Checks | None = None

    @property
    def written(self) -> str:
        """The commit's message."""
        return f"{self.message}\n\n{self.body.strip()}\n" if self.body.strip() else f"{self.message}\n"


@dataclass(slots=True)
class HistoryStep:
    """Something that happens to a repository: a patch lands somewhere, or somebody says something about a pull.

    Attributes:
        place: the entry's in the series.
        number: of what is said or pushed later, from 1; 0 for an approval without words.
        patch: the file of the patch that lands.
        checks: what the tests came to on what it leaves.
        files, tree: what a patch leaves where it lands.
        authored, committed: the two dates of the commit that the step makes.
    """

    at: Instant
    kind: Literal["open", "push", "fixup", "merge", "comment", "review", "approve"]
    place: int
    entry: HistoryEntry
    who: str
    text: str = ""
    path: str = ""
    number: int = 0
    files: Mapping[str, File] = field(default_factory=dict)
    tree: str = ""
    authored: Instant = 0
    committed: Instant = 0
    patch: str = ""
    checks: Checks | None = None


_ORDER = ("merge", "push", "open", "fixup", "comment", "review", "approve")


class CommitHistory:
    """One series as steps in the order of their times, or what is wrong with it.

    Args:
        expects_checks: recorded results have to be those of the patches as they are.

    Attributes:
        steps: complete if there are no mistakes.
        mistakes: all that were found, with their lines.
    """

    def __init__(self, spec: WorldSpec, name: str, *, expects_checks: bool = True) -> None:
        self.spec, self.name, self.seed = spec, name, spec.world.generation.seed
        self.mistakes: list[Mistake] = []
        self._file = f"repos/{name}/series.yaml"
        self._tree: object = None
        self._minutes = Minutes(self.seed)
        entries = self._entries()
        self._patches = [entry.patch for entry in entries]
        found = [step for place, entry in enumerate(entries) for step in self._steps(place, entry)]
        self.steps = sorted(found, key=lambda step: (step.at, _ORDER.index(step.kind), step.place))
        if not self.mistakes:
            self._apply(expects_checks)

    def patch(self, step: HistoryStep) -> str:
        """The text of the patch that a step lands."""
        return self._file_of(step.patch or step.entry.patch).read_text("utf-8")

    def _file_of(self, patch: str) -> Path:
        return self.spec.root / "repos" / self.name / "patches" / patch

    def mistake(self, place: int, message: str) -> Mistake:
        """Something wrong with an entry."""
        return Mistake(self._file, line_in(self._tree, (place,)) or 1, message)

    def _entries(self) -> list[HistoryEntry]:
        try:
            self._tree = load_yaml((self.spec.root / self._file).read_bytes())
        except BrokenText as error:
            self.mistakes.append(Mistake(self._file, error.line, str(error)))
            return []
        found = salvage(TypeAdapter(list[HistoryEntry]), self._tree)
        for place, message in found.wrong:
            self._wrong(place, f"{place[-1] if place else 'series'}: {message}")
        return found.value or [] if not found.wrong else []

    def _steps(self, place: int, entry: HistoryEntry) -> Iterator[HistoryStep]:
        for word in ("who", "review"):
            self._check_person((place, word), getattr(entry, word))
        for patch in (entry.patch, *([entry.first.patch] if entry.first else ()), *(f.patch for f in entry.fixups)):
            if not self._file_of(patch).is_file():
                self._wrong((place, "patch"), f"patch: expected patches/{patch}, found no such file")
        if bool(entry.first) != bool(entry.fixups):
            self._wrong((place, "patch"), "fixups: expected `first`, what the pull was opened with, and what followed")
        beats = [beat for story in self.spec.storylines.values() for beat in story.beats]
        if entry.beat and entry.beat not in beats:
            text = f"beat: no storyline has a beat {entry.beat!r}{near(entry.beat, beats)}"
            self._wrong((place, "beat"), Unknown(text, name=entry.beat, kind="beat"))
        if not entry.pull:
            at = self._moment((place, "at"), entry.at)
            for word in ("branch", "opened", "review", "comments", "first", "fixups", "checks"):
                if getattr(entry, word):
                    self._wrong((place, word), f"{word}: only a patch with `pull` has this")
            yield self._dated(HistoryStep(at, "push", place, entry, entry.who))
            return
        opened = self._moment((place, "opened"), entry.opened)
        said = [*self._said(place, entry, opened)]
        at = self._moment((place, "at"), entry.at)
        if not entry.branch or opened >= at:
            self._wrong((place, "pull"), "pull: expected a branch, and `opened` before `at`")
        first = HistoryStep(opened, "open", place, entry, entry.who, checks=entry.checks)
        if entry.first:
            first.patch, first.checks = entry.first.patch, entry.first.checks
        yield self._dated(first)
        yield from self._fixed_up(place, entry, opened, at)
        yield from self._judged(place, entry, said, opened, at)
        yield HistoryStep(at, "merge", place, entry, entry.who)

    def _dated(self, step: HistoryStep) -> HistoryStep:
        """The step with its commit's dates: it is committed a while before it is seen, and often amended by then."""
        stream = Stream(self.seed, "repos", self.name, step.patch or step.entry.patch, step.kind, "commit")
        waits, amends = ((40, 720), 45) if step.kind == "open" else ((8, 110), 22)
        step.committed = step.at - stream.between(*waits) * SECOND
        step.authored = step.committed
        if stream.chance(amends):
            step.authored -= stream.between(3 * 60, 55 * 60) * SECOND
        if step.entry.authored and step.kind != "fixup":
            step.authored = self._moment((step.place, "authored"), step.entry.authored)
            if step.authored > step.committed:
                self._wrong((step.place, "authored"), f"authored: {step.entry.authored} is after it was there")
        return step

    def _fixed_up(self, place: int, entry: HistoryEntry, opened: Instant, at: Instant) -> Iterator[HistoryStep]:
        """What is pushed to a pull's branch while it is open."""
        for number, fixup in enumerate(entry.fixups):
            when = self._moment((place, "fixups", number, "at"), fixup.at)
            if not opened < when < at:
                self._wrong((place, "fixups", number, "at"), f"at: {fixup.at} is not while the pull is open")
            checks = entry.checks if number == len(entry.fixups) - 1 else fixup.checks
            step = HistoryStep(when, "fixup", place, entry, entry.who, fixup.message, number=number + 1)
            step.patch, step.checks = fixup.patch, checks
            yield self._dated(step)

    def _said(self, place: int, entry: HistoryEntry, opened: Instant) -> Iterator[HistoryStep]:
        """The comments on a pull."""
        for number, remark in enumerate(entry.comments):
            self._check_person((place, "comments", number, "who"), remark.who)
            when = self._moment((place, "comments", number, "at"), remark.at)
            if when < opened:
                self._wrong((place, "comments", number, "at"), f"at: {remark.at} is before the pull was opened")
            kind: Literal["review", "comment"] = "review" if remark.wants_changes else "comment"
            yield HistoryStep(when, kind, place, entry, remark.who, remark.text, remark.path, number + 1)

    def _judged(
        self, place: int, entry: HistoryEntry, said: list[HistoryStep], opened: Instant, at: Instant
    ) -> Iterator[HistoryStep]:
        """Comments; the reviewer's last word is the approval, if it is about the pull as a whole."""
        own = [step for step in said if step.who == entry.review and step.at <= at]
        if own and not own[-1].path and own[-1].kind == "comment":
            own[-1].kind = "approve"
        elif entry.review:
            since = own[-1].at if own else opened
            before = Stream(self.seed, "repos", self.name, entry.patch, "approved").between(3 * MINUTE, 25 * MINUTE)
            yield HistoryStep(at - min(before, (at - since) // 2), "approve", place, entry, entry.review)
        yield from said

    def _apply(self, expects_checks: bool) -> None:
        """Apply every patch where it lands, as far as they fit."""
        draft = DraftObjects(None, self.name)
        main: dict[str, File] = {}
        tree: str | None = None
        landed = 0
        branches: dict[int, HistoryStep] = {}
        for step in self.steps:
            if step.kind not in ("open", "push", "fixup", "merge"):
                continue
            step.committed = max(step.committed, landed) if step.committed else 0
            step.authored = min(step.authored, step.committed)
            base = branches.get(step.place) if step.kind == "fixup" else None
            files, under = (base.files, base.tree) if base else (main, tree)
            try:
                changes = apply_patch(files, self.patch(step))
            except PatchError as error:
                when = step.entry.opened if step.kind == "open" else step.entry.at
                where = f"the branch: {step.patch}" if base else f"main as of {when}"
                self._wrong((step.place, "patch"), f"patch: does not apply to {where}: {error}")
                return
            after = {path: file for path, file in {**files, **changes}.items() if file is not None}
            step.files, step.tree = after, write_changes(draft, under, changes)
            checks = step.checks
            if step.kind in ("push", "merge"):
                main, tree, landed = after, step.tree, step.committed or step.at
                continue
            branches[step.place] = step
            if expects_checks and checks is not None and checks.tree != step.tree:
                message = f"checks: recorded for tree {checks.tree}, but the patch gives {step.tree}; record them again"
                self._wrong((step.place, "checks"), message)

    def _moment(self, place: tuple[int | str, ...], text: str) -> Instant:
        try:
            found = parse_moment(text, self.spec.world.clock.zone)
        except ExpressionError as error:
            self._wrong(place, f"{place[-1]}: {error}")
            return 0
        if isinstance(found, int):
            return self._minutes.moment(found, "repos", self.name, self._patches[int(place[0])], *place[1:])
        self._wrong(place, f"{place[-1]}: expected a time such as 2026-03-19 14:22, found {text!r}")
        return 0

    def _check_person(self, place: tuple[int | str, ...], name: str) -> None:
        if name and name not in self.spec.people:
            text = f"{place[-1]}: nobody in people.yaml is called {name!r}{near(name, self.spec.people)}"
            self._wrong(place, Unknown(text, name=name, kind="person"))

    def _wrong(self, place: tuple[int | str, ...], message: str) -> None:
        self.mistakes.append(Mistake(self._file, line_in(self._tree, place) or 1, message))
