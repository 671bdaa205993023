"""Files that go with mails: readable by the programs that read such files, made of packs, and the same bytes each time."""

import csv
from base64 import b64decode
from io import BytesIO, StringIO

import pytest
from PIL import Image

from brownout.background.attachments import file_of, invitation
from brownout.background.packs import MailFile
from brownout.core.instants import HOUR, from_datetime, to_datetime
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject
from generators.background.pack_files import read_mail_files

AT = from_datetime(to_datetime(0).replace(year=2026, month=3, day=2))


def _made(wanted: MailFile, seed: int = 1, taken: str = "") -> JsonObject | None:
    return file_of(
        wanted,
        lambda text: text.replace("{month_past}", "May"),
        lambda text: not taken or taken not in text,
        AT,
        Stream(seed),
    )


def _content(made: JsonObject | None) -> bytes:
    assert made is not None
    text = str(made["content"])
    return text.encode() if str(made["mime_type"]).startswith("text/") else b64decode(text, validate=True)


@pytest.mark.parametrize("name", sorted(read_mail_files()))
def test_a_file_is_what_its_name_says(name: str) -> None:
    wanted = read_mail_files()[name]
    for seed in range(5):
        made = _made(wanted, seed)
        assert made == _made(wanted, seed)
        assert made is not None
        content = _content(made)
        assert 0 < len(content) < 6_000
        match str(made["filename"]).rpartition(".")[2]:
            case "csv":
                head, *rows = csv.reader(StringIO(content.decode()))
                assert head == [*wanted.columns]
                assert 1 < len(rows) <= wanted.rows[1]
                assert max((cell for row in rows for cell in row if cell[:5] == "2026-"), default="") < "2026-03-03"
                assert {len(row) for row in rows} == {len(head)}
            case "png":
                with Image.open(BytesIO(content)) as image:
                    image.load()
                    assert image.size == (160, 96)
                    assert len(image.convert("RGB").getcolors() or ()) == 4
            case _:
                assert content.startswith(b"%PDF-1.4\n")
                place = int(content.rsplit(b"startxref\n", 1)[1].split()[0])
                assert content[place:].startswith(b"xref")
                for number, line in enumerate(content[place:].split(b"\n")[3:8], 1):
                    assert content[int(line[:10]) :].startswith(b"%d 0 obj" % number)
    assert len({str(_made(wanted, seed)) for seed in range(9)}) > 1 or wanted.lines


def test_a_letter_may_hold_brackets_and_letters_of_western_europe() -> None:
    content = _content(_made(MailFile(name="x.pdf", said=("s",), lines=(r"Größe (2) \ Preis: 3 €",))))
    assert r"(Größe \(2\) \\ Preis: 3 €) Tj".encode("cp1252") in content


def test_no_file_states_a_storylines_fact() -> None:
    wanted = MailFile(name="x.csv", said=("s",), columns={"Day": ("1..2", "19")}, rows=(9, 9))
    assert _made(wanted, taken="19") is None
    assert _made(wanted, taken="20") is not None


def test_an_invitation_names_who_and_when() -> None:
    sides = ("Ida, L.", "ida@penny.test"), ("Marcus Bell", "marcus@penny.test")
    lines = _content(invitation("7@penny.test", "Plan; B", *sides, AT, AT + HOUR, is_off=False)).decode().split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert {"METHOD:REQUEST", "DTSTART:20260302T000000Z", "DTEND:20260302T010000Z", r"SUMMARY:Plan\; B"} < {*lines}
    off = _content(invitation("7@penny.test", "Plan", *sides, AT, AT + HOUR, is_off=True)).decode()
    assert "METHOD:CANCEL" in off
    assert "STATUS:CANCELLED" in off
