"""Pictures of every page of a running studio in each width and theme, put together on sheets, with what a machine can see wrong in them.

    python -m benchmarks.page_pictures [http://127.0.0.1:8501] [--world lark] [--small penny] [--out /tmp/looks] [--only preview-chat,runs]
                               [--widths 1440,1280,1000] [--axe axe.min.js]

The studio has the author's own copies of larkspur and tiny under these names, and runs of both. A page is opened once and then made narrow
and dark, as somebody does who moves a window. For each picture it says: content wider than the window, text cut without a sign of
it, more than one scrollbar in the same direction, errors of the page, and, where axe-core is given (`npm pack axe-core`), what that
finds serious or critical.
"""

import argparse
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

__all__ = ["LOOKS", "Look"]

_WAIT_MS: Final = 60_000
_REST_MS: Final = 700
_HEIGHT: Final = 900
_NARROW: Final = 500
_THEMES: Final = ("light", "dark")
_SHEET: Final = 1500
"""Pixels that a sheet is wide."""
_AT: Final = "2026-04-14T10:31"
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
class Look:
    """A page in one of its states.

    Attributes:
        link: where it is; `{world}` and `{small}` stand for the names of worlds, `{run}` and `{other}` for two runs of a task.
        ready: what is seen when it is there, as a CSS selector.
        then: what is done before it is looked at.
    """

    name: str
    link: str
    ready: str = "h1"
    then: Callable[[Page], None] = lambda page: None


def _first_row(page: Page) -> None:
    page.locator("[role=listbox] [role=option]").first.click()


def _truth(page: Page) -> None:
    page.get_by_text("Ground truth", exact=True).first.click()
    page.locator("aside.truth").first.wait_for(timeout=_WAIT_MS)


def _outage(page: Page) -> None:
    page.get_by_label("Show an outage").select_option("rds-brownout")


def _failed(page: Page) -> None:
    page.keyboard.press("x")


def _stale(page: Page) -> None:
    page.keyboard.press("s")
    expect(page.locator("#reward .total")).to_be_visible(timeout=_WAIT_MS)


def _palette(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").wait_for(timeout=_WAIT_MS)


def _keys(page: Page) -> None:
    page.get_by_role("button", name="Keyboard shortcuts").first.click()
    page.get_by_role("dialog").wait_for(timeout=_WAIT_MS)


def _view(name: str) -> Callable[[Page], None]:
    def show(page: Page) -> None:
        page.get_by_role("radio", name=name).first.click()

    return show


def _button(name: str) -> Callable[[Page], None]:
    def press(page: Page) -> None:
        page.get_by_role("button", name=name).first.click()

    return press


def _preview(
    surface: str, person: str = "ember", then: Callable[[Page], None] = lambda page: None, **more: str
) -> Look:
    name = "-".join(("preview", surface, *([then.__name__.strip("_")] if then in (_truth, _first_row) else [])))
    asked = "".join(f"&{key}={quote(value)}" for key, value in more.items())
    ready = ".pane [role=tab]"
    return Look(name, f"/preview?world={{world}}&at={_AT}&surface={surface}&as={person}{asked}", ready, then)


_ROWS: Final = "[data-testid=stDataFrame] canvas"
_FORM: Final = ".form .field"
LOOKS: Final = (
    Look("home", "/", "[data-testid=stMetric], h1"),
    Look("new-world", "/new_world", ".graph-svg .node"),
    Look("overview", "/overview?world={world}", "[data-testid=stMetric]"),
    Look("overview-shipped", "/overview?world=larkspur", "h1"),
    Look("company", "/company?world={world}", "tr[data-id]"),
    Look("company-form", "/company?world={world}&item=world.yaml%23clock", _FORM),
    Look("people", "/people?world={world}", "tr[data-id], .graph-svg .node"),
    Look("people-form", "/people?world={world}&item=people.yaml%23mara", _FORM),
    Look("people-chart", "/people?world={world}", "tr[data-id]", _view("Org chart")),
    Look("customers", "/customers?world={world}", "tr[data-id], .graph-svg .node"),
    Look("systems", "/systems?world={world}", ".graph-svg .node", _outage),
    Look("systems-form", "/systems?world={world}&item=systems.yaml%23services%23bookings", ".graph-svg .node, .form .field"),
    Look("storylines", "/storylines?world={world}", ".tl-item"),
    Look("storylines-form", "/storylines?world={world}&item=storylines%2Fretries.yaml%23facts%23retry-cap", _FORM),
    Look("outages", "/outages?world={world}", ".tl-item"),
    Look("outages-form", "/outages?world={world}&item=outages.yaml%23slack-down", _FORM),
    Look("tasks", "/tasks?world={world}", "tr[data-id], .graph-svg .node"),
    Look("tasks-form", "/tasks?world={world}&item=tasks%2Faws-down-slack-down%2Ftask.yaml", "tr[data-id], .graph-svg .node"),
    Look("graders", "/graders?world={world}", "tr[data-id]"),
    Look("files", "/files?world={world}&file=systems.yaml", ".cm-line"),
    _preview("mail"),
    _preview("mail", then=_first_row),
    _preview("mail", "timo", q="hilfe"),
    _preview("chat", place="#infra"),
    _preview("chat", then=_truth),
    _preview("issues"),
    _preview("issues", then=_first_row),
    _preview("code"),
    _preview("code", then=_first_row),
    _preview("docs"),
    _preview("docs", then=_first_row),
    _preview("calendar"),
    _preview("customers"),
    _preview("customers", then=_first_row),
    _preview("status"),
    Look("check", "/check?world={small}"),
    Look("check-run", "/check?world={world}"),
    Look("report", "/report?world={small}"),
    Look("report-none", "/report?world={world}"),
    Look("runs", "/runs", _ROWS),
    Look("runs-start", "/runs?world={world}", _ROWS, _button("Start run")),
    Look("runs-none", "/runs?task=nothing", "h1"),
    Look("replay", "/replay?run={run}&step=1", ".where"),
    Look("replay-error", "/replay?run={other}", ".where", _failed),
    Look("replay-stale", "/replay?run={run}&step=1", ".where", _stale),
    Look("replay-annotate", "/replay?run={run}&step=20&annotate=1", ".annotate button"),
    Look("replay-none", "/replay", "h1"),
    Look("compare", "/compare?runs={run},{other}", _ROWS),
    Look("compare-none", "/compare", "h1"),
    Look("annotate", "/annotate", "h1"),
    Look("export", "/export?world={small}&to=trl", _ROWS),
    Look("export-world", "/export?world={world}", "h1"),
    Look("nowhere", "/overview?world=nobody", "h1"),
    Look("go-to", "/runs", _ROWS, _palette),
    Look("keys", "/preview?world={small}&surface=chat", "[role=option]", _keys),
)  # fmt: skip


def main() -> None:
    """Look at them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", default="http://127.0.0.1:8501")
    parser.add_argument("--world", default="lark")
    parser.add_argument("--small", default="penny")
    parser.add_argument("--run", default="aws-down-slack-down-oracle-s0")
    parser.add_argument("--other", default="aws-down-slack-down-oracle-s0-2")
    parser.add_argument("--out", type=Path, default=Path("/tmp/looks"))
    parser.add_argument("--only", default="", help="names of pages, with commas; each also for what begins so")
    parser.add_argument("--widths", default="1440,1280,1000")
    parser.add_argument("--themes", default=",".join(_THEMES))
    parser.add_argument("--axe", type=Path, help="axe.min.js of the package axe-core")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    names = {key: getattr(given, key) for key in ("world", "small", "run", "other")}
    wanted = tuple(part for part in given.only.split(",") if part)
    script = given.axe.read_text("utf-8") if given.axe else ""
    widths, themes = [int(width) for width in given.widths.split(",")], given.themes.split(",")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=given.chromium, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        for look in (one for one in LOOKS if not wanted or one.name.startswith(wanted)):
            taken: dict[str, Image.Image] = {}
            for name, picture, wrong in _looked_at(browser, given.address, look, names, widths, themes, script):
                picture.save(given.out / f"{name}.png")
                taken[name] = picture
                for line in wrong:
                    print(f"{name}: {line}", flush=True)
            for theme in themes:
                _sheet(
                    [one for name, one in taken.items() if name.endswith(theme)],
                    given.out / f"sheet-{look.name}-{theme}.png",
                )
            print(f"{look.name}: {len(taken)} pictures", flush=True)
        browser.close()


def _looked_at(
    browser: Browser, address: str, look: Look, names: dict[str, str], widths: list[int], themes: list[str], script: str
) -> Iterator[tuple[str, Image.Image, list[str]]]:
    """Each picture of a page with its name and what is wrong in it."""
    context = browser.new_context(
        base_url=address, viewport={"width": widths[0], "height": _HEIGHT}, reduced_motion="reduce", bypass_csp=True
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(f"error of the page: {error}"))
    page.set_default_timeout(_WAIT_MS)
    try:
        page.goto(look.link.format(**names))
        page.locator(look.ready).first.wait_for()
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        look.then(page)
    except Error as error:
        errors.append(f"not as expected: {str(error).splitlines()[0]}")
    page.wait_for_timeout(2 * _REST_MS)
    for theme in themes:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        for width in widths:
            page.set_viewport_size({"width": width, "height": 844 if width < _NARROW else _HEIGHT})
            page.wait_for_timeout(_REST_MS)
            wrong = [*errors, *page.evaluate(_SEEN_WRONG)]
            errors.clear()
            if script and width == widths[0]:
                page.evaluate(script)
                wrong += page.evaluate(_AXE)
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            yield f"{look.name}-{width}-{theme}", picture, wrong
    context.close()


def _sheet(pictures: list[Image.Image], path: Path) -> None:
    """Pictures below each other, the first as wide as the sheet, the others side by side."""
    if not pictures:
        return
    scale = min(1.0, _SHEET / pictures[0].width)
    rows = [[pictures[0]], pictures[1:]] if len(pictures) > 1 else [pictures]
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


if __name__ == "__main__":
    main()
