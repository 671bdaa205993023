"""The one door to language models: ask once, keep the answer, replay it for ever.

litellm speaks to the endpoint and is imported when a model is first asked; a recorded answer needs neither.
"""

from brownout.llm.cassette import HAND, Cassette, Recorded, prompt_key, recorded_lines
from brownout.llm.client import ask
from brownout.llm.door import Door, open_door
from brownout.llm.questions import Answer, Asked, Asking, Question, Questions, Relay, together
from brownout.llm.settings import JudgeSettings, Model
from brownout.llm.trouble import FailureReason, ModelFailure

__all__ = [
    "HAND",
    "Answer",
    "Asked",
    "Asking",
    "Cassette",
    "Door",
    "FailureReason",
    "JudgeSettings",
    "Model",
    "ModelFailure",
    "Question",
    "Questions",
    "Recorded",
    "Relay",
    "ask",
    "open_door",
    "prompt_key",
    "recorded_lines",
    "together",
]
