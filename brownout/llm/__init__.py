"""The only client of language models: ask once, keep the answer, replay it for ever.

litellm speaks to the endpoint and is imported when a model is first asked; a recorded answer needs neither.
"""

from brownout.llm.cassette import HAND, Cassette, Recorded, prompt_key, recorded_lines
from brownout.llm.client import ask, chat
from brownout.llm.failures import FailureReason, ModelFailure
from brownout.llm.model_settings import JudgeSettings, Model
from brownout.llm.question_relay import (
    Asking,
    ModelAnswer,
    Question,
    QuestionRelay,
    Questions,
    QuestionsAsked,
    together,
)
from brownout.llm.recorded_client import RecordedClient, open_client

__all__ = [
    "HAND",
    "Asking",
    "Cassette",
    "FailureReason",
    "JudgeSettings",
    "Model",
    "ModelAnswer",
    "ModelFailure",
    "Question",
    "QuestionRelay",
    "Questions",
    "QuestionsAsked",
    "Recorded",
    "RecordedClient",
    "ask",
    "chat",
    "open_client",
    "prompt_key",
    "recorded_lines",
    "together",
]
