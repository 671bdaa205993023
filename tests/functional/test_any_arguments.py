"""Whatever an agent sends, it gets an observation: calls drawn from the schemas of all operations, by the thousand.

Two thousand are made with the tests, a hundred thousand by `make fuzz`. A failure names the seed; the same calls are made by
the same seed.
"""

from collections.abc import Iterator

import pytest

from brownout.core.calls import Observation, ToolCall
from brownout.core.trajectory import dump_event
from brownout.engine.session import Session
from brownout.engine.world import World
from tests.functional.hostile import Hostile, free
from worlds.package import Package

CALLS_A_SESSION = 500
LONG = pytest.mark.fuzz
IN_A_SANDBOX = frozenset({"terminal_run", "terminal_write_file", "terminal_read_file", "terminal_list_files"})


def lived(world: World, seed: int, count: int, *, without: frozenset[str]) -> Iterator[tuple[Session, str]]:
    """Sessions in which so many calls were made, each with the digest that it began with."""
    tasks = list(world.package.tasks)
    hostile: Hostile | None = None
    for number, made in enumerate(range(0, count, CALLS_A_SESSION)):
        with world.open_session(tasks[number % len(tasks)], seed=seed) as session:
            free(session)
            start = session.digest()
            hostile = hostile or Hostile(session, seed, without=without)
            for call in hostile.calls(session, min(CALLS_A_SESSION, count - made)):
                answer = answered(session, call)
                hostile.heard(call, answer)
            assert isinstance(session.say(hostile.text()), Observation)
            yield session, start


def answered(session: Session, call: ToolCall) -> Observation:
    try:
        return session.call(call.name, call.arguments)
    except Exception as error:
        error.add_note(f"{call.name} {ascii(call.arguments)[:2000]}")
        raise


def looked_through(session: Session, start: str) -> None:
    """The session is as good as any: it has no defects, can be forked, digested and reset, and is graded with a number."""
    assert session.simulation.defects == []
    assert all(dump_event(event) for event in session.events)
    with session.fork() as twin:
        assert twin.digest() == session.digest()
    session.submit("done")
    grade = session.grade(skip=frozenset({"judge", "unit_tests"}))
    is_all_skipped = not grade.possible and {each.because for each in grade.left_out} == {"skipped"}
    assert isinstance(grade.reward, float) or is_all_skipped, grade.failure
    session.reset()
    assert session.digest() == start


@pytest.mark.parametrize("seed", [1, pytest.param(1001, marks=LONG), pytest.param(2001, marks=LONG)])
def test_nothing_but_observations_comes_of_any_arguments_in_tiny(tiny: World, seed: int) -> None:
    for session, start in lived(tiny, seed, 1000 if seed == 1 else 23_000, without=IN_A_SANDBOX):
        looked_through(session, start)


@pytest.mark.parametrize("seed", [2, pytest.param(1002, marks=LONG), pytest.param(2002, marks=LONG)])
def test_nothing_but_observations_comes_of_any_arguments_in_larkspur(larkspur_package: Package, seed: int) -> None:
    with World(larkspur_package, hot=4) as world:
        for session, start in lived(world, seed, 1000 if seed == 2 else 27_000, without=IN_A_SANDBOX):
            looked_through(session, start)


@pytest.mark.sandbox
@pytest.mark.parametrize("count", [12, pytest.param(400, marks=LONG)])
def test_nothing_but_observations_comes_of_any_arguments_at_a_terminal(tiny: World, count: int) -> None:
    others = frozenset(tiny.setting.operations) - IN_A_SANDBOX
    for session, start in lived(tiny, 3, count, without=others):
        looked_through(session, start)
