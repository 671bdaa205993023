"""What every task must keep. Each rule plays what it needs and says what it found."""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Final

from brownout.core.reward_words import reward_text
from brownout.core.values import Json
from brownout.qa.played_episodes import Plays
from brownout.qa.rule_results import PlayedCase, RuleResult
from brownout.qa.seed_transfer import transfer
from brownout.qa.unknown_literals import unknown_literals
from brownout.rollouts.recorder import RunResult
from brownout.rollouts.replay import replay

__all__ = ["SMOKE"]

_MOST_LAZY: Final = 0.2
_MOST_RANDOM: Final = 0.05
_FEWEST_VALUES: Final = 3
_RANDOM_SEEDS: Final = range(5)
_SHOWN: Final = 5


def oracle(plays: Plays) -> RuleResult:
    """The reference solution earns everything, whatever the session's seed."""
    results = plays.play_all([plays.episode("oracle", seed=seed) for seed in range(3)])
    wrong = [result for result in results if result.reward != 1.0 or _unread(result)]
    detail = f"seed {wrong[0].seed}: {_shown(wrong[0])}" if wrong else "exactly 1 with the seeds 0, 1 and 2"
    return RuleResult("oracle", not wrong, detail, (_case("", results[0]),), _runs(wrong))


def nothing(plays: Plays) -> RuleResult:
    """Doing nothing, and only saying that it is done, earn nothing."""
    results = plays.play_all([plays.episode("noop", answer=answer) for answer in ("", "Done, resolved.")])
    told = ("doing nothing", "saying 'Done, resolved.'")
    wrong = [(what, each) for what, each in zip(told, results, strict=True) if each.reward != 0.0]
    detail = f"{wrong[0][0]}: {_shown(wrong[0][1])}" if wrong else "exactly 0, also for saying 'Done, resolved.'"
    return RuleResult("nothing", not wrong, detail, failed=_runs(each for _, each in wrong))


def stopped(plays: Plays) -> RuleResult:
    """The reference solution, stopped after every call, never earns more than stopped later, and not all at once."""
    calls = plays.world.package.task(plays.task).oracle_calls
    results = plays.play_all([plays.episode("oracle", stop_after=count) for count in range(calls + 1)])
    rewards = [result.reward for result in results if result.reward is not None]
    if len(rewards) < len(results):
        at = next(number for number, result in enumerate(results) if result.reward is None)
        detail = f"stopped after {at} calls: {_shown(results[at])}"
        return RuleResult("stopped", False, detail, failed=_runs([results[at]]))
    for at, (earlier, later) in enumerate(pairwise(rewards)):
        if earlier > later:
            less = f"{reward_text(later)} after {at + 1}"
            less = f"a little less after {at + 1}" if reward_text(earlier) == reward_text(later) else less
            detail = f"{reward_text(earlier)} after {at} calls, but {less}"
            return RuleResult("stopped", False, detail, failed=_runs(results[at : at + 2]))
    values = sorted(set(rewards))
    shown = ", ".join(reward_text(value) for value in values)
    if len(values) < _FEWEST_VALUES:
        return RuleResult("stopped", False, f"only the rewards {shown}; expected at least {_FEWEST_VALUES} on the way")
    return RuleResult("stopped", True, f"never more than stopped later: {shown}")


def lazy(plays: Plays) -> RuleResult:
    """Scripts that want to be paid without doing the work are not."""
    scripts = [*plays.world.package.cases(plays.task, "lazy")]
    if not scripts:
        return RuleResult(
            "lazy", None, f"no scripts in tasks/{plays.task}/lazy/; write some that want to be paid for nothing"
        )
    results = plays.play_all([plays.episode("lazy", answer=script) for script in scripts])
    played = [*zip(scripts, results, strict=True)]
    wrong = [(script, each) for script, each in played if each.reward is None or each.reward > _MOST_LAZY]
    most = max((result.reward or 0.0 for result in results), default=0.0)
    detail = (
        f"{wrong[0][0]}: {_shown(wrong[0][1])}" if wrong else f"{len(scripts)} scripts earn {reward_text(most)} at most"
    )
    cases = tuple(_case(script, each) for script, each in played)
    return RuleResult("lazy", not wrong, detail, cases, _runs(each for _, each in wrong))


def good(plays: Plays) -> RuleResult:
    """Honest ways to do the task that are not the reference solution earn everything."""
    scripts = [*plays.world.package.cases(plays.task, "good")]
    if not scripts:
        detail = f"no scripts in tasks/{plays.task}/good/; write honest ways to do it that are not the oracle"
        return RuleResult("good", None, detail)
    results = plays.play_all([plays.episode("good", answer=script) for script in scripts])
    played = [*zip(scripts, results, strict=True)]
    wrong = [(script, each) for script, each in played if each.reward != 1.0]
    detail = f"{wrong[0][0]}: {_shown(wrong[0][1])}" if wrong else f"{len(scripts)} scripts earn exactly 1"
    cases = tuple(_case(script, each) for script, each in played)
    return RuleResult("good", not wrong, detail, cases, _runs(each for _, each in wrong))


def chance(plays: Plays) -> RuleResult:
    """Pressing buttons earns nothing."""
    results = plays.play_all([plays.episode("random", seed=seed) for seed in _RANDOM_SEEDS])
    broken = [result for result in results if result.reward is None]
    mean = sum(result.reward or 0.0 for result in results) / len(results)
    if broken:
        return RuleResult("random", False, f"seed {broken[0].seed}: {_shown(broken[0])}", failed=_runs(broken))
    passed = mean <= _MOST_RANDOM
    paid = [] if passed else [result for result in results if result.reward]
    return RuleResult("random", passed, f"{reward_text(mean)} on average over {len(results)} seeds", failed=_runs(paid))


def replayed(plays: Plays) -> RuleResult:
    """The reference solution, run again, meets the same answers."""
    result = plays.play("oracle", seed=3)
    report = replay(plays.world, plays.read(result))
    if report.matches:
        return RuleResult("replay", True, f"all {report.steps} steps come out as recorded")
    found = report.first_divergence or {}
    return RuleResult(
        "replay", False, f"step {found.get('step')} differs in {found.get('field')}", failed=_runs([result])
    )


def known(plays: Plays) -> RuleResult:
    """The reference solution uses nothing that it could not know."""
    result = plays.play("oracle")
    run = plays.read(result)
    with plays.world.open_session(plays.task) as session:
        unknown = unknown_literals(session.instructions, session.tools, run.events)
    listed = ", ".join(f"{each.word!r} in {each.call}" for each in unknown[:_SHOWN])
    detail = (
        f"neither asked for nor seen before: {listed}" if unknown else "every name and number was asked for or seen"
    )
    return RuleResult("known", not unknown, detail, failed=_runs([result] if unknown else []))


def _case(name: str, result: RunResult) -> PlayedCase:
    """What a script earned."""
    lines = [line for line in result.ledger if isinstance(line, dict)]
    earned = {str(line["criterion"]): (_points(line["earned"]), _points(line["worth"])) for line in lines}
    return PlayedCase(name, result.reward, earned, tuple(str(line["criterion"]) for line in lines if line["passed"]))


def _points(value: Json) -> int:
    return int(value) if isinstance(value, int | float) else 0


def _runs(results: Iterable[RunResult]) -> tuple[str, ...]:
    """The folders of runs."""
    return tuple(result.run for result in results)


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
        return f"{reward_text(result.reward)} without {', '.join(unread)}, which nobody has read; see `brownout record-judge`"
    return reward_text(result.reward) + (f" ({lost[0]})" if lost else "")


def _unread(result: RunResult) -> list[str]:
    """The criteria that were left out because nobody could read them; what the user skips is no fault of the task's."""
    return [str(one["criterion"]) for one in result.left_out if one["because"] == "unread"]


Rule = Callable[[Plays], RuleResult]
SMOKE: Final[Mapping[str, Rule]] = {
    "oracle": oracle, "nothing": nothing, "stopped": stopped, "lazy": lazy, "good": good, "random": chance,
    "replay": replayed, "known": known, "transfer": transfer,
}  # fmt: skip
"""The rules of the quickest tier, by name, in the order in which they are checked."""
