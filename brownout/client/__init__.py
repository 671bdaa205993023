"""The client of sessions, in this process or behind a server, and what it asks and is answered. It imports no engine."""

from brownout.client.answers import (
    Closed,
    GradeAnswer,
    ServerMetrics,
    SessionLog,
    SessionOpened,
    SessionState,
    ToolAnswer,
    TurnTaken,
)
from brownout.client.client import SessionClient, Transport
from brownout.client.errors import RequestRefused
from brownout.client.http import HttpTransport
from brownout.client.requests import SessionRequest, TurnCall

__all__ = [
    "Closed",
    "GradeAnswer",
    "HttpTransport",
    "RequestRefused",
    "ServerMetrics",
    "SessionClient",
    "SessionLog",
    "SessionOpened",
    "SessionRequest",
    "SessionState",
    "ToolAnswer",
    "Transport",
    "TurnCall",
    "TurnTaken",
]
