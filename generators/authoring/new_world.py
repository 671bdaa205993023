"""`brownout new world`: from a request to a folder that validates."""

from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from brownout.core.errors import UsageError
from brownout.core.own_folders import expect_room
from generators.authoring.author_files import author_files
from generators.authoring.company import draw_company
from generators.authoring.storyline_kinds import cast_stories, kind_names
from generators.authoring.trades import load_trade, trade_names
from generators.authoring.world_request import WorldRequest

__all__ = ["write_world"]


def write_world(request: WorldRequest, folder: Path) -> list[str]:
    """Write a company as an author's folder: all of it, or nothing.

    Args:
        folder: an empty folder, or one that is not there.

    Returns:
        The files, by their path in the folder.

    Raises:
        UsageError: no company can be as it was asked for, or something is in the folder.
        AuthoringError: a mistake in a trade's or a kind's pack.
    """
    request.check(trade_names(), kind_names())
    expect_room(folder)
    company = draw_company(request, load_trade(request.trade))
    found = author_files(company, cast_stories(company))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise UsageError(f"nothing can be written to {folder.parent}: {error.strerror}") from error
    try:
        for name, text in found.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        draft.chmod(0o755)
        draft.replace(folder)
    finally:
        rmtree(draft, ignore_errors=True)
    return sorted(found)
