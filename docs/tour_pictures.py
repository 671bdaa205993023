"""Takes the pictures of docs/tour.md from a running studio that has the demo's runs.

Run: make run, then in another terminal python -m docs.tour_pictures [http://127.0.0.1:8501] [--chromium FILE].
"""

import argparse
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

__all__ = ["PICTURES", "Picture"]

FOLDER: Final = Path(__file__).with_name("tour")
_DAY: Final = "/preview?world=larkspur&at=2026-04-14T"
_RUN: Final = "/replay?run=aws-down-slack-down-oracle-s0"
_COLOURS: Final = 256
_LOADING_MS: Final = 120_000


def _nothing(page: Page) -> None:
    """The link shows all."""


def _open_first(page: Page) -> None:
    page.locator("[role=listbox] [role=option]").first.click()
    expect(page.get_by_label("Reading pane").get_by_role("heading").first).to_be_visible()


def _open_truth(page: Page) -> None:
    page.get_by_text("Ground truth").first.click()
    standby = page.locator("aside.truth").get_by_text("bookings.standby").first
    expect(standby).to_be_visible()
    standby.evaluate("slot => slot.scrollIntoView({block: 'start'})")


def _open_stale(page: Page) -> None:
    _open_first(page)
    _open_truth(page)


def _first_error(page: Page) -> None:
    page.keyboard.press("x")
    expect(page.locator(".fault").first).to_be_visible()
    expect(page.locator("#reward .total")).to_be_visible(timeout=_LOADING_MS)


def _end(page: Page) -> None:
    page.keyboard.press("End")
    expect(page.locator("#reward .total")).to_contain_text("1.00", timeout=_LOADING_MS)
    page.locator("#reward details").filter(has_text="told-early").locator("summary").click()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the tour.

    Attributes:
        link: what it is of.
        waits_for: words that are seen when it has come.
        act: what is clicked then.
    """

    name: str
    link: str
    waits_for: str
    act: Callable[[Page], None] = _nothing
    scheme: Literal["light", "dark"] = "light"


PICTURES: Final = (
    Picture("status", f"{_DAY}10:20&surface=status&as=ember", "Our services"),
    Picture("mail", f"{_DAY}10:31&surface=mail&as=timo&q=hilfe", "hilfe!!", _open_first),
    Picture("runbook", f"{_DAY}10:31&surface=docs&as=ember&q=runbook:+bookings", "Runbook: bookings failover", _open_stale),
    Picture("ticket", f"{_DAY}10:31&surface=issues&as=ember&q=standby+to+eu", "Move standby to eu-west-1", _open_first),
    Picture("commit", f"{_DAY}10:31&surface=code&as=ember&q=simplify", "Simplify client", _open_first),
    Picture("slack", f"{_DAY}12:15&surface=chat&place=%23infra&as=ember", "is slack gone or is it my hotspot", scheme="dark"),
    Picture("step", _RUN, "Reward so far", _first_error),
    Picture("reward", _RUN, "Reward so far", _end),
)  # fmt: skip


def main() -> None:
    """The command line."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("address", nargs="?", default="http://127.0.0.1:8501")
    arguments.add_argument("--chromium", type=Path, default=Path("/usr/bin/chromium"))
    arguments.add_argument("--only", default="", help="the name of one picture")
    given = arguments.parse_args()
    FOLDER.mkdir(exist_ok=True)
    flags = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=given.chromium, args=flags)
        for picture in PICTURES:
            if given.only in ("", picture.name):
                _take(browser, given.address, picture)
        browser.close()


def _take(browser: Browser, address: str, picture: Picture) -> None:
    context = browser.new_context(
        base_url=address,
        viewport={"width": 1440, "height": 900},
        color_scheme=picture.scheme,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(picture.link)
    expect(page.get_by_text(picture.waits_for).first).to_be_visible(timeout=_LOADING_MS)
    picture.act(page)
    page.wait_for_timeout(2_000)  # fonts, icons and the last rows
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    file = FOLDER / f"{picture.name}.png"
    image.quantize(_COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)
    print(f"{file.name}: {file.stat().st_size // 1024} KB")  # noqa: T201 (a script)
    context.close()


if __name__ == "__main__":
    main()
