"""Takes pictures of a state in each width and theme, puts them on sheets, and says what a machine can see wrong in them."""

import io
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Error, Page, ViewportSize

from benchmarks.page_pictures.states import WAIT_MS, Look

__all__ = ["HEIGHTS", "Picture", "sheet", "taken"]

HEIGHTS: Final = {1440: 900, 1280: 800, 1000: 750, 390: 844}
"""Windows that people have, by their width in pixels."""
_REST_MS: Final = 500
_SHEET: Final = 1500
"""Pixels that a sheet is wide."""
_SEEN_WRONG: Final = """() => {
  const found = [];
  const root = document.scrollingElement, main = document.querySelector("[data-testid=stMain]");
  for (const one of [root, main]) if (one && one.scrollWidth > one.clientWidth + 1) found.push(`wider than the window by ${one.scrollWidth - one.clientWidth}`);
  const name = (node) => {
    const kind = [...node.classList].filter((word) => !/^st-|emotion/.test(word)).slice(0, 2).join(".");
    return node.tagName.toLowerCase() + (kind ? `.${kind}` : "") + (node.dataset?.testid ? `[${node.dataset.testid}]` : "");
  };
  const walk = (under) => {
    for (const node of under.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      const box = node.getBoundingClientRect();
      if (box.width < 12 || box.height < 8 || node.closest(".unseen, [hidden], svg, .cm-editor") || node.matches(".unseen")) continue;
      const style = getComputedStyle(node);
      if (style.visibility === "hidden" || style.opacity === "0" || style.clipPath !== "none") continue;
      const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
      const cut = style.overflowX === "hidden" || style.overflowX === "clip";
      if (own && cut && node.scrollWidth > node.clientWidth + 1 && style.textOverflow !== "ellipsis") found.push(`cut: ${name(node)} "${node.textContent.trim().slice(0, 40)}"`);
      if (own && !cut && node.scrollWidth > node.clientWidth + 2 && style.display !== "inline" && node.clientWidth) found.push(`spills: ${name(node)} "${node.textContent.trim().slice(0, 40)}"`);
      if (/auto|scroll/.test(style.overflowY) && node.scrollHeight > node.clientHeight + 1 && node !== main) {
        const above = main && main.scrollHeight > main.clientHeight + 1 && main.contains(node.getRootNode().host ?? node);
        if (above && node.clientHeight > 200) found.push(`scrolls within a page that scrolls: ${name(node)} ${node.scrollHeight}/${node.clientHeight}`);
      }
    }
  };
  walk(document);
  return [...new Set(found)].slice(0, 12);
}"""
_AXE: Final = """async () => {
  const told = await axe.run(document, {resultTypes: ["violations"]});
  return told.violations.filter((one) => /serious|critical/.test(one.impact))
    .map((one) => `axe ${one.impact} ${one.id} x${one.nodes.length}: ${JSON.stringify(one.nodes[0].target)} ${one.nodes[0].any?.[0]?.message ?? ""}`.slice(0, 260));
}"""


@dataclass(frozen=True, slots=True)
class Picture:
    """A state in a width and a theme.

    Attributes:
        wrong: what a machine sees wrong, a line each; `axe` lines are what axe-core calls serious or critical.
    """

    name: str
    image: Image.Image
    wrong: tuple[str, ...]


def taken(
    browser: Browser, address: str, look: Look, widths: Sequence[int], themes: Sequence[str], axe: str
) -> Iterator[Picture]:
    """Each picture of a state. The page is opened once and then made narrow and dark, as somebody does who moves a window."""
    context = browser.new_context(
        base_url=address, viewport=_window(widths[0]), reduced_motion="reduce", bypass_csp=True
    )
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(f"error of the page: {error}"))
    try:
        page.goto(look.link)
        page.locator(look.ready).first.wait_for()
        look.then(page)
    except (Error, AssertionError) as error:
        errors.append(f"not as expected: {str(error).splitlines()[0]}")
    _rested(page)
    for theme in themes:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        for width in widths:
            page.set_viewport_size(_window(width))
            page.wait_for_timeout(_REST_MS)
            wrong = [*errors, *page.evaluate(_SEEN_WRONG)]
            errors.clear()
            if axe and width == widths[0]:
                page.evaluate(axe)
                wrong += page.evaluate(_AXE)
            image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            yield Picture(f"{look.name}-{width}-{theme}", image, tuple(wrong))
    context.close()


def _window(width: int) -> ViewportSize:
    return {"width": width, "height": HEIGHTS.get(width, 900)}


def _rested(page: Page) -> None:
    """Wait until Streamlit has run the page, where it ever rests: a page that follows a job does not."""
    with suppress(Error):
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=5_000)
    page.wait_for_timeout(2 * _REST_MS)


def sheet(pictures: Sequence[Image.Image], path: Path) -> None:
    """Pictures below each other, the first as wide as the sheet, the others side by side."""
    if not pictures:
        return
    scale = min(1.0, _SHEET / pictures[0].width)
    rows = [[pictures[0]], pictures[1:]] if len(pictures) > 1 else [[*pictures]]
    made: list[Image.Image] = []
    for row in rows:
        part = scale if len(row) == 1 else _SHEET / sum(one.width for one in row)
        small = [
            one.resize((round(one.width * part), round(one.height * part)), Image.Resampling.LANCZOS) for one in row
        ]
        line = Image.new("RGB", (_SHEET, max(one.height for one in small)), "#888")
        left = 0
        for one in small:
            line.paste(one, (left, 0))
            ImageDraw.Draw(line).line([(left, 0), (left, line.height)], fill="#f0f", width=1)
            left += one.width
        made.append(line)
    sheet = Image.new("RGB", (_SHEET, sum(line.height for line in made) + 4 * len(made)), "#f0f")
    top = 0
    for line in made:
        sheet.paste(line, (0, top))
        top += line.height + 4
    sheet.save(path)
