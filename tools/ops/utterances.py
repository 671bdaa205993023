"""What a change of a row says, and to whom: a page, a note on an alert, an update of an incident, a post."""

import orjson
from sqlalchemy import select

from brownout.core.apps import Utterance
from brownout.core.calls import Effect
from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from tools.ops import tables
from tools.ops.rota import on_call_for
from tools.ops.selectors import path_of

__all__ = ["utterance"]

_READERS = compile_query(
    select(tables.user.c.person).union_all(select(tables.visitor.c.person)).order_by(tables.user.c.person)
)


def utterance(rows: Rows, effect: Effect) -> Utterance | None:
    """A page, read by whoever is paged; a note on an alert, read by those who work on it; an update on an incident, by
    whoever it is sent to; a post on our status page, by everybody.
    """
    row = effect.after
    if row is None or effect.table not in ("ops_page", "ops_note", "ops_incident_update", "ops_post_update"):
        return None
    path = path_of(rows, effect.table, row)
    if effect.table == "ops_incident_update":
        return _update(path, row)
    if effect.table == "ops_post_update":
        return _post(rows, path, row)
    if effect.table == "ops_page":
        return Utterance(path, row.text("text"), frozenset({row.text("whom")}))
    alert = rows.get(tables.alert, row.number("alert"))
    service = rows.get(tables.service, alert.number("service")) if alert else None
    people = {row.text("who")}
    if alert is not None and service is not None:
        on_call = on_call_for(rows, service, row.number("at_us"))
        people |= {alert.text("assigned"), alert.text("acknowledged_by"), on_call}
    return Utterance(path, row.text("text"), frozenset(people - {""}))


def _update(path: str, row: Row) -> Utterance | None:
    """An update, read by whoever it was sent to."""
    text = "\n".join(part for part in (row.text("message"), *_told(row)) if part)
    people = frozenset(str(name) for name in orjson.loads(row.text("sent_to")))
    return Utterance(path, text, people) if text else None


def _told(row: Row) -> list[str]:
    """What an update newly says about what was done."""
    changed = orjson.loads(row.text("changed"))
    told = [str(changed["title"][1])] if "title" in changed else []
    told += [str(changed["mitigation"][1])] if "mitigation" in changed else []
    old, new = changed.get("runs_on", [[], []])
    for text in new:
        place, _, target = str(text).partition("=")
        service, _, need = place.rpartition(".")
        if text not in (old or []):
            told.append(f"{need} of {service}: {target}")
    return told


def _post(rows: Rows, path: str, row: Row) -> Utterance:
    """What was published, readable by everybody at the company and outside."""
    post = rows.get(tables.post, row.number("post"))
    title = post.text("title") if post is not None else ""
    people = frozenset(found.text("person") for found in rows.all(_READERS))
    return Utterance(path, f"{title}\n{row.text('body')}", people, subject=title)
