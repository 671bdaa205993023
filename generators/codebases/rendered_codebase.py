"""Renders the template of a code base into the files of an author's `repos/<service>/`."""

import keyword
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final

from brownout.core.seeds import Stream
from brownout.core.vocabulary import near
from brownout.store.git.differences import patch_text
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.trees import write_changes
from generators.codebases.authors import Author
from generators.codebases.commit_times import Timing, timetable
from generators.codebases.nouns import Nouns, snake_case
from generators.codebases.series_text import SeriesChange, series_text
from generators.codebases.template_files import CommitEntry
from generators.codebases.templates import CodebaseError, CodebaseTemplate, read_template

__all__ = ["Bug", "Codebase", "render_codebase"]

_REVIEWERS: Final = ("lead", "engineer", "junior")
_ROLES: Final = (*_REVIEWERS, "product")


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug that the code base has, or that its template could have had.

    Attributes:
        commit: the title of the pull that brought it, or the right version of the same change.
        author: the key of whom that pull is by.
        landed: when it was merged.
        symptom: what customers say, each text another customer's.
        engineer: what an engineer's ticket says.
        module: the file that holds it.
        is_active: whether main has it.
        fixed: path -> whole text of the files that mend it, with a test that fails without them; empty unless active.
        hidden_test: its path below `repos/<service>/`; empty unless active.
        wrong, right: what it comes to with the bug and without, in an example.
    """

    commit: str
    author: str
    landed: datetime
    symptom: tuple[str, ...]
    engineer: str
    module: str
    is_active: bool
    fixed: Mapping[str, str]
    hidden_test: str
    wrong: str
    right: str


@dataclass(frozen=True, slots=True)
class Codebase:
    """A rendered code base.

    Attributes:
        package: the name of its Python package.
        files: path below `repos/<service>/` -> text: series.yaml, patches/, hidden/.
        bugs: by name; one of them is active.
        head: the checkout after the last commit, path -> content.
    """

    package: str
    files: Mapping[str, str]
    bugs: Mapping[str, Bug]
    head: Mapping[str, bytes]


def render_codebase(
    name: str,
    nouns: Nouns,
    service: str,
    authors: Mapping[str, Author],
    first: datetime,
    until: datetime,
    seed: int,
    *,
    bug: str,
    beat: str = "",
    lands: datetime | None = None,
) -> Codebase:
    """A code base in the words of a trade, with one of its bugs on main.

    Args:
        name: of the template, such as `booking`.
        nouns: of the trade.
        service: the repository's name; its package is called like it.
        authors: by role: lead, engineer and junior, three people, and product.
        first: when the history begins, in the world's zone: times are written in it.
        until: nothing lands later. The history takes at least some forty days, more where people are away for weeks.
        seed: of minutes, and of which harmless change comes when.
        bug: which bug main has, one of `codebase_bugs(name)`.
        beat: the storyline's beat that the change with the bug is.
        lands: when that change is merged, or on an earlier day where people are away; `landed` of the bug says when it was.
            Without it, late in the history.

    Raises:
        CodebaseError: there is no such template or bug, the span is too short, or the authors are not enough.

    Example:
        >>> made = render_codebase("booking", nouns, "slots", authors, first, until, 3, bug="one-offer")
        >>> made.bugs["one-offer"].commit
        'Simplify the waiting list'
    """
    template = read_template(name)
    if bug not in template.bugs:
        raise CodebaseError(f"{name} has no bug {bug!r}{near(bug, template.bugs)}; it has {', '.join(template.bugs)}")
    _check_authors(authors)
    if first.tzinfo is None or until.tzinfo is None or not first < until:
        raise CodebaseError(f"expected two moments with a zone, the first before the second, found {first}, {until}")
    stream = Stream(seed, "codebase", name, service)
    entries = _in_turn(template, stream.child("turns"))
    step = next(entry.step for entry in entries if entry.bug == bug)
    times = timetable(entries, authors, first, until, stream.child("times"), (step, lands) if lands else None)
    return _Rendering(template, nouns, service, authors, entries, times, bug).codebase(beat)


def _check_authors(authors: Mapping[str, Author]) -> None:
    missing = [role for role in _ROLES if role not in authors]
    if missing:
        raise CodebaseError(f"authors: expected somebody as {', '.join(missing)}")
    if len({authors[role].key for role in _REVIEWERS}) < len(_REVIEWERS):
        raise CodebaseError(f"authors: expected three people as {', '.join(_REVIEWERS)}, for they review each other")


def _in_turn(template: CodebaseTemplate, stream: Stream) -> list[CommitEntry]:
    """The entries with those that bring a bug, or look as if they could, in a drawn sequence."""
    entries = list(template.history.entries)
    places = [place for place, entry in enumerate(entries) if entry.bug]
    for place, entry in zip(places, stream.shuffled([entries[place] for place in places]), strict=True):
        entries[place] = entry.model_copy(update={"at": template.history.entries[place].at})
    return entries


@dataclass(frozen=True, slots=True)
class _Rendering:
    """One code base on its way from a template."""

    template: CodebaseTemplate
    nouns: Nouns
    service: str
    authors: Mapping[str, Author]
    entries: list[CommitEntry]
    times: Mapping[str, Timing]
    bug: str

    def codebase(self, beat: str) -> Codebase:
        """All of it."""
        files, head = self._history(beat)
        bugs = {name: self._bug(name, head) for name in self.template.bugs}
        active = self.template.bugs[self.bug]
        files[f"hidden/{active.hidden}"] = self.template.hidden(active.hidden, self._context(self._all_steps()))
        harness = "\n".join(f"- {self._text(path)}" for path in self.template.history.harness)
        files["hidden/harness.yaml"] = f"# Through which hidden tests enter the code.\n{harness}\n"
        landed = bugs[self.bug].landed
        files["hidden/verdicts.yaml"] = f'{active.hidden}: {{fails: {{from: "{landed:%Y-%m-%d %H:%M}"}}}}\n'
        return Codebase(self._package, files, bugs, head)

    @property
    def _package(self) -> str:
        """The package's name: the service's, with another end where Python or the standard library has it."""
        name = snake_case(self.service)
        taken = keyword.iskeyword(name) or name in sys.stdlib_module_names or not name.isidentifier()
        return f"{name}_service" if taken else name

    def _history(self, beat: str) -> tuple[dict[str, str], dict[str, bytes]]:
        """The series with its patches, and the files after the last."""
        draft = DraftObjects(None, self.service)
        files: dict[str, str] = {}
        changes: list[SeriesChange] = []
        state: dict[str, bytes] = {}
        trees = [write_changes(draft, None, state)]
        landed: list[str] = []
        tests = 0
        for number, entry in enumerate(self.entries, start=1):
            trees = [trees[-1]]
            for step in entry.steps:
                landed.append(step)
                state = self.template.files(self._context(landed))
                trees.append(write_changes(draft, None, state))
                if trees[-1] == trees[-2]:
                    raise CodebaseError(f"{self.template.name}: the step {step} changes no file")
            names = [f"{number:04}-{step.replace('_', '-')}.patch" for step in entry.steps]
            files[f"patches/{names[0]}"] = patch_text(draft, None, trees[0], trees[-1])
            if entry.fixups:
                for name, (old, new) in zip(names, pairwise(trees), strict=True):
                    files[f"patches/drafts/{name}"] = patch_text(draft, None, old, new)
            changes.append(
                SeriesChange(self._worded(entry), tuple(names), tuple(trees[1:]), tests, self.times[entry.step])
            )
            tests += entry.tests + sum(fixup.tests for fixup in entry.fixups)
        beats = {entry.step: beat for entry in self.entries if beat and entry.bug == self.bug}
        title = f"The history of {self.service}, oldest first. Patches are in patches/."
        files["series.yaml"] = series_text(title, changes, self.authors, beats)
        return files, state

    def _bug(self, name: str, head: Mapping[str, bytes]) -> Bug:
        text = self.template.bugs[name]
        entry = next(entry for entry in self.entries if entry.bug == name)
        is_active = name == self.bug
        fixed: dict[str, str] = {}
        if is_active:
            mended = self.template.files(self._context(self._all_steps(), mended=True))
            fixed = {path: data.decode() for path, data in mended.items() if head.get(path) != data}
        return Bug(
            commit=self._text(entry.message),
            author=self.authors[entry.who].key,
            landed=self.times[entry.step].landed,
            symptom=tuple(self._text(said) for said in text.symptom),
            engineer=self._text(text.engineer).strip(),
            module=self._text(text.module),
            is_active=is_active,
            fixed=fixed,
            hidden_test=f"hidden/{text.hidden}" if is_active else "",
            wrong=self._text(text.wrong),
            right=self._text(text.right),
        )

    def _worded(self, entry: CommitEntry) -> CommitEntry:
        """The entry with its texts in the words of the trade."""
        texts = {name: self._text(getattr(entry, name)) for name in ("message", "body", "description")}
        comments = [
            said.model_copy(update={"text": self._text(said.text), "path": self._text(said.path)})
            for said in entry.comments
        ]
        fixups = [fixup.model_copy(update={"message": self._text(fixup.message)}) for fixup in entry.fixups]
        return entry.model_copy(update={**texts, "comments": comments, "fixups": fixups})

    def _text(self, source: str) -> str:
        return self.template.text(source, self._context([]))

    def _all_steps(self) -> list[str]:
        return [step for entry in self.entries for step in entry.steps]

    def _context(self, landed: Collection[str], *, mended: bool = False) -> dict[str, object]:
        """What templates may ask for.

        Args:
            landed: the steps that have been made.
            mended: the active bug is put right, with a test.
        """
        return {
            **self.nouns.context(),
            "pkg": self._package,
            "service": self.service,
            "who": {role: author.first_name for role, author in self.authors.items()},
            "at": {step: step in landed for step in self._all_steps()},
            "wrong": {snake_case(bug): bug == self.bug and not mended for bug in self.template.bugs},
            "mended": {snake_case(bug): bug == self.bug and mended for bug in self.template.bugs},
            "date": self._date,
            "day": self._day,
        }

    def _date(self, step: str) -> str:
        """When a step landed: `2026-03-19`."""
        return f"{self._landed(step):%Y-%m-%d}"

    def _day(self, step: str) -> str:
        """When a step landed: `19 March`."""
        landed = self._landed(step)
        return f"{landed.day} {landed:%B}"

    def _landed(self, step: str) -> datetime:
        if step not in self.times:
            raise CodebaseError(f"{self.template.name}: no entry is called {step!r}{near(step, self.times)}")
        return self.times[step].landed
