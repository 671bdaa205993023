"""Where in Jira what people write is seen: on its issue; a new issue in its project."""

from collections.abc import Mapping
from typing import Final

from brownout.core.app_roles import Asked, Foreseen, Place, Sight
from brownout.core.apps import Call, Intent
from tools.jira import operations, records, serializers, tables
from tools.jira.intent_batches import WHOSE, is_plain, key_of

__all__ = ["foresee", "sight"]

_NOWHERE: Final = frozenset[Place]()
_ANYWHERE: Final = Foreseen(None)
_WRITTEN: Final = (tables.issue.name, tables.comment.name, tables.history.name, tables.project.name)
"""The tables to which a plain intent writes."""
_NAMES: Final = frozenset(map(str, tables.metadata.tables))
_OF_ONE: Final = serializers.OF_ONE_ISSUE | operations.OF_ONE_ISSUE
_BY_KEY: Final = frozenset((records.ISSUE_BY_KEY, records.PROJECT_BY_KEY))


def foresee(call: Call, intent: Intent) -> Foreseen:
    """The issue that is commented on or changed, by its two keys, or the project of a new one; anywhere where it also links issues."""
    if not is_plain(intent):
        return _ANYWHERE
    if intent.kind == "open":
        return Foreseen(frozenset((str(intent.details.get("project", "")).upper(),)))
    key = key_of(call, intent)
    issue = call.rows.scalar(WHOSE, key=key) if key else None
    return Foreseen(frozenset((issue, key)) if issue is not None else _NOWHERE)


def sight(what: str) -> Sight | None:
    """What is seen of Jira by a statement, or of one of its tables; None where it may be all, and whenever something is written."""
    if what in _OF_ONE:
        return Sight(besides=lambda asked: _named(asked, "issue"))
    if what in _BY_KEY:
        return Sight(besides=lambda asked: _named(asked, "key"))
    if what in _NAMES:
        return (
            Sight(besides=lambda asked: _NOWHERE if isinstance(asked, int) else None) if what not in _WRITTEN else None
        )
    return Sight() if what.startswith("SELECT") and not any(table in what for table in _WRITTEN) else None


def _named(asked: Asked, parameter: str) -> frozenset[Place] | None:
    """The issue that a parameter names by either of its keys; by its own key it may also be a new one of its project."""
    one = asked.get(parameter) if isinstance(asked, Mapping) else None
    if isinstance(one, str):
        return frozenset((one, one.partition("-")[0]))
    return frozenset((one,)) if isinstance(one, int) else None
