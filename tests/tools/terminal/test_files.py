"""Looking at files and writing them, with and without a sandbox."""

from typing import Any

import pytest

from tests.tools.terminal.company import Desk
from tools.terminal.sandbox_cache import idle_sandboxes

WRITE = r"""
for name in [b"new\nline", b"\xff\xfe", b"back\\slash", b"-rf", b"$(id)", b"\xc3\xa9", b"x" * 255]:
    open(name, "wb").write(name)
"""
READ = """
import os
print(sum(open(name, "rb").read() == name for name in os.listdir(b".") if name != b".github.com"))
"""


def names(answer: dict[str, Any]) -> list[str]:
    return [entry["name"] for entry in answer["entries"]]


def test_files_can_be_looked_at_before_anything_ran(desk: Desk) -> None:
    before = desk.session.digest()
    assert names(desk.ask("list_files")) == ["boxoffice"]
    shown = desk.ask("read_file", path="boxoffice/README.md", offset=2, limit=2)
    text = desk.git.read_file("main", "README.md").decode().splitlines(keepends=True)
    assert (shown["content"], shown["lines"], shown["truncated"]) == ("".join(text[1:3]), len(text), True)
    assert not desk.call("read_file", path="~/boxoffice/README.md").effects
    assert len(idle_sandboxes) == 0
    assert desk.rows("SELECT count(*) FROM terminal_file") == [(0,)]
    assert desk.session.digest() != before  # the clock


@pytest.mark.sandbox
def test_looking_shows_what_is_there(desk: Desk) -> None:
    desk.run("mkdir -m 700 d; printf 'a\\nb' > d/f; ln -s d/f link; chmod 755 d/f; printf '\\377\\0' > bin")
    assert desk.ask("read_file", path="link")["content"] == "a\nb"
    assert desk.ask("list_files", path="/home/wren/d")["entries"] == [
        {"name": "f", "kind": "file", "mode": "755", "size": 3}
    ]
    assert names(desk.ask("list_files")) == ["bin", "boxoffice", "d", "link"]
    assert desk.refused("read_file", path="bin") == "EILSEQ"
    assert desk.refused("read_file", path="d") == "EISDIR"
    assert desk.refused("read_file", path="none") == "ENOENT"
    assert desk.refused("read_file", path="bin/x") == "ENOTDIR"
    assert desk.refused("read_file", path="a\0b") == "EINVAL"


@pytest.mark.sandbox
def test_what_is_written_is_there_for_commands(desk: Desk) -> None:
    made = desk.call("write_file", path="boxoffice/notes/é.txt", content="one\ntwo\n")
    assert {effect.harmless for effect in made.effects} == {True}
    assert desk.says("cat notes/é.txt; git status --short", cwd="boxoffice") == "one\ntwo\n?? notes/\n"
    desk.ask("write_file", path="run.sh", content="#!/bin/sh\necho ran\n", mode="755")
    desk.ask("write_file", path="run.sh", content="#!/bin/sh\necho again\n")
    assert desk.says("./run.sh; stat -c %a run.sh") == "again\n755\n"
    desk.ask("write_file", path="/tmp/x/y", content="")
    assert desk.ask("read_file", path="/tmp/x/y")["content"] == ""


@pytest.mark.sandbox
def test_links_lead_where_they_lead_and_never_out(desk: Desk) -> None:
    desk.run("ln -s boxoffice repo; ln -s /etc etc; ln -s ../../etc/passwd pw; ln -s b a; ln -s a b; ln -s .. up")
    desk.ask("write_file", path="repo/new", content="x")
    assert desk.says("cat boxoffice/new") == "x"
    assert desk.ask("read_file", path="up/wren/repo/new")["content"] == "x"
    for path in ("etc/passwd", "pw", "/etc/passwd", "../../etc/passwd", "/proc/self/environ", "up/owen/x", "/tmpx"):
        assert desk.refused("read_file", path=path) == "EACCES", path
        assert desk.refused("write_file", path=path, content="x") == "EACCES", path
    assert desk.refused("read_file", path="a") == "ELOOP"
    assert desk.refused("write_file", path="/tmp/.github.com/refused-push", content="x") == "EACCES"
    assert desk.refused("write_file", path="repo", content="x") == "EISDIR"
    assert desk.refused("write_file", path="new/", content="x") == "EISDIR"


@pytest.mark.sandbox
def test_names_may_hold_any_bytes(desk: Desk) -> None:
    desk.run("python3 -", stdin=WRITE, cwd="/tmp")
    assert set(names(desk.ask("list_files", path="/tmp"))) == {
        "new\nline", "\\xff\\xfe", "back\\\\slash", "-rf", "$(id)", "é", "x" * 255,
    }  # fmt: skip
    assert desk.ask("read_file", path="/tmp/back\\\\slash")["content"] == "back\\slash"
    assert desk.refused("read_file", path="/tmp/\\xff\\xfe") == "EILSEQ"
    assert desk.refused("read_file", path="/tmp/\\x41") == "ENOENT"
    idle_sandboxes.close()
    assert desk.says("python3 -", stdin=READ, cwd="/tmp") == "7\n"


@pytest.mark.sandbox
def test_a_write_that_does_not_fit_is_an_error(desk: Desk) -> None:
    desk.run("head -c 24500000 /dev/urandom > /tmp/big")
    assert desk.refused("write_file", path="/tmp/more", content="x" * 2_000_000) == "ENOSPC"
    assert names(desk.ask("list_files", path="/tmp")) == ["big"]
    assert desk.says("ls /tmp") == "big\n"
