"""`tiny` with other outages than its own."""

from pathlib import Path
from shutil import rmtree

from brownout.catalog import find_spec

__all__ = ["write_outages"]


def write_outages(folder: Path, text: str = "") -> None:
    """Have nothing break but what the text says; tiny's own outages, which tasks name, come on the last evening, and the task that grades
    what was true of one of them is left out.
    """
    rmtree(folder / "tasks/mend-the-help-page", ignore_errors=True)
    own = (find_spec("tiny") / "outages.yaml").read_text("utf-8")
    for begins in ("2026-03-23 19:10", "2026-03-24 11:44"):
        assert begins in own
        own = own.replace(begins, "2026-03-31 20:00")
    told = folder / "storylines/holds.yaml"  # what is said of that evening comes after it
    text_of_holds = told.read_text("utf-8")
    assert "at: 2026-03-24 13:12" in text_of_holds or "at: 2026-03-31 23:40" in text_of_holds
    told.write_text(text_of_holds.replace("at: 2026-03-24 13:12", "at: 2026-03-31 23:40"), "utf-8")
    (folder / "outages.yaml").write_text(own + text, "utf-8")
