"""Whether what a policy was shown only ever grows: each prompt begins with all that was seen and said before, to the last token.

Where it does not (a chat template that drops earlier thoughts, a client that writes calls anew, text that is cut into other tokens), a
trainer learns from a history that the policy never saw, and its cache is lost. No reward tells of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import orjson

from brownout.core.errors import UsageError
from brownout.core.values import Json, JsonObject
from brownout.rollouts.recorder import StoredRun
from brownout.trajectories.conversation import conversation_of
from brownout.trajectories.message_history import history_of

__all__ = ["HistoryBreak", "HistoryReport", "TokenPrompt", "check_run_history", "check_token_file", "first_break"]

_IDS = (
    ("prompt_ids", "completion_ids"),  # TRL's words, and those of the log that our export to it writes
    ("prompt_token_ids", "completion_token_ids"),  # ATIF 1.7, `metrics` of a step
    ("prompt_token_ids", "generation_token_ids"),  # NeMo Gym, items of a rollout's output
)
"""What formats call the tokens of a prompt and of its answer."""


@dataclass(frozen=True, slots=True)
class TokenPrompt:
    """A prompt that a policy was shown and what it answered, as token ids."""

    prompt: Sequence[int]
    answer: Sequence[int]


@dataclass(frozen=True, slots=True)
class HistoryBreak:
    """The first prompt of an episode that is not what was seen before and more.

    Attributes:
        prompt: its number in the episode, from 1.
        why: what differs where.
    """

    episode: str
    prompt: int
    why: str


@dataclass(frozen=True, slots=True)
class HistoryReport:
    """What was checked.

    Attributes:
        unit: what prompts were compared by: `tokens`, or `messages` where nobody noted the tokens.
        breaks: one an episode at most.
    """

    episodes: int
    prompts: int
    unit: str
    breaks: tuple[HistoryBreak, ...]


def first_break(prompts: Sequence[TokenPrompt], episode: str = "") -> HistoryBreak | None:
    """The first prompt of an episode that does not begin with the one before it and its answer; None where each does.

    first_break([TokenPrompt([1, 2], [3]), TokenPrompt([1, 2, 3, 9], [4])])    # None
    first_break([TokenPrompt([1, 2], [3]), TokenPrompt([1, 9, 3], [4])])       # prompt 2, token 1
    """
    for number, (before, now) in enumerate(pairwise(prompts), start=2):
        seen = [*before.prompt, *before.answer]
        for at, token in enumerate(seen):
            if at >= len(now.prompt):
                return HistoryBreak(episode, number, f"ends at token {at}, and {len(seen)} were seen before")
            if now.prompt[at] != token:
                return HistoryBreak(episode, number, f"has {now.prompt[at]} as token {at}, which was {token} before")
    return None


def check_token_file(source: Path) -> HistoryReport:
    """Check a file of token ids.

    Args:
        source: JSON, a document or one a line: objects with `prompt_ids` and `completion_ids`, wherever they stand (also by ATIF's
            and NeMo Gym's names). Each document is an episode, unless its objects name theirs in `episode`.

    Raises:
        UsageError: it cannot be read, or holds no tokens.
    """
    episodes: dict[str, list[TokenPrompt]] = {}
    for number, document in enumerate(_documents(source), start=1):
        for episode, prompt in _prompts_in(document, str(number)):
            episodes.setdefault(episode, []).append(prompt)
    if not episodes:
        raise UsageError(
            f"{source}: expected objects with prompt_ids and completion_ids (lists of integers); found none"
        )
    breaks = [first_break(prompts, episode) for episode, prompts in episodes.items()]
    return HistoryReport(
        len(episodes), sum(map(len, episodes.values())), "tokens", tuple(each for each in breaks if each is not None)
    )


def check_run_history(run: StoredRun) -> HistoryReport:
    """Check a run that a model played.

    What was sent is put together from the log and held to the digests that were kept when it was sent; where the endpoint gave the
    tokens, they are compared too.

    Raises:
        UsageError: no model played it or it never answered, its answers were not kept, or the package that has the tools is not at hand.
        RunError: its log does not begin with a header.
    """
    talk = conversation_of(run)
    history = history_of(talk)
    if not history.asked and talk.result is not None and talk.result.failure_kind == "model_failed":
        raise UsageError(
            f"{run.folder}: the model never answered, so there are no prompts to check: {talk.result.failure}"
        )
    if not history.asked:
        raise UsageError(f"{run.folder}: no model played this run, so there are no prompts to check")
    if not history.is_recorded:
        raise UsageError(f"{run.folder}: expected what the model answered in model.jsonl; found nothing")
    if not talk.tools:
        raise UsageError(f"{run.folder}: the world package of this run is not at hand, so its tools are not known")
    name = run.folder.resolve().name
    prompts: list[TokenPrompt] = []
    for number, asked in enumerate(history.asked, start=1):
        if asked.answer is None:
            why = f"is not what was sent: no request of these {asked.sent} messages and these tools was recorded"
            return HistoryReport(1, len(history.asked), "messages", (HistoryBreak(name, number, why),))
        if asked.answer.prompt_ids and asked.answer.token_ids:
            prompts.append(TokenPrompt(asked.answer.prompt_ids, asked.answer.token_ids))
    if len(prompts) < len(history.asked):
        return HistoryReport(1, len(history.asked), "messages", ())
    found = first_break(prompts, name)
    return HistoryReport(1, len(prompts), "tokens", (found,) if found is not None else ())


def _documents(source: Path) -> Iterator[Json]:
    try:
        content = source.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {source}: {error.strerror}") from error
    try:
        yield orjson.loads(content)
        return
    except orjson.JSONDecodeError:
        lines = content.splitlines()
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise UsageError(f"{source}:{number}: expected JSON, a document or one a line: {error}") from error


def _prompts_in(document: Json, episode: str) -> Iterator[tuple[str, TokenPrompt]]:
    """The prompts that stand in a document, in their order, each with its episode."""
    if isinstance(document, list):
        for each in document:
            yield from _prompts_in(each, episode)
    elif isinstance(document, dict):
        own = str(document.get("episode", episode))
        for prompt, answer in _IDS:
            if prompt in document and answer in document:
                yield own, TokenPrompt(_ids(document, prompt), _ids(document, answer))
                return
        for each in document.values():
            yield from _prompts_in(each, own)


def _ids(document: JsonObject, name: str) -> list[int]:
    found = document[name]
    ids = [each for each in found if isinstance(each, int)] if isinstance(found, list) else []
    if not isinstance(found, list) or len(ids) != len(found):
        raise UsageError(f"{name}: expected a list of integers, found {str(found)[:60]}")
    return ids
