"""Reference solutions, and the scripts that rubrics are tested by: calls that there are, arguments that they take, names that were kept."""

from collections.abc import Iterator

from pydantic import BaseModel

from brownout.core.errors import Mistake, Unknown, under
from brownout.core.session_tools import SESSION_TOOLS
from worlds.findings import RECORD_FINDINGS
from worlds.lint.names import Names, near, nearest, unknown
from worlds.spec import OracleStep, Task
from worlds.spec.case_scripts import LocatedStep, Script, written_script
from worlds.spec.salvage import adapter_of, salvage_again
from worlds.spec.script_names import names_used, path_mistake, truths_used
from worlds.spec.short_forms import STEP_WORDS
from worlds.spec.tasks import offered

__all__ = ["oracle_mistakes"]


def oracle_mistakes(names: Names) -> Iterator[Mistake]:
    """What is wrong with the tasks' scripts."""
    spec = names.spec
    for task, written in spec.tasks.items():
        file = f"tasks/{task}/oracle.yaml"
        oracle = written_script(file, spec.oracles.get(task, ()))
        if not oracle and not spec.unread.get(file) and (spec.root / file).is_file():
            yield Mistake(file, 0, "expected at least one step")
        calls = {stood.step.call for stood in oracle}
        is_known = not any(_call_problem(names, task, written, call) for call in calls)
        if oracle and not spec.unread.get(file) and is_known and "submit" not in calls:
            last = spec.line(file, len(oracle) - 1)
            yield Mistake(
                file, last, "expected `submit` as the last step, with what is told to the requester; found none"
            )
        yield from _script(names, file, task, written, oracle, is_lazy=False)
        for kind, cases in spec.cases.get(task, {}).items():
            for case, script in cases.items():
                place = f"tasks/{task}/{kind}/{case}.yaml"
                yield from _script(names, place, task, written, script, is_lazy=kind == "lazy")
                yield from _lacking(names, place, script, {name for stood in oracle for name in stood.step.keep})


def _script(
    names: Names, file: str, name_of_task: str, task: Task, script: Script, *, is_lazy: bool
) -> Iterator[Mistake]:
    """What is wrong with the steps that stand in a file. A lazy script may be refused, and may find nothing; it is not to be
    misspelt.
    """
    kept: set[str] = set()
    for number, stood in enumerate(script):
        step = stood.step
        if stood.file != file:
            kept |= step.keep.keys()
            continue

        def wrong(message: str, *place: str, number: int = number, stood: LocatedStep = stood) -> Mistake:
            return _mistake(names, stood, number, message, *place)

        if problem := _call_problem(names, name_of_task, task, step.call):
            yield wrong(problem)
        elif not is_lazy and not step.fails:
            found = [*_argument_problems(names, step), *_record_problems(name_of_task, task, step)]
            yield from (wrong(problem, word) for word, problem in found if stood.wrote(file, word))
        for word, value in step.arguments.items():
            if not stood.wrote(file, word):
                continue
            for name in names_used(value):
                if name not in kept:
                    text = f"{word}: no step before it keeps ${name}{near(name, kept)}"
                    yield wrong(Unknown(text, name=name, kind="kept name", scope=file), word)
            for kind, name in truths_used(value):
                if kind == "fact" and not names.is_fact(name):
                    yield wrong(under(word, unknown("fact", name, names.facts)), word)
        for name, path in step.keep.items():
            if problem := path_mistake(path):
                yield wrong(under(f"keep.{name}", problem), "keep", name)
        if step.meets and step.meets not in names.spec.outages:
            yield wrong(under("meets", unknown("outage", step.meets, names.spec.outages)), "meets")
        kept |= step.keep.keys()
        kept |= {
            name
            for word, value in step.arguments.items()
            if isinstance(value, dict) and nearest(word, STEP_WORDS) == "keep"
            for name in value
        }


def _lacking(names: Names, file: str, script: Script, oracles: set[str]) -> Iterator[Mistake]:
    """What steps and arguments that a case takes from the oracle need, and the oracle keeps, but no step before them in the case."""
    kept: set[str] = set()
    for number, stood in enumerate(script):
        for word, value in stood.step.arguments.items():
            for name in names_used(value) if not stood.wrote(file, word) else ():
                if name in oracles - kept:
                    here = LocatedStep(stood.step, file, ())
                    yield _mistake(names, here, number, f"{word}: no step before it keeps ${name} in this case")
        kept |= stood.step.keep.keys()


def _mistake(names: Names, stood: LocatedStep, number: int, message: str, *place: str) -> Mistake:
    call = stood.step.call
    line = names.spec.line(stood.file, *stood.path, call, *place) or 1
    return Mistake(stood.file, line, under(f"step {number + 1}, {call}", message))


def _call_problem(names: Names, name: str, task: Task, call: str) -> str:
    """Why there is no such call in the task; empty where there is."""
    if call in SESSION_TOOLS or (call == RECORD_FINDINGS and task.findings):
        return ""
    if call == RECORD_FINDINGS and names.spec.has_hole(f"tasks/{name}/task.yaml", "findings"):
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
    """What the call's schema refuses of the arguments as they are written; what a value uses of earlier answers is left out."""
    model = _schema_of(names, step.call)
    if model is None:
        return
    for place, problem in salvage_again(adapter_of(model), step.arguments).wrong:
        word = str(place[0]) if place else ""
        used = [*names_used(step.arguments.get(word)), *truths_used(step.arguments.get(word))]
        is_ours = problem.startswith("unknown word") and not nearest(word, model.model_fields)
        if is_ours and (own := nearest(word, STEP_WORDS)):
            yield word, f"{word}: unknown argument; did you mean {own!r}?"
        elif not used or problem.startswith("unknown word"):
            yield word, f"{'.'.join(map(str, place))}: {_of_arguments(problem)}"


def _of_arguments(problem: str) -> str:
    return problem.replace("unknown word", "unknown argument").replace("expected this,", "expected this argument,")


def _schema_of(names: Names, call: str) -> type[BaseModel] | None:
    if call in SESSION_TOOLS:
        return SESSION_TOOLS[call][0]
    return names.operations[call].arguments if call in names.operations else None


def _record_problems(name: str, task: Task, step: OracleStep) -> Iterator[tuple[str, str]]:
    """Fields that are handed in and that the task does not ask for."""
    for word in step.arguments if step.call == RECORD_FINDINGS else ():
        if word not in task.findings:
            text = f"{word}: the task asks for no such finding{near(word, task.findings)}"
            yield word, Unknown(text, name=word, kind="finding", scope=f"tasks/{name}/task.yaml")
