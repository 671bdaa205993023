"""Small files that go with mails, byte for byte the same on every machine: sheets, letters, charts, invitations.

No library makes them: what compresses or names its version would not give the same bytes everywhere.
"""

from base64 import b64encode
from collections.abc import Callable, Sequence
from struct import pack
from typing import Final
from zlib import adler32, crc32

from brownout.background.packs import MailFile
from brownout.core.instants import DAY, Instant, local, to_datetime
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject

__all__ = ["file_of", "invitation"]

_AGAIN: Final = 8
_NUMBERS: Final = ".."
_WIDE, _HIGH, _MARGIN = 160, 96, 10
_COLOURS: Final = (b"\xff\xff\xff", b"\x3b\x6e\xa5", b"\x8a\x8f\x98", b"\x22\x26\x2b")
"""White, the bars, the lines between, the axes."""
_PAPER, _ACROSS, _PAGE_TOP, _LINE = (595, 842), 64, 770, 16


def file_of(
    wanted: MailFile, filled: Callable[[str], str], is_free: Callable[[str], bool], at: Instant, stream: Stream
) -> JsonObject | None:
    """The file as an intent carries it, made of a pack's words; None where everything drawn states a storyline's fact.

    Args:
        filled: a text with its slots filled.
        is_free: whether a text states no fact of a storyline.
    """
    for _ in range(_AGAIN):
        name = "-".join(filled(wanted.name).lower().split())
        if wanted.columns:
            rows = _rows(wanted, filled, at, stream)
            text = "".join(f"{','.join(map(_cell, row))}\n" for row in [[*wanted.columns], *rows])
            said, made = " ".join(cell for row in rows for cell in row), _text(name, "text/csv", text)
        elif wanted.lines:
            lines = [filled(line) for line in wanted.lines]
            said, made = " ".join(lines), _binary(name, "application/pdf", _pdf(lines))
        else:
            said, made = (
                "",
                _binary(name, "image/png", _chart([stream.between(8, 76) for _ in range(stream.between(5, 12))])),
            )
        if is_free(f"{name} {said}"):
            return made
    return None


def invitation(
    uid: str,
    title: str,
    organiser: tuple[str, str],
    guest: tuple[str, str],
    start: Instant,
    end: Instant,
    *,
    is_off: bool,
) -> JsonObject:
    """A meeting as calendars tell it to each other (RFC 5545).

    Args:
        organiser, guest: name and address.
        is_off: it does not take place.
    """
    method, status = ("CANCEL", "CANCELLED") if is_off else ("REQUEST", "CONFIRMED")
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Calendar//EN", f"METHOD:{method}", "BEGIN:VEVENT", f"UID:{uid}",
        f"DTSTART:{to_datetime(start):%Y%m%dT%H%M%SZ}", f"DTEND:{to_datetime(end):%Y%m%dT%H%M%SZ}",
        f"SUMMARY:{_escaped(title)}", f"ORGANIZER;CN={organiser[0]}:mailto:{organiser[1]}",
        f"ATTENDEE;CN={guest[0]};RSVP=TRUE:mailto:{guest[1]}", f"STATUS:{status}", "END:VEVENT", "END:VCALENDAR",
    ]  # fmt: skip
    return _text("invite.ics", "text/calendar", "".join(f"{line}\r\n" for line in lines))


def _text(name: str, mime_type: str, text: str) -> JsonObject:
    return {"filename": name, "mime_type": mime_type, "content": text}


def _binary(name: str, mime_type: str, content: bytes) -> JsonObject:
    return {"filename": name, "mime_type": mime_type, "content": b64encode(content).decode()}


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;")


# -- sheets -------------------------------------------------------------------------------------------------


def _rows(wanted: MailFile, filled: Callable[[str], str], at: Instant, stream: Stream) -> list[list[str]]:
    """What stands below the headings: days go on from row to row up to the last ones, and so do numbers in the first column."""
    low, high = wanted.rows
    apart = [stream.between(1, 4) * DAY for _ in range(stream.between(low, high))]
    day = at - sum(apart)
    found = []
    for days in apart:
        found.append([_drawn(cells, filled, day, stream) for cells in wanted.columns.values()])
        day += days
    if all(row[0].isdigit() for row in found):
        numbered = {int(row[0]): row for row in found}
        found = [numbered[number] for number in sorted(numbered)]
    return found


def _drawn(cells: Sequence[str], filled: Callable[[str], str], day: Instant, stream: Stream) -> str:
    one = stream.choice(cells)
    if one == "date":
        return f"{local(day, 'UTC'):%Y-%m-%d}"
    low, mark, high = one.partition(_NUMBERS)
    if mark and low.isdigit() and high.isdigit():
        return str(stream.between(int(low), int(high)))
    return filled(one)


def _cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if {*text} & {*',"\n'} else text


# -- letters ------------------------------------------------------------------------------------------------


def _pdf(lines: Sequence[str]) -> bytes:
    """A page of lines in Helvetica, as PDF 1.4 without compression."""
    shown = b"".join(
        b"1 0 0 1 %d %d Tm (%b) Tj\n" % (_ACROSS, _PAGE_TOP - number * _LINE, _in_brackets(line))
        for number, line in enumerate(lines)
    )
    page = b"BT /F1 %d Tf\n%bET" % (11, shown)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>"
        % _PAPER,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(page), page),
    ]
    found, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(found))
        found += b"%d 0 obj\n%b\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return found + end % (len(objects) + 1, table, len(objects) + 1, len(found))


def _in_brackets(text: str) -> bytes:
    coded = text.encode("cp1252", "replace")
    return coded.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


# -- charts -------------------------------------------------------------------------------------------------


def _chart(heights: Sequence[int]) -> bytes:
    """Bars of so many pixels side by side, as a PNG of four colours without compression."""
    step = (_WIDE - 2 * _MARGIN) // len(heights)
    lines = []
    for y in range(_HIGH):
        above = _HIGH - _MARGIN - y
        row = [0] * _WIDE
        if above > 0 and above % 20 == 0:
            row[_MARGIN:] = [2] * (_WIDE - _MARGIN)
        for number, height in enumerate(heights):
            if 0 < above <= height:
                left = _MARGIN + number * step + 2
                row[left : left + step - 3] = [1] * (step - 3)
        row[_MARGIN] = 3 if above >= 0 else 0
        if above == 0:
            row[_MARGIN:] = [3] * (_WIDE - _MARGIN)
        four = zip(*(row[start::4] for start in range(4)), strict=True)
        lines.append(b"\0" + bytes(a << 6 | b << 4 | c << 2 | d for a, b, c, d in four))
    data = b"".join(lines)
    size = len(data)
    stream = b"\x78\x01\x01" + pack("<HH", size, size ^ 0xFFFF) + data + pack(">I", adler32(data))
    header = pack(">IIBBBBB", _WIDE, _HIGH, 2, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", b"".join(_COLOURS)), (b"IDAT", stream), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        pack(">I", len(content)) + kind + content + pack(">I", crc32(kind + content)) for kind, content in parts
    )
