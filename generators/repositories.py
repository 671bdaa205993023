"""Code bases: the part of a series before the calendar becomes a git repository, the part inside it intents."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from brownout.core.app_roles import KeepsRepositories
from brownout.core.apps import Intent, IntentKind
from brownout.core.errors import AfterTheEnd, AuthoringError, Mistake
from brownout.core.instants import Instant, clock_text, local
from brownout.core.values import Json, JsonObject, digest_of
from brownout.store.git import NewCommit, Signature, create_repository
from generators.commit_history import CommitHistory, HistoryEntry, HistoryStep
from generators.planned_intents import Planned
from generators.ticket_closing import Landing, plan_tickets
from generators.timetable import Timetable
from worlds.attendance import attendance_of
from worlds.expressions import parse_moment
from worlds.spec import WorldSpec
from worlds.spec.apps import app_with

__all__ = [
    "PullHead",
    "RepositoryPlan",
    "code_bases",
    "landing_mistakes",
    "plan_repositories",
    "pull_heads",
    "repository_mistakes",
]

_MAIN = "main"


@dataclass(frozen=True, slots=True)
class RepositoryPlan:
    """What is made of an author's code bases.

    Attributes:
        settings: for the app that keeps them: what the author set, and the history before the calendar.
        intents: what happens inside the calendar, in the order of its times.
        beats: where the intent that a storyline's beat stands for is in `intents`; one before the calendar is in none.
        heads: the commit on each default branch when the calendar begins, by repository.
        digests: of each repository written, by its path in the package.
        landed: when the newest of the commits before the calendar reached its default branch, by repository.
        landings: when the work of each pull, commit or beat reached the default branch, and who did it.
        titles: of its commits and pulls, by repository.
    """

    settings: JsonObject
    intents: list[Planned]
    beats: Mapping[str, int]
    heads: Mapping[str, str]
    digests: Mapping[str, str]
    landed: Mapping[str, Instant] = field(default_factory=dict)
    landings: Mapping[str, Landing] = field(default_factory=dict)
    titles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PullHead:
    """The files of a pull's head as it was opened; `patch` names the entry, `tree` is the files' git id."""

    patch: str
    tree: str
    files: Mapping[str, bytes]


def plan_repositories(
    spec: WorldSpec, folder: Path, histories: Sequence[CommitHistory] | None = None
) -> RepositoryPlan:
    """The plan of every code base of a world, whose repositories are written below `<folder>/repos`.

    Args:
        histories: of every code base, as `code_bases` reads them; None has them read.

    Raises:
        AuthoringError: a series cannot be read, names somebody unknown, or has a patch that does not apply.
    """
    if not _keeper(spec):
        return RepositoryPlan({}, [], {}, {}, {})
    every = code_bases(spec) if histories is None else histories
    mistakes = _mistakes(spec, every)
    if mistakes:
        raise AuthoringError(mistakes)
    declared = _declared(spec)
    built = [_built(spec, series, folder, declared.get(series.name, {})) for series in every]
    intents = sorted((plan for part in built for plan in part.intents), key=lambda plan: (plan.at, plan.intent.key))
    return RepositoryPlan(
        settings={"repositories": {part.name: part.settings for part in built}},
        intents=intents,
        beats={plan.intent.key: n for n, plan in enumerate(intents) if plan.intent.key == plan.intent.thing},
        heads={part.name: part.head for part in built},
        digests={f"repos/{part.name}.git": part.digest for part in built},
        landed={series.name: max(_landed(series, _calendar(spec)[0])) for series in every},
        landings={name: landing for series in every for name, landing in _landings(series)},
        titles={series.name: _titles(series) for series in every},
    )


def _keeper(spec: WorldSpec) -> str:
    """The app that keeps the world's repositories; empty where none does."""
    return app_with(KeepsRepositories, spec.world.apps)


def _titles(series: CommitHistory) -> tuple[str, ...]:
    entries = [step.entry for step in series.steps]
    return tuple(dict.fromkeys(title for entry in entries for title in (entry.message, entry.pull) if title))


def code_bases(spec: WorldSpec) -> list[CommitHistory]:
    """The history of every code base of a world, as far as it can be read."""
    if not _keeper(spec):
        return []
    return [CommitHistory(spec, name) for name in _series_names(spec)]


def repository_mistakes(spec: WorldSpec, every: Sequence[CommitHistory]) -> list[Mistake]:
    """What is wrong with a world's code bases, as far as it shows before they are written."""
    return _mistakes(spec, every) if _keeper(spec) else []


def landing_mistakes(spec: WorldSpec, every: Sequence[CommitHistory], times: Timetable) -> list[Mistake]:
    """Tickets that are closed by work that there is none of; only where all code bases can be read."""
    if any(series.mistakes for series in every):
        return []
    try:
        plan_tickets(spec, times, {name: landing for series in every for name, landing in _landings(series)})
    except AuthoringError as error:
        return [*error.mistakes]
    return []


def pull_heads(spec: WorldSpec, name: str) -> list[PullHead]:
    """The heads of a code base's pulls, so that their tests can be run and the results recorded as `checks`.

    Raises:
        AuthoringError: the series cannot be read. Results recorded for other files do not matter here.
    """
    series = CommitHistory(spec, name, expects_checks=False)
    if series.mistakes:
        raise AuthoringError(series.mistakes)
    return [
        PullHead(step.entry.patch, step.tree, {path: file.data for path, file in step.files.items()})
        for step in series.steps
        if step.kind == "open"
    ]


def _landed(series: CommitHistory, until: Instant) -> Iterator[Instant]:
    return (step.at for step in series.steps if step.kind in ("push", "merge") and step.at < until)


def _landings(series: CommitHistory) -> Iterator[tuple[str, Landing]]:
    opened = {step.place: step.at for step in series.steps if step.kind == "open"}
    for step in series.steps:
        if step.kind in ("push", "merge"):
            landing = Landing(step.entry.who, step.at, opened.get(step.place))
            yield _thing(series.name, step.entry), landing
            if step.entry.beat:
                yield step.entry.beat, landing


def _series_names(spec: WorldSpec) -> list[str]:
    return sorted(path.parent.name for path in (spec.root / "repos").glob("*/series.yaml"))


def _mistakes(spec: WorldSpec, every: Sequence[CommitHistory]) -> list[Mistake]:
    found = [mistake for series in every for mistake in [*series.mistakes, *_calendar_mistakes(spec, series)]]
    declared = _declared(spec)
    for name in sorted(declared.keys() - {series.name for series in every}):
        message = f"apps.{_keeper(spec)}.repositories.{name}: expected repos/{name}/series.yaml, found none"
        found.append(Mistake("world.yaml", _line_of(spec, name), message))
    for name, given in declared.items():
        if given.get("default_branch", _MAIN) != _MAIN:
            message = f"apps.{_keeper(spec)}.repositories.{name}.default_branch: a series is of {_MAIN}"
            found.append(Mistake("world.yaml", _line_of(spec, name), message))
    return found


def _line_of(spec: WorldSpec, repository: str) -> int:
    return spec.line("world.yaml", "apps", _keeper(spec), "repositories", repository)


def _declared(spec: WorldSpec) -> dict[str, JsonObject]:
    """What the author set for each repository."""
    found = spec.world.apps[_keeper(spec)].get("repositories", {})
    given = found if isinstance(found, dict) else {}
    return {name: dict(settings) if isinstance(settings, dict) else {} for name, settings in given.items()}


def _calendar(spec: WorldSpec) -> tuple[Instant, Instant]:
    first, last = (
        parse_moment(text, spec.world.clock.zone) for text in (spec.world.clock.start, spec.world.clock.until)
    )
    assert isinstance(first, int)
    assert isinstance(last, int)
    return first, last


def _calendar_mistakes(spec: WorldSpec, series: CommitHistory) -> list[Mistake]:
    first, last = _calendar(spec)
    if series.mistakes:
        return []
    if not series.steps or series.steps[0].at >= first:
        return [series.mistake(0, "at: expected the first patch before the calendar, so that there is something")]
    zone = spec.world.clock.zone
    ends = f"{clock_text(last, zone)} (world.yaml:{spec.line('world.yaml', 'clock', 'until')})"
    late = [
        series.mistake(
            s.place,
            AfterTheEnd(f"at: a {s.kind} is after the calendar's end, {ends}; found {clock_text(s.at, zone)}"),
        )
        for s in series.steps
        if s.at >= last
    ]
    away = [
        series.mistake(s.place, f"who: {s.who} is away on {clock_text(s.at, zone)} ({s.kind}); see people.yaml")
        for s in series.steps
        if s.who in spec.people and attendance_of(spec.people[s.who], zone).is_away(s.at)
    ]
    return [*late, *away]


# -- one code base ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _CodeBaseHistory:
    """One code base: the settings that hold its past, and its future as intents."""

    name: str
    settings: JsonObject
    intents: list[Planned]
    head: str
    digest: str


def _built(spec: WorldSpec, series: CommitHistory, folder: Path, declared: JsonObject) -> _CodeBaseHistory:
    first, _ = _calendar(spec)
    owner = str(declared.get("owner") or spec.world.company.account)
    past = _Past(spec, series, owner)
    for step in series.steps:
        if step.at < first:
            past.take(step)
    made = create_repository(
        folder / "repos" / f"{series.name}.git", past.history, refs=past.refs(), gone=frozenset(past.gone)
    )
    services = _services(spec, series.name, f"{owner}/{series.name}")
    settings: JsonObject = {
        "description": spec.services[services[0]].says if services else "",
        **declared,
        "owner": owner,
        "services": declared.get("services", [*services]) if "ops" in spec.world.apps else [],
        "zone": spec.world.clock.zone,
        "created": series.steps[0].at,
        "refs": dict(made.refs),
        "names": {name: made.commits[place] for name, place in past.named.items()},
        "pulls": past.pulls(made.commits),
    }
    future = [_planned(series, step, f"{owner}/{series.name}") for step in series.steps if step.at >= first]
    digest = digest_of(*(f"{name}={target}" for name, target in sorted(made.refs.items())))
    return _CodeBaseHistory(series.name, settings, future, made.refs[f"refs/heads/{_MAIN}"], digest)


def _services(spec: WorldSpec, name: str, full_name: str) -> list[str]:
    """The services that are deployed from a repository: those that name it, else the one that is called like it."""
    named = [service for service, declared in spec.services.items() if declared.repo in (name, full_name)]
    return named or [service for service in spec.services if service == name and not spec.services[service].repo]


# -- before the calendar ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Pull:
    """A pull on its way through the past; commits by their place in the history."""

    number: int
    entry: HistoryEntry
    settings: JsonObject
    head: int
    before: int
    merged: int | None = None


@dataclass(slots=True)
class _Past:
    """A history for the repository, and the pulls that were opened in it."""

    spec: WorldSpec
    series: CommitHistory
    owner: str
    history: list[NewCommit] = field(default_factory=list)
    tip: int = -1
    opened: dict[int, _Pull] = field(default_factory=dict)
    named: dict[str, int] = field(default_factory=dict)

    def take(self, step: HistoryStep) -> None:
        """What a step leaves behind."""
        match step.kind:
            case "push":
                self.tip = self._commit(step, step.entry.written, patch=self.series.patch(step))
                self.named[_thing(self.series.name, step.entry)] = self.tip
            case "open":
                self._open(step)
            case "merge":
                self._merge(step, self.opened[step.place])
            case "fixup":
                pull = self.opened[step.place]
                pull.head = self._commit(
                    step, f"{step.text}\n", patch=self.series.patch(step), branch=step.entry.branch
                )
                self._check(pull.settings, step)
            case "comment" | "review" | "approve":
                remark: JsonObject = {"who": step.who, "at": step.at, "text": step.text, "path": step.path}
                if step.kind != "comment":
                    remark["state"] = "APPROVED" if step.kind == "approve" else "CHANGES_REQUESTED"
                remarks = self.opened[step.place].settings["remarks"]
                assert isinstance(remarks, list)
                remarks.append(remark)

    def refs(self) -> dict[str, int]:
        """The refs that keep the heads of pulls."""
        return {f"refs/pull/{pull.number}/head": pull.head for pull in self.opened.values()}

    @property
    def gone(self) -> list[str]:
        """The branches of merged pulls, which nobody keeps."""
        needed = {pull.entry.branch for pull in self.opened.values() if pull.merged is None}
        return [pull.entry.branch for pull in self.opened.values() if pull.entry.branch not in needed]

    def pulls(self, commits: tuple[str, ...]) -> list[Json]:
        """The pulls as settings, now that commits have ids."""
        found: list[Json] = []
        for pull in self.opened.values():
            settings = {**pull.settings, "head_sha": commits[pull.head], "base_sha": commits[pull.before]}
            merged = pull.settings.get("merged")
            if pull.merged is not None and isinstance(merged, dict):
                settings["merged"] = {**merged, "sha": commits[pull.merged], "before": commits[pull.before]}
            found.append(settings)
        return found

    def _open(self, step: HistoryStep) -> None:
        entry = step.entry
        head = self._commit(step, entry.written, patch=self.series.patch(step), branch=entry.branch, parents=(_MAIN,))
        settings: JsonObject = {
            "thing": _thing(self.series.name, entry),
            "who": step.who,
            "at": step.at,
            "title": entry.pull,
            "body": entry.description.strip(),
            "head": entry.branch,
            "base": _MAIN,
            "reviewers": [entry.review] if entry.review else [],
            "remarks": [],
        }
        self._check(settings, step)
        self.opened[step.place] = _Pull(len(self.opened) + 1, entry, settings, head, self.tip)

    def _check(self, settings: JsonObject, step: HistoryStep) -> None:
        if step.checks is not None:
            settings["checks"] = {"passed": step.checks.passed, "failed": step.checks.failed}

    def _merge(self, step: HistoryStep, pull: _Pull) -> None:
        """The commit that GitHub makes of a pull; one with two parents is merged by git."""
        entry = step.entry
        pull.before = self.tip
        if entry.method == "merge":
            message = f"Merge pull request #{pull.number} from {self.owner}/{entry.branch}\n\n{entry.pull}\n"
            self.tip = self._commit(step, message, parents=(_MAIN, pull.head))
        else:
            subject, rest = entry.written.split("\n", 1)
            message = f"{subject} (#{pull.number})\n{rest}" if entry.method == "squash" else entry.written
            self.tip = self._commit(step, message, patch=self.series.patch(step))
        pull.merged = self.tip
        if entry.beat:
            self.named[entry.beat] = self.tip
        pull.settings["merged"] = {"who": step.who, "at": step.at}

    def _commit(
        self,
        step: HistoryStep,
        message: str,
        *,
        patch: str | None = None,
        branch: str = _MAIN,
        parents: tuple[str | int, ...] | None = None,
    ) -> int:
        """The place of a new commit in the history."""
        author, committer = (self._signed(step.who, at or step.at) for at in (step.authored, step.committed))
        self.history.append(NewCommit(message, author, committer, branch=branch, parents=parents, patch=patch))
        return len(self.history) - 1

    def _signed(self, who: str, at: Instant) -> Signature:
        person = self.spec.people[who]
        offset = local(at, person.zone or self.spec.world.clock.zone).utcoffset()
        email = f"{who}@{self.spec.world.company.domain}"
        return Signature(person.name, email, at // 1_000_000, int(offset.total_seconds()) // 60 if offset else 0)


# -- inside the calendar ------------------------------------------------------------------------------------


def _planned(series: CommitHistory, step: HistoryStep, repo: str) -> Planned:
    """A step as what somebody wants done."""
    entry = step.entry
    stem = f"repos/{series.name}/{entry.patch.removesuffix('.patch')}"
    thing = entry.beat if step.kind == "merge" else _thing(series.name, entry)
    kind: IntentKind = "push" if step.kind == "fixup" else step.kind
    key = entry.beat if entry.beat and step.kind in ("push", "merge") else f"{stem}/{kind}"
    if step.number:
        key += f"-{step.number}"
    details: JsonObject = {}
    subject = text = ""
    match kind:
        case "open":
            subject, text = entry.pull, entry.description.strip()
            details = {"repo": repo, "branch": entry.branch, "patch": series.patch(step), "message": entry.written}
            details |= {"reviewers": [entry.review] if entry.review else [], "issue": entry.issue}
            details["checks"] = step.checks.model_dump() if step.checks else None
            details |= {"authored": step.authored, "committed": step.committed}
        case "push" if step.kind == "fixup":
            subject, thing = step.text, f"{thing}/{step.number}"
            details = {"repo": repo, "branch": entry.branch, "patch": series.patch(step), "message": step.text}
            details |= {"authored": step.authored, "committed": step.committed}
            details["checks"] = step.checks.model_dump() if step.checks else None
        case "push":
            subject = entry.message
            details = {"repo": repo, "patch": series.patch(step), "message": entry.written}
            details |= {"authored": step.authored, "committed": step.committed}
        case "merge":
            subject = entry.pull
            details = {"pull": _thing(series.name, entry), "method": entry.method, "delete_branch": True}
            if entry.fixups:
                details["message"] = entry.body.strip()
        case _:
            text = step.text
            details = {"path": step.path} if step.path else {}
            if kind == "review":
                details["state"] = "changes"
    intent = Intent(
        kind=kind,
        key=key,
        who=step.who,
        via=_keeper(series.spec),
        subject=subject,
        text=text,
        thing=thing,
        details=details,
    )
    return Planned(step.at, intent)


def _thing(name: str, entry: HistoryEntry) -> str:
    """The logical name of a pull, or of a commit that comes without one and has none from a storyline."""
    if entry.pull:
        return f"{name}/{entry.branch}"
    return entry.beat or f"{name}/{entry.patch.removesuffix('.patch')}"
