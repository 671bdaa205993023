"""Tasks: who asks, who plays, with what; and a judge's recorded answers."""

from collections.abc import Iterator

from pydantic import ValidationError

from brownout.core.errors import Mistake, under
from brownout.core.wildcards import fits
from brownout.llm import Recorded
from worlds.hidden_test_harness import read_harness
from worlds.lint.names import Names, unknown
from worlds.spec import Task

__all__ = ["task_mistakes"]


def task_mistakes(names: Names) -> Iterator[Mistake]:
    """What is wrong with the tasks beside their rubrics and solutions."""
    spec = names.spec
    for name, task in spec.tasks.items():
        file = f"tasks/{name}/task.yaml"
        if task.requester.person not in names.people:
            line = spec.line(file, "requester", "person")
            yield Mistake(file, line, under("requester", unknown("person", task.requester.person, names.people)))
        if task.actor.person in [*names.people, *names.customers, *names.outsiders]:
            line = spec.line(file, "actor", "person")
            message = (
                f"actor: expected somebody new, whom the agent plays; {task.actor.person!r} is somebody's name already"
            )
            yield Mistake(file, line, message)
        for number, app in enumerate([] if task.actor.apps == "all" else task.actor.apps):
            if app not in spec.world.apps:
                line = spec.line(file, "actor", "apps", number)
                yield Mistake(file, line, under("actor.apps", unknown("app", app, spec.world.apps)))
        yield from _tools(names, name, task)
        yield from _judged(names, name)
    yield from _harnesses(names)


def _tools(names: Names, name: str, task: Task) -> Iterator[Mistake]:
    """Tools that are named and that no product of the task has."""
    apps = names.spec.world.apps if task.actor.apps == "all" else task.actor.apps
    known = [call for call, operation in names.operations.items() if operation.app in apps]
    for number, pattern in enumerate(task.tools if names.knows_all_operations else ()):
        if not any(fits(call, pattern) for call in known):
            file = f"tasks/{name}/task.yaml"
            line = names.spec.line(file, "tools", number)
            yield Mistake(file, line, f"tools: {unknown('operation', pattern, known)}")


def _harnesses(names: Names) -> Iterator[Mistake]:
    """Files of `repos/<name>/hidden/harness.yaml` that are no list of paths in the repository."""
    root = names.spec.root
    for path in sorted((root / "repos").glob("*/hidden/harness.yaml")):
        try:
            read_harness(path)
        except ValueError as error:
            yield Mistake(path.relative_to(root).as_posix(), 0, str(error))


def _judged(names: Names, task: str) -> Iterator[Mistake]:
    """Lines of `judged.jsonl`, the judge's recorded answers, that are none."""
    path = names.spec.root / "tasks" / task / "judged.jsonl"
    for number, line in enumerate(path.read_bytes().splitlines() if path.is_file() else (), start=1):
        try:
            Recorded.model_validate_json(line)
        except ValidationError as error:
            why = error.errors()[0]
            place = ".".join(str(part) for part in why["loc"]) or "the line"
            yield Mistake(f"tasks/{task}/judged.jsonl", number, f"{place}: {why['msg']}")
