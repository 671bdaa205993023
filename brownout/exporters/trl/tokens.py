"""A log of the tokens that TRL's trainer showed its policy and got back, for `brownout trajectory check`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson

from brownout.core.errors import ExportError

__all__ = ["log_tokens"]

_GENERATE = "_generate"
_ONE_TURN = "_generate_single_turn"
"""Where TRL 1.16 starts the rollouts of a batch, and where each turn of theirs passes, whichever engine samples. Both are its own
business, so another version may have others."""


def log_tokens(trainer: object, file: str | Path) -> None:
    """From now on write a line for each prompt: `{"episode": 3, "prompt_ids": [...], "completion_ids": [...]}`.

    `brownout trajectory check FILE` says whether each prompt of an episode begins with the tokens seen before.

    Args:
        trainer: a `GRPOTrainer`.
        file: is made anew.

    Raises:
        ExportError: this version of TRL does its work elsewhere; nothing would be logged.
    """
    generate, one_turn = (getattr(trainer, name, None) for name in (_GENERATE, _ONE_TURN))
    if generate is None or one_turn is None:
        raise ExportError(
            "expected the GRPOTrainer of trl==1.16.0; this one generates in another way, so its tokens are not seen"
        )
    log = _TokenLog(Path(file))
    setattr(trainer, _GENERATE, log.batch(generate))
    setattr(trainer, _ONE_TURN, log.turn(one_turn))


class _TokenLog:
    """The rollouts of the batch at hand, each with the tokens that were seen in it."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
        self._file = file
        self._begun = 0
        self._seen: dict[int, list[int]] = {}
        self._is_first = True

    def batch(self, generate: Callable[..., Any]) -> Callable[..., Any]:
        def logged(*arguments: Any, **named: Any) -> Any:
            self._is_first = True
            return generate(*arguments, **named)

        return logged

    def turn(self, one_turn: Callable[..., Any]) -> Callable[..., Any]:
        def logged(prompt_ids: Sequence[Sequence[int]], *arguments: Any, **named: Any) -> Any:
            found = one_turn(prompt_ids, *arguments, **named)
            self._note(prompt_ids, found[0])
            return found

        return logged

    def _note(self, prompts: Sequence[Sequence[int]], answers: Sequence[Sequence[int]]) -> None:
        if self._is_first:
            names = list(range(self._begun + 1, self._begun + 1 + len(prompts)))
            self._begun += len(prompts)
        else:
            names = self._going_on(prompts)
        self._is_first = False
        self._seen = {name: [*prompt, *answer] for name, prompt, answer in zip(names, prompts, answers, strict=True)}
        with self._file.open("ab") as out:
            for name, prompt, answer in zip(names, prompts, answers, strict=True):
                line = {"episode": str(name), "prompt_ids": [*prompt], "completion_ids": [*answer]}
                out.write(orjson.dumps(line, option=orjson.OPT_SERIALIZE_NUMPY) + b"\n")

    def _going_on(self, prompts: Sequence[Sequence[int]]) -> list[int]:
        """Which rollouts these are: TRL drops those that have ended, and keeps the others' order.

        Each takes the first one left whose tokens it begins with; where there is none, the one that it shares most with.
        """
        left = dict(self._seen)
        names = []
        for prompt in prompts:
            name = max(left, key=lambda each: _shared(left[each], prompt))
            names.append(name)
            del left[name]
        return names


def _shared(seen: Sequence[int], prompt: Sequence[int]) -> tuple[bool, int]:
    """Whether a prompt begins with all that was seen, and how many tokens both begin with."""
    for at, (one, other) in enumerate(zip(seen, prompt, strict=False)):
        if one != other:
            return False, at
    return len(seen) <= len(prompt), min(len(seen), len(prompt))
