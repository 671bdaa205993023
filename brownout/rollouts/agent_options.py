"""What an agent and its graders may be told on the command line."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from brownout.core.plugins import plugin_address
from brownout.llm import JudgeSettings, Model

__all__ = ["AS_RECORDED", "AgentOptions", "GradingOptions", "grading_options"]


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """Settings of one episode's agent.

    Attributes:
        answer: what `noop` submits, or which script `lazy` or `good` plays.
        stop_after: the oracle stops after so many calls; None plays it whole.
        model: which one plays as `llm`; None where none does.
        folder: the run's, where an agent may keep its own records; None keeps none.
    """

    answer: str = ""
    stop_after: int | None = None
    seed: int = 0
    model: Model | None = None
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class GradingOptions:
    """How episodes are graded.

    Attributes:
        model: judges what only a reader can judge; None leaves it to what is recorded.
        skip: graders to leave out.
        strict: the reward is null where something would be left out because nobody can read it.
    """

    model: Model | None = None
    skip: frozenset[str] = frozenset()
    strict: bool = False

    def judge(self, folder: Path | None) -> JudgeSettings:
        """Who judges the run in that folder; the answers are kept there and never asked for again."""
        return JudgeSettings(self.model, folder / "judge.jsonl" if folder else None)


AS_RECORDED: Final = GradingOptions()
"""Everything is graded; the judge's part by the answers that were recorded with the task or the run."""


def grading_options(
    *,
    skip: Iterable[str] = (),
    strict: bool = False,
    judge_model: str = "",
    judge_base_url: str = "",
    judge_key_env: str = "",
) -> GradingOptions:
    """What a command line or a framework's parameters say about grading.

    Raises:
        UnknownPlugin: no grader is called what is to be skipped.
    """
    skipped = frozenset(skip)
    for name in skipped:
        plugin_address("graders", name)
    model = Model(name=judge_model, base_url=judge_base_url, api_key_env=judge_key_env) if judge_model else None
    return GradingOptions(model, skipped, strict)
