"""The studio's pages: what they are called, where they stand in the sidebar, and the script of each."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

__all__ = ["PAGES", "KnownPage", "is_come_to", "note_shown", "page_path"]

_SHOWN, _COME_TO = "shown_page", "page_is_come_to"
_VIEWS = Path(__file__).parent / "views"


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A page of the studio.

    Attributes:
        section: the heading it stands under in the sidebar.
        with_world: links to it carry the chosen world.
        is_listed: it stands in the sidebar; others are led to by a button.
        is_part: somebody may want to go there; where an unknown address leads is no such page.
    """

    file: str
    title: str
    icon: str
    section: str
    with_world: bool
    help: str
    is_listed: bool = True
    is_part: bool = True

    def page(self) -> Page:
        """The page as Streamlit knows it."""
        return st.Page(
            page_path(self.file), title=self.title, icon=self.icon, help=self.help, default=self.file == "home"
        )


PAGES = (
    KnownPage("home", "Home", ":material/home:", "", False, "Worlds to open, and what came of runs in them."),
    KnownPage("new_world", "New world", ":material/add:", "", False, "A company from five questions.", is_listed=False),
    KnownPage(
        "overview", "Overview", ":material/fact_check:", "Author", True, "A world's text, people, tasks and outages."
    ),
    KnownPage("company", "Company", ":material/domain:", "Author", True, "The company, its calendar and its products."),
    KnownPage(
        "people", "People", ":material/group:", "Author", True, "Who works at the company, and who answers to whom."
    ),
    KnownPage("customers", "Customers", ":material/storefront:", "Author", True, "Whom the company works for."),
    KnownPage("systems", "Systems", ":material/account_tree:", "Author", True, "What runs, and what it needs."),
    KnownPage(
        "storylines", "Storylines", ":material/auto_stories:", "Author", True, "Facts, and who says and does what when."
    ),
    KnownPage("outages", "Outages", ":material/bolt:", "Author", True, "What breaks, when and how."),
    KnownPage("tasks", "Tasks", ":material/task_alt:", "Author", True, "What agents are asked."),
    KnownPage("graders", "Graders", ":material/rule:", "Author", True, "What each task is judged by."),
    KnownPage("files", "Files", ":material/folder_open:", "Author", True, "The text itself, in an editor."),
    KnownPage(
        "preview", "Preview", ":material/inbox:", "World", True, "The company at any moment, as any of its people."
    ),
    KnownPage(
        "check", "Check", ":material/rule_settings:", "World", True, "Is the text sound, can the rewards be trusted?"
    ),
    KnownPage("report", "Report", ":material/query_stats:", "World", True, "How real the company is, in figures."),
    KnownPage(
        "runs", "Runs", ":material/list_alt:", "Runs", False, "Every recorded run, and how often agents succeed."
    ),
    KnownPage("replay", "Replay", ":material/movie:", "Runs", False, "One run, step by step."),
    KnownPage("compare", "Compare", ":material/compare:", "Runs", False, "Two runs, side by side."),
    KnownPage(
        "annotate",
        "Annotate",
        ":material/rate_review:",
        "Runs",
        False,
        "What people say of runs, and how far they agree.",
    ),
    KnownPage(
        "export", "Export", ":material/package_2:", "Ship", True, "A world as a package of a training framework."
    ),
    KnownPage("not_found", "Not found", ":material/search_off:", "", False, "", is_listed=False, is_part=False),
)


def page_path(file: str) -> Path:
    """The script of a page."""
    return _VIEWS / f"{file}.py"


def note_shown(page: KnownPage) -> None:
    """Remember which page is shown, before it runs."""
    st.session_state[_COME_TO] = st.session_state.get(_SHOWN) != page.file
    st.session_state[_SHOWN] = page.file


def is_come_to() -> bool:
    """Whether somebody has come to the page from another one, and it is not drawn again."""
    return bool(st.session_state.get(_COME_TO))
