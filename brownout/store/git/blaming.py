"""Who wrote which lines of a file."""

from pathlib import Path

from brownout.store.git.library import open_library
from brownout.store.git.sources import Draft
from brownout.store.git.values import BlameSpan

__all__ = ["blame_spans"]


def blame_spans(draft: Draft, packed: Path | None, commit: str, path: str) -> list[BlameSpan]:
    """The lines of a file in spans of one commit each, from the first line to the last."""
    spans: list[BlameSpan] = []
    for hunk in open_library(draft, packed).blame(path, newest_commit=commit):
        start, lines = hunk.final_start_line_number, hunk.lines_in_hunk
        wrote = draft.commit(str(hunk.final_commit_id))
        spans.append(BlameSpan(start, start + lines - 1, wrote, hunk.orig_path or path))
    return spans
