"""Takes the pictures of docs/studio.md from a running studio whose folder has a copy of larkspur called lark.

Beside it the runs folder has aws-down-slack-down played by the oracle, once whole and once with --stop-after 12, and tiny's find-the-change
played by the oracle.
Run: brownout studio worlds, then in another terminal python -m docs.studio_pictures [http://127.0.0.1:8501] [--chromium FILE].
"""

import argparse
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

__all__ = ["PICTURES", "Shot"]

FOLDER: Final = Path(__file__).with_name("studio")
_COLOURS: Final = 256
_LOADING_MS: Final = 120_000
_RUN: Final = "aws-down-slack-down-oracle-s0"


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture.

    Attributes:
        link: the page, with what is chosen on it.
        ready: what can be seen when all is there, as a CSS selector.
        then: what is done before the picture is taken.
    """

    name: str
    link: str
    ready: str
    then: Callable[[Page], None] = lambda page: None


def _outage(page: Page) -> None:
    page.get_by_label("Show an outage").select_option("rds-brownout")
    expect(page.locator(".node.hit").first).to_be_visible()


def _built_twice(page: Page) -> None:
    page.get_by_role("button", name="Build twice and compare").click()
    expect(page.get_by_text("Build lark twice")).to_be_visible()
    expect(page.get_by_text("Build lark twice")).to_have_count(0, timeout=_LOADING_MS)


def _cases(page: Page) -> None:
    if not page.get_by_role("columnheader", name="Oracle").is_visible():
        page.get_by_role("button", name="Play the cases").click()
    expect(page.get_by_role("columnheader", name="Oracle")).to_be_visible(timeout=_LOADING_MS)


def _zoomed(page: Page) -> None:
    bar = page.locator(".tl-item.outage[aria-selected=true]")
    bar.focus()
    for _ in range(8):
        page.keyboard.press("+")
    page.keyboard.press("e")
    expect(page.locator(".grip.held")).to_be_attached()


def _checks(page: Page) -> None:
    if not page.get_by_text("All tasks pass").is_visible():
        page.get_by_role("button", name="Run all checks").click()
    expect(page.get_by_text("All tasks pass")).to_be_visible(timeout=2 * _LOADING_MS)


def _measure(page: Page) -> None:
    if not page.locator(".figure").first.is_visible():
        page.get_by_role("button", name="Measure").click()
    expect(page.locator(".figure").first).to_be_visible(timeout=_LOADING_MS)


def _stale(page: Page) -> None:
    page.keyboard.press("s")
    expect(page.locator("#saw tr.differs").first).to_be_visible(timeout=_LOADING_MS)
    expect(page.locator("#reward .total")).to_be_visible(timeout=_LOADING_MS)


def _mail(page: Page) -> None:
    page.get_by_role("searchbox").first.fill("Byrne")
    page.get_by_role("option").filter(has_text="Byrne").first.click()
    expect(page.locator(".reading .links")).to_be_visible(timeout=_LOADING_MS)


def _exported(page: Page) -> None:
    if not page.locator(".card.rows tbody tr").first.is_visible():
        page.get_by_role("button", name="Export package").click()
    expect(page.locator(".card.rows tbody tr").first).to_be_visible(timeout=_LOADING_MS)


PICTURES: Final = (
    Shot("home", "/", "[data-testid=stMetric]"),
    Shot("new-world", "/new_world", ".graph-svg .node"),
    Shot("people", "/people?world=lark&item=people.yaml%23mara", ".form .field"),
    Shot("outages", "/outages?world=lark&item=outages.yaml%23slack-down", ".tl-item.outage", _zoomed),
    Shot("overview", "/overview?world=lark", "[data-testid=stMetric]", _built_twice),
    Shot("systems", "/systems?world=lark", ".graph-svg .node", _outage),
    Shot("storylines", "/storylines?world=lark&item=storylines%2Fretries.yaml%23facts%23retry-cap", ".form .field"),
    Shot("graders", "/graders?world=tiny", "tr[data-id]", _cases),
    Shot("files", "/files?world=lark&file=systems.yaml", ".cm-line"),
    Shot("preview", "/preview?world=lark&as=claire&surface=mail&at=2026-04-15T12:00", "[role=option]", _mail),
    Shot("silence", "/preview?world=lark&as=claire&surface=chat&at=2026-04-14T10:50", ".broken summary"),
    Shot("check", "/check?world=tiny", "h1", _checks),
    Shot("report", "/report?world=tiny", "h1", _measure),
    Shot("runs", "/runs", "table[aria-label=Runs] tbody tr"),
    Shot("replay", "/replay?run=find-the-change-oracle-s0&step=1&annotate=0", ".where", _stale),
    Shot("annotate", f"/replay?run={_RUN}-2&step=20&annotate=1", ".annotate button"),
    Shot("compare", f"/compare?runs={_RUN},{_RUN}-2", ".card.rows tbody tr"),
    Shot("export", "/export?world=tiny&to=trl", "h1", _exported),
)


def main() -> None:
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", nargs="?", default="http://127.0.0.1:8501")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--only", nargs="*", default=[], help="names of pictures")
    given = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=given.chromium, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        page = browser.new_page(
            base_url=given.address, viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
        )
        for shot in (one for one in PICTURES if not given.only or one.name in given.only):
            page.goto(shot.link)
            page.locator(shot.ready).first.wait_for(timeout=_LOADING_MS)
            shot.then(page)
            page.wait_for_timeout(1500)
            _save(page.screenshot(), FOLDER / f"{shot.name}.png")
        browser.close()


def _save(data: bytes, path: Path) -> None:
    """A picture with few colours, which is all that these need."""
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    picture.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main()
