"""An agent played by hand: whoever sits at the terminal types the calls."""

import asyncio
import sys
from typing import Final, TextIO

import orjson

from brownout.core.blocking_steps import run_threaded
from brownout.core.calls import ToolCall
from brownout.core.errors import BrownoutError
from brownout.core.values import JsonObject
from brownout.engine.session import Session
from brownout.rollouts.agent_options import AgentOptions

__all__ = ["HandAgent"]

_HELP: Final = """\
TOOL {"argument": …}   makes a call; the arguments are JSON on one line
say TEXT               words to whoever asked, without a call
submit TEXT            hands in the answer and ends
tools [TEXT]           lists the tools that have TEXT in their name
help TOOL              what a tool does, and its arguments"""

_AT_THE_TERMINAL: Final = asyncio.Lock()
"""Whose turn it is to be typed: several episodes of one command follow each other."""
_ENDS: Final = {"submit": "handed in", "calls": "no calls are left", "sim": "the time is over", "answer": "answered"}


class HandAgent:
    """Reads a line for each turn from standard input; what comes of it goes to standard error.

    A line that cannot be read costs no time. The end of the input stops the episode.
    """

    def __init__(self, options: AgentOptions) -> None:
        """Take no settings: whoever types has them."""

    async def play(self, session: Session) -> None:
        """Play until the episode ends, or the input does."""
        async with _AT_THE_TERMINAL:
            await self._play(session)

    async def _play(self, session: Session) -> None:
        _show(f"{session.instructions}\n\n{_HELP}")
        while not session.ended:
            line = await asyncio.to_thread(_next_line, sys.stdin)
            if line is None:
                session.stop("stopped", "the input ended")
                return
            _show(await self._turn(session, *_split(line)))
        _show(f"The episode has ended: {_ENDS.get(session.ended, session.ended)}.")

    async def _turn(self, session: Session, word: str, rest: str) -> str:
        match word:
            case "":
                return ""
            case "say" | "submit" if rest and not rest.startswith("{"):
                return _speak(session, word, rest)
            case "tools":
                return "\n".join(_listed(session, rest)) or f"no tool has {rest!r} in its name"
            case "help":
                return _helped(session, rest)
            case _:
                return await self._call(session, word, rest)

    async def _call(self, session: Session, name: str, text: str) -> str:
        if name not in {str(tool["name"]) for tool in session.tools}:
            return f"there is no tool {name!r}; `tools` lists them"
        try:
            arguments = orjson.loads(text or "{}")
        except orjson.JSONDecodeError as error:
            return f"the arguments are not JSON: {error}"
        if not isinstance(arguments, dict):
            return 'the arguments are a JSON object: {"name": "value"}'
        answer = (await run_threaded(session.steps([ToolCall(name, arguments, "")])))[0]
        return answer.content


def _next_line(stream: TextIO) -> str | None:
    return stream.readline() or None


def _split(line: str) -> tuple[str, str]:
    word, _, rest = line.strip().partition(" ")
    return word, rest.strip()


def _speak(session: Session, word: str, text: str) -> str:
    if word == "say":
        return session.say(text).content
    try:
        session.submit(text)
    except BrownoutError as error:
        return str(error)
    return ""


def _listed(session: Session, text: str) -> list[str]:
    return [str(tool["name"]) for tool in session.tools if text in str(tool["name"])]


def _helped(session: Session, name: str) -> str:
    tool: JsonObject | None = next((tool for tool in session.tools if tool["name"] == name), None)
    if tool is None:
        return _HELP if not name else f"there is no tool {name!r}; `tools` lists them"
    schema = orjson.dumps(tool["input_schema"], option=orjson.OPT_INDENT_2).decode()
    return f"{tool['description']}\n{schema}"


def _show(text: str) -> None:
    if text:
        sys.stderr.write(f"{text}\n\n")
        sys.stderr.flush()
