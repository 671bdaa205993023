"""Rows as the Gmail API's JSON. Bodies and files of text stand in it as plain text, other files in base64url as the API has them.

Files are so small that they come with their message, without a request of their own.
"""

from base64 import b64decode
from collections.abc import Sequence
from email.utils import format_datetime
from typing import Literal, TypeAlias

from brownout.core.instants import to_datetime
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from tools.gmail.addresses import addresses_in
from tools.gmail.mailbox import draft_id, label_ids

__all__ = ["Format", "draft_json", "history_id", "message_json", "minimal", "snippet"]

Format: TypeAlias = Literal["full", "metadata", "minimal"]

_SNIPPET = 200


def snippet(body: str) -> str:
    """The beginning of a body on one line."""
    text = " ".join(body.split())
    return text if len(text) <= _SNIPPET else text[:_SNIPPET].rpartition(" ")[0] + " …"


def minimal(row: Row) -> JsonObject:
    """What a change of a message answers with."""
    labels: list[Json] = [*label_ids(row)]
    return {"id": row.text("gmail_id"), "threadId": row.text("thread_id"), "labelIds": labels}


def message_json(row: Row, form: Format, files: Sequence[Row] = ()) -> JsonObject:
    """A message: `minimal` without its headers, `metadata` with them, `full` with the body and its files too."""
    at = row.number("at_us")
    shown: JsonObject = {
        **minimal(row),
        "snippet": snippet(row.text("body")),
        "historyId": history_id([row]),
        "internalDate": str(at // 1_000),
    }
    if form == "minimal":
        return shown
    payload: JsonObject = {"mimeType": "multipart/mixed" if files else "text/plain", "headers": _headers(row)}
    if form == "full":
        body = row.text("body")
        shown_body: JsonObject = {"size": len(body.encode()), "data": body}
        payload["body"] = {"size": 0} if files else shown_body
        if files:
            text: JsonObject = {"partId": "0", "mimeType": "text/plain", "filename": "", "body": shown_body}
            payload["parts"] = [text, *(_part(row, number, one) for number, one in enumerate(files, 1))]
    return {**shown, "payload": payload}


def _part(row: Row, number: int, file: Row) -> JsonObject:
    """A file that goes with a message."""
    mime_type, content = file.text("mime_type"), file.text("content")
    is_text = mime_type.startswith("text/")
    size = len(content.encode() if is_text else b64decode(content))
    data = content if is_text else content.replace("+", "-").replace("/", "_")
    return {
        "partId": str(number),
        "mimeType": mime_type,
        "filename": file.text("filename"),
        "body": {"attachmentId": f"{row.text('gmail_id')}.{number}", "size": size, "data": data},
    }


def history_id(rows: Sequence[Row]) -> str:
    """The last change of any of them, in a number that only grows."""
    return str(max((at // 1_000 for row in rows if isinstance(at := row["changed_us"], int)), default=0))


def draft_json(row: Row, form: Format) -> JsonObject:
    """A draft with its message."""
    return {"id": draft_id(row), "message": message_json(row, form)}


def _headers(row: Row) -> list[Json]:
    lists = {name: ", ".join(str(one) for one in addresses_in(row.text(name))) for name in ("to", "cc", "bcc")}
    answered = f"<{row.text('in_reply_to')}>" if row["in_reply_to"] else ""
    headers = {
        "From": row.text("sender"),
        "To": lists["to"],
        "Cc": lists["cc"],
        "Bcc": lists["bcc"] if _is_own(row) else "",
        "Subject": row.text("subject"),
        "Date": format_datetime(to_datetime(row.number("at_us"))),
        "Message-ID": f"<{row.text('rfc_id')}>",
        "In-Reply-To": answered,
        "References": answered,
    }
    return [{"name": name, "value": value} for name, value in headers.items() if value or name == "Subject"]


def _is_own(row: Row) -> bool:
    """Only who wrote a message sees whom it went to in secret."""
    return row["author"] == row["owner"]
