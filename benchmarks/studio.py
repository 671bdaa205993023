"""What people wait for in the studio, in a real browser, beside the budgets: clicks, keys, search, scrubbing, first paint, many viewers, memory.

python -m benchmarks.studio [--messages 1000,10000,100000] [--steps 60,600,3000] [--views 500] [--rounds 12] [--viewers 8]
                            [--world larkspur] [--clicks 30] [--home FOLDER]

Worlds of the wanted sizes are built by giving a shipped one more everyday life, and kept in --home for the next time. Runs of the wanted
lengths are a recorded one whose calls are written again and again: they can be read and stepped through, not graded. A time ends with the
last change of the page before nothing moves, nothing is asked and no script runs, so it is what a person sees. The browser and the
server share the machine with what they measure.
"""

import argparse
import asyncio
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from shutil import copytree, rmtree
from statistics import median, quantiles

import orjson
from playwright.async_api import Browser, Locator, Page, async_playwright

from brownout.catalog import built_package, find_spec
from brownout.engine.world import World
from brownout.rollouts.options import AgentOptions
from brownout.rollouts.runner import Episode, run_episodes
from worlds.package import Package

_WATCH = """() => {
  if (window.watched) return;
  const state = window.watched = {last: performance.now(), asking: 0};
  const roots = new WeakSet();
  const watch = (root) => {
    if (roots.has(root)) return;
    roots.add(root);
    new MutationObserver((found) => { state.last = performance.now(); for (const one of found) one.addedNodes.forEach(dig); })
      .observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
    dig(root);
  };
  const dig = (node) => {
    if (node.shadowRoot) watch(node.shadowRoot);
    node.querySelectorAll?.("*").forEach((one) => one.shadowRoot && watch(one.shadowRoot));
  };
  watch(document);
  const fetched = window.fetch;
  window.fetch = async (...given) => {
    state.asking += 1;
    try { return await fetched(...given); } finally { state.asking -= 1; }
  };
}"""
_SETTLED = """([quiet, since]) => {
  const script = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState;
  return script === "notRunning" && !window.watched.asking && performance.now() - Math.max(window.watched.last, since) > quiet;
}"""
_KEYS = """() => {
  const find = (root) => {
    for (const one of root.querySelectorAll("*")) {
      const found = one.matches(".where") ? one : one.shadowRoot && find(one.shadowRoot);
      if (found) return found;
    }
  };
  const state = window.keyed = {pressed: 0, painted: 0};
  window.addEventListener("keydown", () => { state.pressed = performance.now(); }, true);
  new MutationObserver(() => requestAnimationFrame(() => { state.painted = performance.now(); }))
    .observe(find(document), {subtree: true, childList: true, characterData: true});
}"""
_NODES = """() => {
  const count = (root) => [...root.querySelectorAll("*")].reduce((sum, one) => sum + 1 + (one.shadowRoot ? count(one.shadowRoot) : 0), 0);
  return count(document);
}"""
_QUIET_MS = 400
_LONG_MS = 180_000
_MOST_VOLUME = 3.0
"""Of everyday life; what a world has with it is said in the table."""
_STORY = "aws-down-slack-down"


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, beside what it may be."""

    what: str
    size: str
    value: float
    target: float
    unit: str = "ms"

    @property
    def line(self) -> str:
        """A row of the table."""
        sign = "ok" if self.value <= self.target else "OVER"
        return (
            f"| {self.what} | {self.size} | {self.value:,.0f} {self.unit} | {self.target:,.0f} {self.unit} | {sign} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="larkspur")
    parser.add_argument("--messages", default="1000,10000,100000", help="chat messages of the worlds")
    parser.add_argument("--steps", default="60,600,3000", help="calls of the runs")
    parser.add_argument("--clicks", type=int, default=30)
    parser.add_argument("--viewers", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=12, help="clicks of each viewer, 5 s apart")
    parser.add_argument("--views", type=int, default=500, help="page views over which memory is looked at")
    parser.add_argument("--home", type=Path, default=Path(tempfile.gettempdir()) / "brownout-bench-studio")
    parser.add_argument("--chromium", default=os.environ.get("BROWNOUT_CHROMIUM", "/usr/bin/chromium"))
    given = parser.parse_args()
    home = given.home.absolute()
    (home / "worlds").mkdir(parents=True, exist_ok=True)
    worlds = {size: _sized(given.world, size, home) for size in _numbers(given.messages)}
    runs = {size: _long_run(given.world, size, home) for size in _numbers(given.steps)}
    asyncio.run(_measured(given, home, worlds, runs))


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",") if part.strip()]


# -- what is looked at --------------------------------------------------------------------------------------


def _messages(package: Package) -> int:
    return package.manifest.counts.get("slack_message", 0)


def _sized(world: str, wanted: int, home: Path) -> Package:
    """A copy of a world with about so many chat messages, by the volume of its talk."""
    folder = home / "worlds" / f"{world}-{wanted}"
    volume = 0.0
    if folder.is_dir():
        return built_package(str(folder))
    plain = _messages(built_package(world))
    if wanted > plain:
        one = _messages(built_package(str(_copy(world, home / "worlds" / f"{world}-one", 1.0))))
        volume = min(_MOST_VOLUME, round((wanted - plain) / max(1, one - plain), 2))
        rmtree(home / "worlds" / f"{world}-one")
    return built_package(str(_copy(world, folder, volume)))


def _copy(world: str, folder: Path, volume: float) -> Path:
    copytree(find_spec(world), folder)
    text = (folder / "world.yaml").read_text("utf-8")
    text = re.sub(r"(?m)^background:.*\n", "", text)
    text = re.sub(r"(?m)^world: .*$", f"world: {folder.name}", text, count=1)
    (folder / "world.yaml").write_text(f"{text}background: {{machines: 0, work: 0, people: {volume}}}\n", "utf-8")
    return folder


def _long_run(world: str, steps: int, home: Path) -> str:
    """The name of a run with so many calls: the recorded ones again and again."""
    name = f"run-{steps}"
    folder = home / "runs" / name
    if folder.is_dir():
        return name
    source = home / "recorded"
    if not (source / "run.json").is_file():
        package = built_package(world)
        task = _STORY if _STORY in package.tasks else next(iter(package.tasks))
        with World(package, hot=1) as opened:
            asyncio.run(run_episodes(opened, [Episode(task, "oracle", 0, AgentOptions(), source)]))
    events = [orjson.loads(line) for line in (source / "trajectory.jsonl").read_bytes().splitlines()]
    first = next(number for number, event in enumerate(events) if event["kind"] == "call")
    last = max(number for number, event in enumerate(events) if event["kind"] == "result")
    head, body, tail = events[:first], events[first : last + 1], events[last + 1 :]
    calls = sum(event["kind"] == "call" for event in body)
    again = [
        {**event, **({"call_id": f"{event['call_id']}-{turn}"} if "call_id" in event else {})}
        for turn in range(-(-steps // calls))
        for event in body
    ]
    kept, made = [], 0
    for event in again:
        made += event["kind"] == "call"
        if made > steps:
            break
        kept.append(event)
    whole = [{**event, "seq": number} for number, event in enumerate([*head, *kept, *tail])]
    folder.mkdir(parents=True)
    (folder / "trajectory.jsonl").write_bytes(b"".join(orjson.dumps(event) + b"\n" for event in whole))
    (folder / "run.json").write_bytes((source / "run.json").read_bytes())
    return name


# -- the browser --------------------------------------------------------------------------------------------


@asynccontextmanager
async def _studio(home: Path) -> AsyncIterator[tuple[str, int]]:
    """A studio of its own process: its address, and the process that serves."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "studio", "--port", str(port), "--runs", "runs", "--worlds", "worlds"]
    with (
        (home / "studio.log").open("wb") as log,
        subprocess.Popen(
            command, cwd=home, stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": str(Path.cwd())}
        ) as server,
    ):
        try:
            await asyncio.to_thread(_wait, port)
            yield f"http://127.0.0.1:{port}", server.pid
        finally:
            server.terminate()


def _wait(port: int) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            HTTPConnection("127.0.0.1", port, timeout=1).request("GET", "/_stcore/health")
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
        else:
            return


async def _settle(page: Page, since: float | None = None) -> float:
    """Wait until nothing moves; milliseconds from a moment of the page's clock to the last change."""
    await page.wait_for_function(_SETTLED, arg=[_QUIET_MS, since or 0.0], timeout=_LONG_MS, polling=50)
    last: float = await page.evaluate("window.watched.last")
    return max(0.0, last - (since or 0.0))


async def _timed(page: Page, what: Locator, key: str = "") -> float:
    """Milliseconds that a click, or a key pressed there, takes until nothing moves."""
    since: float = await page.evaluate("performance.now()")
    await (what.press(key) if key else what.click())
    return await _settle(page, since)


async def _opened(page: Page, link: str, ready: str) -> float:
    """Milliseconds from asking for a page to the first paint of what it is for."""
    began = time.perf_counter()
    await page.goto(link)
    await page.locator(ready).first.wait_for(timeout=_LONG_MS)
    taken = (time.perf_counter() - began) * 1000
    await page.evaluate(_WATCH)
    await _settle(page)
    return taken


def _p(values: Sequence[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else values[0]


def _resident(process: int) -> float:
    """MB that a process holds."""
    told = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", told)
    return int(found[1]) / 1024 if found else 0.0


# -- what is measured ---------------------------------------------------------------------------------------


async def _measured(given: argparse.Namespace, home: Path, worlds: dict[int, Package], runs: dict[int, str]) -> None:
    print("| what | size | measured | target | |\n|---|---|---:|---:|---|", flush=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=given.chromium, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        for wanted, package in worlds.items():
            world = f"{given.world}-{wanted}"
            rmtree(package.folder.with_name(f"{package.folder.name}.moments"), ignore_errors=True)
            async with _studio(home) as (address, _):
                for figure in await _preview(browser, address, world, f"{_messages(package):,} messages", given.clicks):
                    print(figure.line, flush=True)
        async with _studio(home) as (address, process):
            for steps, run in runs.items():
                for figure in await _replay(browser, address, run, f"{steps:,} steps", given.clicks):
                    print(figure.line, flush=True)
            link = _chat(f"{given.world}-{[*worlds][len(worlds) // 2]}")
            print((await _many(browser, address, link, given.viewers, given.rounds)).line, flush=True)
            for figure in await _memory(browser, address, process, [link, "/runs"], given.views):
                print(figure.line, flush=True)
        await browser.close()


def _chat(world: str) -> str:
    return f"/preview?world={world}&surface=chat"


async def _preview(browser: Browser, address: str, world: str, size: str, clicks: int) -> list[Figure]:
    page = await browser.new_page(base_url=address, viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    ready = "[role=listbox] [role=option]"
    cold = await _opened(page, _chat(world), ready)
    await page.goto("/runs")
    warm = await _opened(page, _chat(world), ready)
    places = page.locator(".places button")
    taken = [await _timed(page, places.nth(1 + number % (await places.count() - 1))) for number in range(clicks)]
    for name in ("Mail", "Issues", "Status", "Chat"):
        taken.append(await _timed(page, page.get_by_role("tab", name=name).first))
    found = []
    search = page.locator("input[type=search]").first
    for word in ("incident", "deploy", "tomorrow", "invoice", "thanks"):
        await search.fill("")
        await _settle(page)
        since: float = await page.evaluate("performance.now()")
        await search.fill(word)
        found.append(await _settle(page, since))
    await search.fill("")
    await _settle(page)
    slider = page.get_by_role("slider", name="World time")
    scrubs = [await _timed(page, slider, "PageDown" if number % 4 else "ArrowLeft") for number in range(10)]
    nodes: int = await page.evaluate(_NODES)
    await page.close()
    return [
        Figure("Preview, first sight", size, cold, 8000),
        Figure("Preview, warm", size, warm, 3000),
        Figure("click, p90", size, _p(taken, 90), 500),
        Figure("search, median", size, median(found), 400),
        Figure("scrub, median", size, median(scrubs), 700),
        Figure("elements of the page", size, nodes, 3000, ""),
    ]


async def _replay(browser: Browser, address: str, run: str, size: str, clicks: int) -> list[Figure]:
    page = await browser.new_page(base_url=address, viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    first = await _opened(page, f"/replay?run={run}", ".where")
    await page.evaluate(_KEYS)
    taken = []
    for _ in range(clicks):
        await page.keyboard.press("j")
        await page.wait_for_function("window.keyed.painted > window.keyed.pressed", timeout=_LONG_MS)
        taken.append(await page.evaluate("window.keyed.painted - window.keyed.pressed"))
        await page.wait_for_timeout(80)
    nodes: int = await page.evaluate(_NODES)
    await page.close()
    return [
        Figure("Replay, first paint", size, first, 3000),
        Figure("Replay, a key, p90", size, _p(taken, 90), 100),
        Figure("elements of the page", size, nodes, 3000, ""),
    ]


async def _many(browser: Browser, address: str, link: str, viewers: int, rounds: int) -> Figure:
    """The slowest viewer's p95: each in a browser of its own, with 5 s between clicks, begun at different moments."""

    async def watch(number: int) -> list[float]:
        context = await browser.new_context(base_url=address, viewport={"width": 1440, "height": 900})
        page = await context.new_page()
        await _opened(page, link, "[role=listbox] [role=option]")
        await asyncio.sleep(number * 5 / viewers)
        places = page.locator(".places button")
        taken = []
        for turn in range(rounds):
            taken.append(await _timed(page, places.nth((number + turn) % await places.count())))
            await asyncio.sleep(5)
        await context.close()
        return taken

    each = await asyncio.gather(*map(watch, range(viewers)))
    return Figure("the slowest viewer's p95", f"{viewers} viewers", max(_p(taken, 95) for taken in each), 1000)


async def _memory(browser: Browser, address: str, process: int, links: Sequence[str], views: int) -> list[Figure]:
    """How much the server and the page grow between the first fifth of some page views and the last."""
    context = await browser.new_context(base_url=address)
    page = await context.new_page()
    tools = await context.new_cdp_session(page)
    server, heap = [], []
    for number in range(views):
        await page.goto(links[number % len(links)])
        await page.locator("h1").first.wait_for(timeout=_LONG_MS)
        await page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=_LONG_MS)
        if number % max(1, views // 50) == 0:
            await tools.send("HeapProfiler.collectGarbage")
            told = await tools.send("Runtime.getHeapUsage")
            server.append(_resident(process))
            heap.append(float(told["usedSize"]) / 1e6)
    await context.close()
    fifth = max(1, len(server) // 5)
    size = f"{views} page views"
    return [
        Figure("server's memory grows by", size, median(server[-fifth:]) - median(server[fifth : 2 * fifth]), 30, "MB"),
        Figure("page's heap", size, max(heap), 100, "MB"),
    ]


if __name__ == "__main__":
    main()
