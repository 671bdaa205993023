"""Paths to and fro: bytes, rows, what agents write."""

import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brownout.core.errors import SandboxError
from brownout.sandbox import Sandbox, Workspace, WorkspaceEntry
from tools.terminal.errors import TerminalError
from tools.terminal.paths import absolute, login_of, place_of, resolved, spelled, unspelled

HOME = "/home/wren"
LINKS = {
    b"home/wren/repo": b"boxoffice", b"home/wren/out": b"/etc", b"home/wren/back": b"/home/wren/boxoffice",
    b"home/wren/a": b"b", b"home/wren/b": b"a", b"tmp/home": b"../home/wren", b"home/wren/dots": b"./../wren/./repo",
}  # fmt: skip
FOLDERS = [b"home/wren", b"tmp", b"home/wren/boxoffice", b"home/wren/boxoffice/docs"]


def workspace() -> Workspace:
    entries = {path: WorkspaceEntry(stat.S_IFDIR | 0o755, "", 0, 0) for path in FOLDERS}
    entries |= {path: WorkspaceEntry(stat.S_IFLNK | 0o777, str(target), 0, 0) for path, target in LINKS.items()}
    entries[b"home/wren/file"] = WorkspaceEntry(stat.S_IFREG | 0o644, "x", 0, 0)
    return Workspace(entries, {str(target): target for target in LINKS.values()})


@given(st.binary(max_size=60))
def test_any_path_can_be_spelled_and_read_back(path: bytes) -> None:
    text = spelled(path)
    text.encode()  # as rows need it
    assert unspelled(text) == path


@given(st.binary(max_size=30), st.binary(max_size=30))
def test_two_paths_are_never_spelled_alike(one: bytes, other: bytes) -> None:
    assert (spelled(one) == spelled(other)) == (one == other)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("", b"home/wren"),
        ("~/x", b"home/wren/x"),
        ("repo/docs/x", b"home/wren/boxoffice/docs/x"),
        ("back/../x", b"home/wren/x"),
        ("dots/x", b"home/wren/boxoffice/x"),
        ("/tmp/home/repo/./x", b"home/wren/boxoffice/x"),
        ("new/../file", b"home/wren/file"),
        ("~", b"home/wren"),
    ],
)
def test_links_are_followed(path: str, place: bytes) -> None:
    assert resolved(workspace(), absolute(path, HOME), HOME) == place


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("out/passwd", "EACCES"),
        ("/", "EACCES"),
        ("../owen/x", "EACCES"),
        ("/tmp/.github.com/x", "EACCES"),
        ("a", "ELOOP"),
        ("file/x", "ENOTDIR"),
        ("file/..", "ENOTDIR"),
    ],
)
def test_what_leads_elsewhere_is_refused(path: str, code: str) -> None:
    with pytest.raises(TerminalError) as refused:
        resolved(workspace(), absolute(path, HOME), HOME)
    assert refused.value.code == code


@given(st.text(min_size=1, max_size=60))
def test_whoever_somebody_is_they_can_log_in(person: str) -> None:
    login = login_of(person)
    try:
        Sandbox(user=login, hostname="h")
    except SandboxError:  # the sandbox looks at names when it starts
        pytest.fail(login)
    assert login != "root"
    assert login[0].islower()
    assert len(login) <= 31


def test_files_are_named_from_home() -> None:
    assert place_of("home/wren/boxoffice/README.md", "wren") == "boxoffice/README.md"
    assert place_of("home/wren", "wren") == "/home/wren"
    assert place_of("tmp/notes", "wren") == "/tmp/notes"
