"""What every task must keep. Each rule plays what it needs and says what it found."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

from brownout.qa.findings import QaFinding
from brownout.qa.literals import unknown_literals
from brownout.qa.playing import Plays
from brownout.qa.transfer import transfer
from brownout.rollouts.recorder import RunResult
from brownout.rollouts.replay import replay

__all__ = ["SMOKE"]

_MOST_LAZY: Final = 0.2
_MOST_RANDOM: Final = 0.05
_FEWEST_VALUES: Final = 3
_RANDOM_SEEDS: Final = range(5)
_SHOWN: Final = 5


def oracle(plays: Plays) -> QaFinding:
    """The reference solution earns everything, whatever the session's seed."""
    results = plays.play_all([plays.episode("oracle", seed=seed) for seed in range(3)])
    wrong = [f"seed {result.seed}: {_shown(result)}" for result in results if result.reward != 1.0 or _unread(result)]
    return QaFinding("oracle", not wrong, wrong[0] if wrong else "exactly 1 with the seeds 0, 1 and 2")


def nothing(plays: Plays) -> QaFinding:
    """Doing nothing, and only saying that it is done, earn nothing."""
    results = plays.play_all([plays.episode("noop", answer=answer) for answer in ("", "Done, resolved.")])
    told = ("doing nothing", "saying 'Done, resolved.'")
    wrong = [f"{what}: {_shown(each)}" for what, each in zip(told, results, strict=True) if each.reward != 0.0]
    return QaFinding("nothing", not wrong, wrong[0] if wrong else "exactly 0, also for saying 'Done, resolved.'")


def stopped(plays: Plays) -> QaFinding:
    """The reference solution, stopped after every call, never earns more than stopped later, and not all at once."""
    calls = plays.world.package.task(plays.task).oracle_calls
    results = plays.play_all([plays.episode("oracle", stop_after=count) for count in range(calls + 1)])
    rewards = [result.reward for result in results if result.reward is not None]
    if len(rewards) < len(results):
        at = next(number for number, result in enumerate(results) if result.reward is None)
        return QaFinding("stopped", False, f"stopped after {at} calls: {_shown(results[at])}")
    for at, (earlier, later) in enumerate(pairwise(rewards)):
        if earlier > later:
            return QaFinding("stopped", False, f"{earlier:g} after {at} calls, but {later:g} after {at + 1}")
    values = sorted(set(rewards))
    shown = ", ".join(f"{value:g}" for value in values)
    if len(values) < _FEWEST_VALUES:
        return QaFinding("stopped", False, f"only the rewards {shown}; expected at least {_FEWEST_VALUES} on the way")
    return QaFinding("stopped", True, f"never more than stopped later: {shown}")


def lazy(plays: Plays) -> QaFinding:
    """Scripts that want to be paid without doing the work are not."""
    scripts = [*plays.world.package.cases(plays.task, "lazy")]
    if not scripts:
        return QaFinding(
            "lazy", None, f"no scripts in tasks/{plays.task}/lazy/; write some that want to be paid for nothing"
        )
    results = plays.play_all([plays.episode("lazy", answer=script) for script in scripts])
    wrong = [
        f"{script}: {_shown(result)}"
        for script, result in zip(scripts, results, strict=True)
        if result.reward is None or result.reward > _MOST_LAZY
    ]
    most = max((result.reward or 0.0 for result in results), default=0.0)
    return QaFinding("lazy", not wrong, wrong[0] if wrong else f"{len(scripts)} scripts earn {most:g} at most")


def good(plays: Plays) -> QaFinding:
    """Honest ways to do the task that are not the reference solution earn everything."""
    scripts = [*plays.world.package.cases(plays.task, "good")]
    if not scripts:
        detail = f"no scripts in tasks/{plays.task}/good/; write honest ways to do it that are not the oracle"
        return QaFinding("good", None, detail)
    results = plays.play_all([plays.episode("good", answer=script) for script in scripts])
    wrong = [
        f"{script}: {_shown(result)}" for script, result in zip(scripts, results, strict=True) if result.reward != 1.0
    ]
    return QaFinding("good", not wrong, wrong[0] if wrong else f"{len(scripts)} scripts earn exactly 1")


def chance(plays: Plays) -> QaFinding:
    """Pressing buttons earns nothing."""
    results = plays.play_all([plays.episode("random", seed=seed) for seed in _RANDOM_SEEDS])
    broken = [f"seed {result.seed}: {_shown(result)}" for result in results if result.reward is None]
    mean = sum(result.reward or 0.0 for result in results) / len(results)
    detail = broken[0] if broken else f"{mean:g} on average over {len(results)} seeds"
    return QaFinding("random", not broken and mean <= _MOST_RANDOM, detail)


def replayed(plays: Plays) -> QaFinding:
    """The reference solution, run again, meets the same answers."""
    report = replay(plays.world, plays.read(plays.play("oracle", seed=3)))
    if report.matches:
        return QaFinding("replay", True, f"all {report.steps} steps come out as recorded")
    found = report.first_divergence or {}
    return QaFinding("replay", False, f"step {found.get('step')} differs in {found.get('field')}")


def known(plays: Plays) -> QaFinding:
    """The reference solution uses nothing that it could not know."""
    run = plays.read(plays.play("oracle"))
    with plays.world.open_session(plays.task) as session:
        unknown = unknown_literals(session.instructions, session.tools, run.events)
    listed = ", ".join(f"{each.word!r} in {each.call}" for each in unknown[:_SHOWN])
    detail = (
        f"neither asked for nor seen before: {listed}" if unknown else "every name and number was asked for or seen"
    )
    return QaFinding("known", not unknown, detail)


def _shown(result: RunResult) -> str:
    """A reward and, where it is not what was hoped for, why."""
    if result.reward is None:
        return f"no reward ({result.status}): {result.failure}"
    lost = [
        f"{line['criterion']}: {line['reason']}"
        for line in result.ledger
        if isinstance(line, dict) and line["passed"] is line["penalty"]
    ]
    if unread := _unread(result):
        return f"{result.reward:g} without {', '.join(unread)}, which nobody has read; see `brownout record-judge`"
    return f"{result.reward:g}" + (f" ({lost[0]})" if lost else "")


def _unread(result: RunResult) -> list[str]:
    """The criteria that were left out because nobody could read them; what the user skips is no fault of the task's."""
    return [str(one["criterion"]) for one in result.left_out if one["because"] == "unread"]


Rule = Callable[[Plays], QaFinding]
SMOKE: Final[Mapping[str, Rule]] = {
    "oracle": oracle, "nothing": nothing, "stopped": stopped, "lazy": lazy, "good": good, "random": chance,
    "replay": replayed, "known": known, "transfer": transfer,
}  # fmt: skip
"""The rules of the quickest tier, by name, in the order in which they are checked."""
