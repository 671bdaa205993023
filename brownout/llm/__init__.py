"""The one door to language models: ask once, keep the answer, replay it for ever.

litellm speaks to the endpoint and is imported when a model is first asked; a recorded answer needs neither.
"""

from brownout.llm.cassette import Cassette, Recorded, prompt_key, recorded_lines
from brownout.llm.door import Door, open_door
from brownout.llm.questions import Asked, Question, Relay
from brownout.llm.settings import JudgeSettings, Model
from brownout.llm.trouble import FailureReason, ModelFailure

__all__ = [
    "Asked",
    "Cassette",
    "Door",
    "FailureReason",
    "JudgeSettings",
    "Model",
    "ModelFailure",
    "Question",
    "Recorded",
    "Relay",
    "open_door",
    "prompt_key",
    "recorded_lines",
]
