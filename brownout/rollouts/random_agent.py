"""An agent that presses buttons: any tool, arguments drawn from the schema and from what it has seen."""

import re

from brownout.core.blocking_steps import run_threaded
from brownout.core.calls import Observation, ToolCall
from brownout.core.seeds import Stream
from brownout.core.values import Json, JsonObject
from brownout.engine.session import Session
from brownout.rollouts.agent_options import AgentOptions

__all__ = ["RandomAgent"]

_CALLS = 60
_TOKEN = re.compile(r"[A-Z]{2,6}-\d+|#[a-z-]+|[CDU]0[0-9A-F]{9}|\d{10}\.\d{6}|[\w.]+@[\w.]+\.test|[A-Za-z][\w'-]{3,}")
_WORDS = ("done", "thanks", "it is fixed", "please have a look", "10 minutes", "the cause is known")


class RandomAgent:
    """Makes 60 random calls and stops. It sees names and ids in answers and uses them again."""

    def __init__(self, options: AgentOptions) -> None:
        self._seed = options.seed

    async def play(self, session: Session) -> None:
        """Make the calls."""
        stream = Stream("random-agent", self._seed, session.seed, session.task.id)
        seen: list[str] = [*_WORDS]
        tools = [tool for tool in session.tools if tool["name"] != "submit"]
        for number in range(_CALLS):
            if session.ended:
                return
            tool = stream.choice(tools)
            schema = tool["input_schema"]
            assert isinstance(schema, dict)
            call = ToolCall(str(tool["name"]), _arguments(schema, seen, stream), f"random-{number + 1}")
            answer = (await run_threaded(session.steps([call])))[0]
            _remember(answer, seen, stream)
        session.stop("done", f"{_CALLS} calls")


def _arguments(schema: JsonObject, seen: list[str], stream: Stream) -> JsonObject:
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    return {
        name: _value(part, seen, stream)
        for name, part in properties.items()
        if isinstance(part, dict) and (name in required or stream.chance(40))
    }


def _value(schema: JsonObject, seen: list[str], stream: Stream) -> Json:
    options = schema.get("anyOf")
    if isinstance(options, list) and options:
        chosen = stream.choice(options)
        return _value(chosen, seen, stream) if isinstance(chosen, dict) else None
    allowed = schema.get("enum")
    if isinstance(allowed, list) and allowed:
        return stream.choice(allowed)
    match schema.get("type"):
        case "integer" | "number":
            return stream.between(1, 40)
        case "boolean":
            return stream.chance(50)
        case "array":
            items = schema.get("items")
            return [_value(items if isinstance(items, dict) else {}, seen, stream) for _ in range(stream.below(3))]
        case "null":
            return None
        case "object":
            return {}
        case _:
            return stream.choice(seen)


def _remember(answer: Observation, seen: list[str], stream: Stream) -> None:
    """Keep some of what an answer shows; the newest are likelier to be drawn by staying within a bound."""
    found = list(dict.fromkeys(_TOKEN.findall(answer.content)))
    seen.extend(stream.shuffled(found)[:12])
    del seen[:-200]
