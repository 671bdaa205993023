"""Rubrics: each criterion as its grader reads it, and the names in what it asks."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Final, cast

from brownout.core.errors import Mistake, PluginError, Unknown, under
from brownout.core.grading import Grader
from brownout.core.plugins import load_plugin, plugin_names
from brownout.core.session_tools import SESSION_TOOLS
from brownout.core.values import Json
from brownout.core.vocabulary import FieldSpec
from worlds.expressions import ExpressionError, parse_selector
from worlds.findings import RECORD_FINDINGS
from worlds.lint.company import circle_in, time_problem
from worlds.lint.names import Names, fits, near, unknown
from worlds.spec import Criterion, Task

__all__ = ["rubric_mistakes"]

_LONGEST_TITLE: Final = 80
_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")
_EITHER: Final = re.compile(r"^(.*)\(([^()]*)\)(.*)$")
_JUDGED: Final = ("undisclosed", "people", "references")
_EVERYBODY: Final = ("customers", "affected customers", "company", "everyone")

Problem = tuple[tuple[str | int, ...], str]
"""Where in what a criterion asks, and what is wrong there."""


def rubric_mistakes(names: Names) -> Iterator[Mistake]:
    """What is wrong with the tasks' rubrics."""
    for task, written in names.spec.tasks.items():
        file = f"tasks/{task}/task.yaml"
        rubric = written.rubric
        is_whole = not names.spec.has_hole(file, "rubric", "points")
        if is_whole and sum(criterion.worth for criterion in rubric.points.values()) == 0:
            line = names.spec.line(file, "rubric", "points")
            yield Mistake(file, line, "rubric: the points are worth nothing; give each criterion a worth")
        for part, criteria in (("gates", rubric.gates), ("points", rubric.points), ("penalties", rubric.penalties)):
            yield from _circle(names, file, part, criteria)
            for name, criterion in criteria.items():
                for place, problem in _criterion(names, task, written, criterion):
                    line = names.spec.line(file, "rubric", part, name, *place)
                    yield Mistake(file, line, under(f"rubric.{part}.{name}", problem))


def _circle(names: Names, file: str, part: str, criteria: Mapping[str, Criterion]) -> Iterator[Mistake]:
    """Criteria that wait for each other, and so are never met."""
    found = circle_in({name: criterion.needs for name, criterion in criteria.items()})
    if found:
        line = names.spec.line(file, "rubric", part, found[0], "needs")
        yield Mistake(file, line, f"rubric.{part}.{found[0]}: needs: this comes back to itself: {' -> '.join(found)}")


def _criterion(names: Names, task: str, written: Task, criterion: Criterion) -> Iterator[Problem]:
    rubric = written.rubric
    criteria = {**rubric.gates, **rubric.points, **rubric.penalties}
    file = f"tasks/{task}/task.yaml"
    for number, other in enumerate(criterion.needs):
        if other not in criteria:
            yield ("needs", number), under("needs", unknown("criterion", other, criteria, scope=file))
        elif other in rubric.penalties:
            yield ("needs", number), f"needs: expected what earns points or a gate, found the penalty {other!r}"
    anchors = ["start", *(name for name, outage in names.spec.outages.items() if outage.start)]
    if criterion.by and (problem := time_problem(criterion.by, names.spec.world.clock.zone, anchors)):
        yield ("by",), under("by", problem)
    try:
        grader = cast(Grader, load_plugin("graders", criterion.grader))
    except PluginError:
        yield (criterion.grader,), unknown("grader", criterion.grader, plugin_names("graders"), is_listed=True)
        return
    wrong = grader.check(criterion.asks)
    misspelt = [problem for problem in wrong if isinstance(problem, Unknown)]
    yield from (((criterion.grader,), problem) for problem in misspelt or wrong)
    if not wrong and criterion.grader in _NAMED:
        for place, problem in _NAMED[criterion.grader](names, task, criterion.asks, criteria):
            yield (criterion.grader, *place), problem


# -- the names in what each grader of ours is asked ---------------------------------------------------------


def _in_world_state(names: Names, task: str, asks: Json, criteria: Mapping[str, Criterion]) -> Iterator[Problem]:
    assert isinstance(asks, dict)
    only = asks.get("only")
    if isinstance(only, list):
        for number, entry in enumerate(only):
            if problem := _path_problem(names, str(entry)):
                yield ("only", number), under("only", problem)
        outsiders = _listed(asks.get("outsiders"))
        for number, place in enumerate(outsiders):
            if ":" in place and (problem := _path_problem(names, place)):
                yield ("outsiders", number), under("outsiders", problem)
        yield from _readers(names, "outsiders", [*(each for each in outsiders if ":" not in each)])
        return
    for text, wanted in asks.items():
        if text in ("after", "some"):
            yield from _facts(names, "after", wanted) if text == "after" else ()
            continue
        if problem := _selector_problem(names, text):
            yield (text,), problem
            continue
        selector = parse_selector(text)
        fields = wanted if isinstance(wanted, dict) and not selector.field else {selector.field: wanted}
        known = _fields(names, selector.app, selector.thing)
        for field, value in fields.items():
            if known is not None and (
                problem := _field_problem(f"{selector.app}:{selector.thing}", field, value, known)
            ):
                yield (text, field), problem


def _in_told(names: Names, task: str, asks: Json, criteria: Mapping[str, Criterion]) -> Iterator[Problem]:
    assert isinstance(asks, dict)
    yield from _facts(names, "facts", asks.get("facts"))
    yield from _typed(names, "facts", asks.get("facts") if asks.get("reader", "values") == "values" else None)
    yield from _fields_of(names, task, "fields", asks.get("fields"))
    yield from _readers(names, "whom", asks.get("whom"))
    for number, app in enumerate(_listed(asks.get("over"))):
        known = ["any", *names.spec.world.apps]
        if app not in known:
            yield ("over", number), under("over", unknown("app", app, known))


def _in_seen(names: Names, task: str, asks: Json, criteria: Mapping[str, Criterion]) -> Iterator[Problem]:
    for place, problem in _facts(names, "seen", asks):
        yield place[1:], problem


def _in_findings(names: Names, task: str, asks: Json, criteria: Mapping[str, Criterion]) -> Iterator[Problem]:
    place = str(asks.get("in", "")) if isinstance(asks, dict) else ""
    yield from _fields_of(names, task, "fields", asks.get("fields") if isinstance(asks, dict) else asks)
    if place in ("", "answer"):
        return
    if problem := _selector_problem(names, place):
        yield ("in",), under("in", problem)
        return
    selector = parse_selector(place)
    known = _fields(names, selector.app, selector.thing)
    thing = f"{selector.app}:{selector.thing}"
    if selector.field and known is not None and (problem := _field_problem(thing, selector.field, None, known)):
        yield ("in",), under("in", problem)


def _in_disclosure(names: Names, task: str, asks: Json, criteria: Mapping[str, Criterion]) -> Iterator[Problem]:
    for number, entry in enumerate(asks if isinstance(asks, list) else [asks]):
        named = entry.get("fact") if isinstance(entry, dict) else entry
        for _, problem in _facts(names, "disclosure", named):
            yield (number,), problem
        if isinstance(named, str) and named in names.facts and not names.facts[named].mentions:
            yield (number,), f"disclosure: the fact {named} has no `mentions`, so nothing gives it away"
        for _, problem in _readers(names, "to", entry.get("to") if isinstance(entry, dict) else None):
            yield (number,), problem


def _in_document(names: Names, task: str, asks: Json, criteria: Mapping[str, Criterion]) -> Iterator[Problem]:
    assert isinstance(asks, dict)
    find = str(asks["find"])
    if find != "answer" and (problem := _selector_problem(names, find) or _nowhere_problem(names, task, find)):
        yield ("find",), under("find", problem)
    yield from _fields_of(names, task, "fields", asks.get("fields"))
    holds = asks.get("holds")
    for section, entries in holds.items() if isinstance(holds, dict) else ():
        for entry in _listed(entries):
            if entry in names.spec.tasks[task].findings:
                continue
            for _, problem in [*_facts(names, "holds", entry), *_typed(names, "holds", entry)]:
                yield ("holds", section), problem
    sections = asks.get("cites_in")
    for section, options in sections.items() if isinstance(sections, dict) else ():
        for option in str(options).split(" | "):
            if problem := _selector_problem(names, option):
                yield ("cites_in", section), under("cites_in", problem)
    cites = str(asks.get("cites", "")).partition(" of ")[2]
    for option in cites.split("|") if cites else ():
        if problem := _selector_problem(names, option.strip()):
            yield ("cites",), under("cites", problem)
    yield from _facts(names, "never", asks.get("never"))


def _in_trajectory(names: Names, task: str, asks: Json, criteria: Mapping[str, Criterion]) -> Iterator[Problem]:
    assert isinstance(asks, dict)
    for word in ("calls", "before", "never"):
        value = asks.get(word)
        for number, pattern in enumerate(value if isinstance(value, dict) else _listed(value)):
            if problem := _call_problem(names, pattern):
                yield (word, pattern if isinstance(value, dict) else number), under(word, problem)
    for number, text in enumerate(_listed(asks.get("read"))):
        if problem := _selector_problem(names, text):
            yield ("read", number), under("read", problem)


def _in_unit_tests(names: Names, task: str, asks: Json, criteria: Mapping[str, Criterion]) -> Iterator[Problem]:
    assert isinstance(asks, dict)
    root, repo = names.spec.root, str(asks["repo"]).rpartition("/")[2]
    known = sorted(path.parent.name for path in root.glob("repos/*/series.yaml"))
    if repo not in known:
        yield ("repo",), under("repo", unknown("code base", repo, known))
        return
    folders = (root / "repos" / repo / "hidden", root / "tasks" / task / "hidden" / repo)
    tests = [path.name for folder in folders for path in sorted(folder.glob("test_*.py"))]
    pattern = str(asks["run"]).removeprefix("hidden/") or "*"
    if not any(fnmatchcase(test, pattern) for test in tests):
        yield ("run",), under("run", unknown("hidden test", pattern, tests))


def _in_judge(names: Names, task: str, asks: Json, criteria: Mapping[str, Criterion]) -> Iterator[Problem]:
    assert isinstance(asks, dict)
    reads = str(asks.get("reads", ""))
    documents = [name for name, criterion in criteria.items() if criterion.grader == "document"]
    if ":" in reads:
        if problem := _selector_problem(names, reads):
            yield ("reads",), under("reads", problem)
    elif reads != "answer" and reads not in documents:
        yield (
            ("reads",),
            under("reads", unknown("document criterion", reads, documents, scope=f"tasks/{task}/task.yaml")),
        )


_NAMED: Final = {
    "world_state": _in_world_state, "told": _in_told, "findings": _in_findings, "seen": _in_seen, "disclosure": _in_disclosure, "document": _in_document,
    "trajectory": _in_trajectory, "unit_tests": _in_unit_tests, "judge": _in_judge,
}  # fmt: skip


# -- facts, readers, calls ----------------------------------------------------------------------------------


def _listed(value: Json) -> list[str]:
    return [] if value is None else [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _facts(names: Names, word: str, value: Json) -> Iterator[Problem]:
    for number, fact in enumerate(_listed(value)):
        if fact not in _JUDGED and not names.is_fact(fact):
            yield (word, number), under(word, unknown("fact", fact, names.facts))


def _typed(names: Names, word: str, value: Json) -> Iterator[Problem]:
    for number, fact in enumerate(_listed(value)):
        if fact in names.facts and not names.facts[fact].kind:
            yield (
                (word, number),
                f"{word}: the value of {fact} has no type; write `is: {{duration: 10 minutes}}`, or name `reader: model`",
            )


def _fields_of(names: Names, task: str, word: str, value: Json) -> Iterator[Problem]:
    known = names.spec.tasks[task].findings
    for number, field in enumerate(_listed(value)):
        if field not in known:
            yield (word, number), under(word, unknown("finding", field, known, scope=f"tasks/{task}/task.yaml"))


def _readers(names: Names, word: str, value: Json) -> Iterator[Problem]:
    teams = [f"team {team}" for team in names.teams]
    known = [*names.everyone, *names.groups, *teams, *_EVERYBODY]
    for number, reader in enumerate(_listed(value)):
        if reader.startswith("#"):
            problem = names.channel_problem(reader)
        else:
            problem = "" if "@" in reader or reader in known else unknown("person or group", reader, known)
        if problem:
            yield (word, number), under(word, problem)


def _call_problem(names: Names, pattern: str) -> str:
    known = [*names.operations, *SESSION_TOOLS, RECORD_FINDINGS]
    is_known = any(fnmatchcase(name, pattern) for name in known) or not names.knows_all_operations
    return "" if is_known else unknown("operation", pattern, known)


# -- selectors and paths ------------------------------------------------------------------------------------


def _selector_problem(names: Names, text: str) -> str:
    try:
        selector = parse_selector(text)
    except ExpressionError as error:
        return str(error)
    if selector.app not in names.spec.world.apps:
        return unknown("app", selector.app, names.spec.world.apps)
    vocabulary = names.vocabularies.get(selector.app)
    if vocabulary is None or vocabulary.things is None:
        return ""
    made = names.made_in(selector.app)
    if selector.thing in made or fits(selector.thing, vocabulary.things):
        return ""
    known = [*made, *(thing for thing in vocabulary.things if "*" not in thing)]
    text = f"nothing in {selector.app} is called {selector.thing!r}{near(selector.thing, known)}"
    return Unknown(text, name=selector.thing, kind="beat")


def _nowhere_problem(names: Names, task: str, text: str) -> str:
    """Why a document is never found: nobody writes one of that title, neither a beat nor the solution."""
    thing = parse_selector(text).thing
    solution = f"tasks/{task}/oracle.yaml"
    if "*" in thing or names.spec.unread.get(solution):
        return ""
    written = [*_written_in(step.arguments for step in names.spec.oracles.get(task, ()))]
    beats = (beat for story in names.spec.storylines.values() for beat in story.beats.values())
    written += [*names.made, *(action.subject for beat in beats for action in beat.does)]
    if any(thing.casefold() in each.casefold() for each in written):
        return ""
    titles = [each for each in written if len(each) <= _LONGEST_TITLE]
    message = f"nobody writes {thing!r}, neither a beat nor the reference solution{near(thing, titles)}"
    return Unknown(message, name=thing, kind="document")


def _written_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _written_in(value.values())
    elif isinstance(value, Iterable):
        for part in value:
            yield from _written_in(part)


def _fields(names: Names, app: str, thing: str) -> Mapping[str, FieldSpec] | None:
    vocabulary = names.vocabularies.get(app)
    return vocabulary.fields(thing) if vocabulary else None


def _field_problem(thing: str, field: str, value: Json, known: Mapping[str, FieldSpec]) -> str:
    if field not in known:
        if not field:
            return f"{thing}: expected a field, {thing}.status say, or a mapping of fields"
        return f"{thing} has no {field!r}" + (near(field, known) or f"; it has {', '.join(known)}")
    allowed = known[field].values
    if allowed is None:
        return ""
    wanted = value.get("exactly", value.get("lacks", value)) if isinstance(value, dict) else value
    options = [part for one in _listed(wanted) for part in one.split(" | ")]
    for option in options:
        if option not in allowed:
            hint = near(option, allowed) or f"; it is one of {', '.join(filter(None, allowed))}"
            return Unknown(f"{thing}: {field} is never {option!r}{hint}", name=option, kind="value")
    return ""


def _path_problem(names: Names, pattern: str) -> str:
    """Why an entry of `only` or `outsiders` permits nothing."""
    app, colon, _ = pattern.partition(":")
    if not colon:
        return (
            f"expected a path such as app:thing/*, found {pattern!r}; messages, comments and whatever else an agent "
            "adds of its own need no mention"
        )
    if app not in names.spec.world.apps:
        return unknown("app", app, names.spec.world.apps)
    vocabulary = names.vocabularies.get(app)
    if vocabulary is None or vocabulary.paths is None:
        return ""
    made = names.made_in(app)
    for option in _options(pattern.partition(":")[2]):
        if option not in made and not fits(option, vocabulary.paths):
            hint = near(option, [*vocabulary.paths, *made]) or f"; its paths are {', '.join(vocabulary.paths)}"
            return Unknown(f"nothing in {app} is at {option!r}{hint}", name=option, kind="beat")
    return ""


def _options(pattern: str) -> list[str]:
    """`a.(b|c)` as `a.b` and `a.c`."""
    found = _EITHER.match(pattern)
    if found is None:
        return [pattern]
    before, either, after = found.groups()
    return [option for part in either.split("|") for option in _options(f"{before}{part}{after}")]
