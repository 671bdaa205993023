"""Reference solutions, and the scripts that rubrics are tested by: calls that there are, arguments that they take, names that were kept."""

from collections.abc import Iterator

from pydantic import BaseModel, ValidationError

from brownout.core.errors import Mistake
from brownout.core.session_tools import SESSION_TOOLS
from worlds.findings import RECORD_FINDINGS
from worlds.lint.names import Names, near, unknown
from worlds.spec import OracleStep, Task
from worlds.spec.cases import Script, Stood, scripted
from worlds.spec.oracle import names_used, path_mistake, truths_used
from worlds.spec.tasks import offered

__all__ = ["oracle_mistakes"]


def oracle_mistakes(names: Names) -> Iterator[Mistake]:
    """What is wrong with the tasks' scripts."""
    spec = names.spec
    for task, written in spec.tasks.items():
        file = f"tasks/{task}/oracle.yaml"
        oracle = scripted(file, spec.oracles.get(task, ()))
        if not oracle and not any(spec.unread.get(file, ())) and (spec.root / file).is_file():
            yield Mistake(file, 0, "expected at least one step")
        yield from _script(names, file, written, oracle, is_lazy=False)
        for kind, cases in spec.cases.get(task, {}).items():
            for case, script in cases.items():
                place = f"tasks/{task}/{kind}/{case}.yaml"
                yield from _script(names, place, written, script, is_lazy=kind == "lazy")
                yield from _lacking(names, place, script, {name for stood in oracle for name in stood.step.keep})


def _script(names: Names, file: str, task: Task, script: Script, *, is_lazy: bool) -> Iterator[Mistake]:
    """What is wrong with the steps that stand in a file. A lazy script may be refused, and may find nothing; it is not to be
    misspelt.
    """
    kept: set[str] = set()
    for number, stood in enumerate(script):
        step = stood.step
        if stood.file != file:
            kept |= step.keep.keys()
            continue

        def wrong(message: str, *place: str, number: int = number, stood: Stood = stood) -> Mistake:
            return _mistake(names, stood, number, message, *place)

        if problem := _call_problem(names, task, step.call):
            yield wrong(problem)
        elif not is_lazy and not step.fails:
            found = _argument_problems(names, step)
            yield from (wrong(problem, word) for word, problem in found if stood.wrote(file, word))
        for word, value in step.arguments.items():
            if not stood.wrote(file, word):
                continue
            for name in names_used(value):
                if name not in kept:
                    yield wrong(f"{word}: no step before it keeps ${name}{near(name, kept)}", word)
            for kind, name in truths_used(value):
                if kind == "fact" and not names.is_fact(name):
                    yield wrong(f"{word}: {unknown('fact', name, names.facts)}", word)
        for name, path in step.keep.items():
            if problem := path_mistake(path):
                yield wrong(f"keep.{name}: {problem}", "keep", name)
        if step.meets and step.meets not in [*names.spec.outages, *names.spec.unread.get("outages.yaml", ())]:
            yield wrong(f"meets: {unknown('outage', step.meets, names.spec.outages)}", "meets")
        kept |= step.keep.keys()


def _lacking(names: Names, file: str, script: Script, oracles: set[str]) -> Iterator[Mistake]:
    """What steps and arguments that a case takes from the oracle need, and the oracle keeps, but no step before them in the case."""
    kept: set[str] = set()
    for number, stood in enumerate(script):
        for word, value in stood.step.arguments.items():
            for name in names_used(value) if not stood.wrote(file, word) else ():
                if name in oracles - kept:
                    here = Stood(stood.step, file, ())
                    yield _mistake(names, here, number, f"{word}: no step before it keeps ${name} in this case")
        kept |= stood.step.keep.keys()


def _mistake(names: Names, stood: Stood, number: int, message: str, *place: str) -> Mistake:
    call = stood.step.call
    line = names.spec.line(stood.file, *stood.path, call, *place) or 1
    return Mistake(stood.file, line, f"step {number + 1}, {call}: {message}")


def _call_problem(names: Names, task: Task, call: str) -> str:
    """Why there is no such call in the task; empty where there is."""
    if call in SESSION_TOOLS or (call == RECORD_FINDINGS and task.findings):
        return ""
    operation = names.operations.get(call)
    if operation is None:
        known = [*names.operations, *SESSION_TOOLS]
        return unknown("operation", call, known) if names.knows_all_operations else ""
    if task.actor.apps != "all" and operation.app not in task.actor.apps:
        return f"{task.actor.person} does not have {operation.app}; see actor.apps in task.yaml"
    if not offered(call, task.tools):
        return f"the task does not offer {call}; see tools in task.yaml"
    return ""


def _argument_problems(names: Names, step: OracleStep) -> Iterator[tuple[str, str]]:
    """What the call's schema refuses of the arguments as they are written; what uses a kept name is left out."""
    model: type[BaseModel] | None = None
    if step.call in SESSION_TOOLS:
        model = SESSION_TOOLS[step.call][0]
    elif step.call in names.operations:
        model = names.operations[step.call].arguments
    if model is None:
        return
    try:
        model.model_validate(step.arguments)
    except ValidationError as error:
        for detail in error.errors():
            word = str(detail["loc"][0]) if detail["loc"] else ""
            if any(names_used(step.arguments.get(word))) or any(truths_used(step.arguments.get(word))):
                continue
            place = ".".join(map(str, detail["loc"]))
            match detail["type"]:
                case "extra_forbidden":
                    yield word, f"{place}: unknown argument{near(word, model.model_fields)}"
                case "missing":
                    yield word, f"{place}: expected this argument, found nothing"
                case _:
                    yield word, f"{place}: {detail['msg']}, found {detail['input']!r}"
