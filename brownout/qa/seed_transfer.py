"""Whether what was right with one seed is paid with another: then the reward does not rest on what was found out."""

from collections.abc import Iterable, Sequence
from typing import Final

from brownout.core.calls import ToolCall
from brownout.core.errors import AuthoringError
from brownout.core.grading import Grade
from brownout.core.reward_words import reward_text
from brownout.core.trajectory import Event, ToolCallEvent
from brownout.engine.world import World
from brownout.qa.played_episodes import Plays
from brownout.qa.rule_results import RuleResult

__all__ = ["calls_without_reads", "played_blindly", "transfer"]

_MOST: Final = 0.2


def transfer(plays: Plays) -> RuleResult:
    """The reference solution's calls of one seed, without those that only read, earn nothing with another."""
    variants = plays.variants
    if variants is None:
        return RuleResult("transfer", None, "the author's text is not at hand, so no other seed can be built")
    if not variants.is_drawn:
        return RuleResult("transfer", None, "nothing is drawn in this world")
    graded = variants.graded(plays.task)
    if not graded:
        return RuleResult("transfer", None, "nothing that this task grades is drawn")
    own = plays.world.package.manifest.seed
    seed, same = variants.differing(own, graded)
    if len(same) == len(graded):
        return RuleResult("transfer", False, f"no seed gives {', '.join(same)} another value than seed {own} does")
    oracle = plays.play("oracle")
    if oracle.status != "ok":
        return RuleResult("transfer", False, f"the oracle cannot be played: {oracle.failure}")
    calls = calls_without_reads(plays.world, plays.read(oracle).events)
    try:
        grade = played_blindly(variants.world(seed), plays.task, calls, plays)
    except AuthoringError as error:
        return RuleResult("transfer", False, f"seed {seed} cannot be built: {error}")
    what = f"what the oracle does with seed {own}, done with seed {seed}"
    kept = f", where {', '.join(same)} are the same" if same else ""
    if grade.reward is None:
        return RuleResult("transfer", False, f"{what}: no reward: {grade.failure}")
    met = [line.criterion for line in grade.ledger if line.passed and line.worth and not line.penalty]
    paid = f" ({', '.join(met)})" if met else ""
    return RuleResult("transfer", grade.reward <= _MOST, f"{what}{kept}, earns {reward_text(grade.reward)}{paid}")


def calls_without_reads(world: World, events: Iterable[Event]) -> list[ToolCall]:
    """The calls of a run but for those that only look: operations that write nothing, and the list of notices."""
    operations = world.setting.operations
    return [
        ToolCall(event.name, event.arguments, event.call_id)
        for event in events
        if isinstance(event, ToolCallEvent)
        and event.name != "notices_list"
        and (event.name not in operations or operations[event.name].writes)
    ]


def played_blindly(world: World, task: str, calls: Sequence[ToolCall], plays: Plays) -> Grade:
    """The grade of calls that are made as they are, whatever is answered."""
    with world.open_session(task) as session:
        for call in calls:
            if not session.ended:
                session.turn([call])
        if not session.ended:
            session.stop("done")
        return session.grade(judge=plays.grading.judge(None), skip=plays.grading.skip, strict=plays.grading.strict)
