"""What is measured: each part gives its figures as they are there."""

import asyncio
import re
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from statistics import median

from playwright.async_api import Browser, Page

from benchmarks.studio.browser import (
    KEYS,
    LONG_MS,
    NODES,
    opened,
    percentile,
    resident,
    running_studio,
    settle,
    timed,
)
from benchmarks.studio.sizes import long_run, messages_of, sized_world
from brownout.catalog import built_package

__all__ = [
    "Figure",
    "Setting",
    "measure_clicks",
    "measure_first_sight",
    "measure_memory",
    "measure_pages",
    "measure_replay",
    "measure_viewers",
]

_LIST = "[role=listbox] [role=option]"
_PAUSE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Setting:
    """What the studio is measured with.

    Attributes:
        messages: sizes of worlds, in chat messages.
        steps: lengths of runs.
        rounds: clicks of each viewer.
        views: page views over which memory is looked at.
    """

    home: Path
    world: str
    messages: tuple[int, ...]
    steps: tuple[int, ...]
    clicks: int
    viewers: int
    rounds: int
    views: int

    def prepare(self, parts: Collection[str]) -> None:
        """Make the worlds and runs of these parts, so that nothing is built while something is measured."""
        if "clicks" in parts:
            for messages in self.messages:
                self.sized(messages)
        if {"viewers", "memory"} & {*parts}:
            self.sized(self._middle)
        for steps in self.steps if "replay" in parts else self.steps[:1] if "pages" in parts else ():
            self.run(steps)

    def sized(self, messages: int) -> str:
        """The name of a world of that size."""
        return sized_world(self.world, messages, self.home)

    def run(self, steps: int) -> str:
        """The name of a run of that length."""
        return long_run(self.world, steps, self.home)

    @property
    def middle(self) -> str:
        """The world of the middle size."""
        return self.sized(self._middle)

    @property
    def _middle(self) -> int:
        return self.messages[len(self.messages) // 2]


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, beside what it may be; None where that is open."""

    what: str
    size: str
    value: float
    budget: float | None
    unit: str = "ms"

    @property
    def line(self) -> str:
        """A row of the table."""
        if self.budget is None:
            return f"| {self.what} | {self.size} | {self.value:,.0f} {self.unit} | | |"
        sign = "ok" if self.value <= self.budget else "OVER"
        return (
            f"| {self.what} | {self.size} | {self.value:,.0f} {self.unit} | {self.budget:,.0f} {self.unit} | {sign} |"
        )


async def _page(browser: Browser, address: str) -> Page:
    return await browser.new_page(base_url=address, viewport={"width": 1440, "height": 900}, reduced_motion="reduce")


def _chat(world: str) -> str:
    return f"/preview?world={world}&surface=chat"


async def measure_first_sight(browser: Browser, setting: Setting) -> AsyncIterator[Figure]:
    """Preview of the shipped world in a studio that has just been started, with nothing kept; then again."""
    package = built_package(setting.world)
    rmtree(package.folder.with_name(f"{package.folder.name}.moments"), ignore_errors=True)
    with running_studio(setting.home) as (address, _):
        page = await _page(browser, address)
        cold = await opened(page, _chat(setting.world), _LIST)
        yield Figure("Preview, first sight, nothing kept", setting.world, cold, 8000)
        await page.goto("/runs")
        yield Figure("Preview, warm", setting.world, await opened(page, _chat(setting.world), _LIST), 3000)
        await page.close()


async def measure_clicks(browser: Browser, setting: Setting) -> AsyncIterator[Figure]:
    """Clicks, search and scrubbing in Preview, at each size."""
    for wanted in setting.messages:
        world = setting.sized(wanted)
        size = f"{messages_of(built_package(str(setting.home / 'worlds' / world))):,} messages"
        with running_studio(setting.home) as (address, _):
            page = await _page(browser, address)
            yield Figure("Preview, first sight, lived ahead", size, await opened(page, _chat(world), _LIST), None)
            await page.goto("/runs")
            yield Figure("Preview, warm", size, await opened(page, _chat(world), _LIST), 3000)
            places = page.locator(".places button")
            count = await places.count()
            taken = [await timed(page, places.nth(1 + number % (count - 1))) for number in range(setting.clicks)]
            rows = page.locator(_LIST)
            taken += [await timed(page, rows.nth(number % await rows.count())) for number in range(6)]
            for name in ("Mail", "Issues", "Code", "Docs", "Calendar", "Customers", "Status", "Chat"):
                taken.append(await timed(page, page.get_by_role("tab", name=name, exact=True)))
            taken += [await timed(page, page.get_by_text("Ground truth", exact=True).first) for _ in range(2)]
            yield Figure("click, p90", size, percentile(taken, 90), 500)
            yield Figure("search, median", size, median(await _searches(page)), 400)
            slider = page.get_by_role("slider", name="World time")
            scrubs = [await timed(page, slider, "PageDown" if number % 4 else "ArrowLeft") for number in range(10)]
            yield Figure("scrub, median", size, median(scrubs), 700)
            yield Figure("elements of the page", size, await page.evaluate(NODES), 3000, "")
            await page.close()


async def _searches(page: Page) -> list[float]:
    found = []
    search = page.locator("input[type=search]").first
    for word in ("incident", "deploy", "tomorrow", "invoice", "thanks"):
        await search.fill("")
        await settle(page)
        since: float = await page.evaluate("performance.now()")
        await search.fill(word)
        found.append(await settle(page, since))
    return found


async def measure_pages(browser: Browser, setting: Setting) -> AsyncIterator[Figure]:
    """Clicks that go from page to page, and the elements of each."""
    with running_studio(setting.home) as (address, _):
        page = await _page(browser, address)
        await opened(page, f"/overview?world={setting.world}", "h1")
        taken, most = [], 0
        titles = ("Preview", "Runs", "Replay", "Compare", "Annotate", "Home", "People", "Systems", "Tasks", "Overview")
        for turn in range(3):
            for title in titles:
                link = page.locator(".st-key-navigation a").filter(has_text=re.compile(f"{title}$"))
                taken += [await timed(page, link.first)] if turn else [await timed(page, link.first)][:0]
                most = max(most, await page.evaluate(NODES))
        yield Figure("click to another page, p90", setting.world, percentile(taken, 90), 500)
        yield Figure("elements of the fullest page", setting.world, most, 3000, "")
        await page.close()


async def measure_replay(browser: Browser, setting: Setting) -> AsyncIterator[Figure]:
    """First paint and keys of Replay, at each length."""
    runs = {steps: setting.run(steps) for steps in setting.steps}
    with running_studio(setting.home) as (address, _):
        for steps, run in runs.items():
            size = f"{steps:,} steps"
            page = await _page(browser, address)
            yield Figure("Replay, first paint", size, await opened(page, f"/replay?run={run}", ".where"), 3000)
            await page.evaluate(KEYS)
            taken = []
            for _ in range(setting.clicks):
                await page.keyboard.press("j")
                await page.wait_for_function("window.keyed.painted > window.keyed.pressed", timeout=LONG_MS)
                taken.append(await page.evaluate("window.keyed.painted - window.keyed.pressed"))
                await page.wait_for_timeout(80)
            yield Figure("Replay, a key, p90", size, percentile(taken, 90), 100)
            yield Figure("elements of the page", size, await page.evaluate(NODES), 3000, "")
            await page.close()


async def measure_viewers(browser: Browser, setting: Setting) -> AsyncIterator[Figure]:
    """The slowest viewer's p95: each in a browser of its own, with 5 s between clicks, begun at different moments."""
    link = _chat(setting.middle)

    async def watch(address: str, number: int) -> list[float]:
        context = await browser.new_context(base_url=address, viewport={"width": 1440, "height": 900})
        page = await context.new_page()
        await opened(page, link, _LIST)
        await asyncio.sleep(number * _PAUSE_SECONDS / setting.viewers)
        places = page.locator(".places button")
        taken = []
        for turn in range(setting.rounds):
            taken.append(await timed(page, places.nth((number * 3 + turn) % await places.count())))
            await asyncio.sleep(_PAUSE_SECONDS)
        await context.close()
        return taken

    with running_studio(setting.home) as (address, _):
        each = await asyncio.gather(*(watch(address, number) for number in range(setting.viewers)))
    slowest = max(percentile(taken, 95) for taken in each)
    yield Figure("the slowest viewer's p95", f"{setting.viewers} viewers", slowest, 1000)


async def measure_memory(browser: Browser, setting: Setting) -> AsyncIterator[Figure]:
    """How much the server and the page grow between the first fifth of some page views and the last."""
    links = [_chat(setting.middle), "/runs"]
    size = f"{setting.views} page views"
    with running_studio(setting.home) as (address, process):
        context = await browser.new_context(base_url=address)
        page = await context.new_page()
        tools = await context.new_cdp_session(page)
        server, heap = [], []
        for number in range(setting.views):
            await page.goto(links[number % len(links)])
            await page.locator("h1").first.wait_for(timeout=LONG_MS)
            await page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=LONG_MS)
            if number % max(1, setting.views // 50) == 0:
                await tools.send("HeapProfiler.collectGarbage")
                told = await tools.send("Runtime.getHeapUsage")
                server.append(resident(process))
                heap.append(float(told["usedSize"]) / 1e6)
        await context.close()
    fifth = max(1, len(server) // 5)
    grown = median(server[-fifth:]) - median(server[fifth : 2 * fifth])
    yield Figure("server's memory grows by", size, grown, 30, "MB")
    yield Figure("page's heap", size, max(heap), 100, "MB")
