"""The client of sessions, in this process or behind a server, and what it asks and is answered. It imports no engine."""

from brownout.client.answers import (
    CallAnswer,
    Closed,
    GradeAnswer,
    ServerMetrics,
    SessionLog,
    SessionOpened,
    SessionState,
    TurnTaken,
)
from brownout.client.client import Client, Transport
from brownout.client.errors import Refusal
from brownout.client.http import HttpTransport
from brownout.client.requests import Request, TurnCall

__all__ = [
    "CallAnswer",
    "Client",
    "Closed",
    "GradeAnswer",
    "HttpTransport",
    "Refusal",
    "Request",
    "ServerMetrics",
    "SessionLog",
    "SessionOpened",
    "SessionState",
    "Transport",
    "TurnCall",
    "TurnTaken",
]
