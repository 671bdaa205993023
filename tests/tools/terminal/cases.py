"""The terminal's operations, each seen to succeed and to fail."""

from brownout.testing.conformance import Case, NamedThing, Step

__all__ = ["CASES", "NAMED", "SHAPE"]

SHAPE = frozenset({"error", "code"})
_NOTE = Step("terminal_write_file", {"path": "note.txt", "content": "hi\n"})

CASES = (
    Case("terminal_run", {"command": "ls"}, {"command": ""}, "EINVAL", changes=False),
    Case(
        "terminal_write_file",
        {"path": "note.txt", "content": "hi\n"},
        {"path": "/etc/hosts", "content": "x"},
        "EACCES",
        changes=False,
    ),
    Case("terminal_read_file", {"path": "note.txt"}, {"path": "none.txt"}, "ENOENT", (_NOTE,)),
    Case("terminal_list_files", {"path": "."}, {"path": "/etc"}, "EACCES"),
)

NAMED = (
    NamedThing("terminal", "note.txt", (_NOTE,)),
    NamedThing("terminal", "wren:*.txt", (_NOTE,)),
    NamedThing("terminal", "wren:boxoffice/README.md", (_NOTE,)),
)
