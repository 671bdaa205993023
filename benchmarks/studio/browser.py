"""A studio of its own process and a browser that tells when nothing moves any more."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles

from playwright.async_api import Locator, Page

__all__ = ["KEYS", "LONG_MS", "NODES", "WATCH", "opened", "percentile", "resident", "running_studio", "settle", "timed"]

WATCH = """() => {
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
KEYS = """() => {
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
NODES = """() => {
  const count = (root) => [...root.querySelectorAll("*")].reduce((sum, one) => sum + 1 + (one.shadowRoot ? count(one.shadowRoot) : 0), 0);
  return count(document);
}"""
_QUIET_MS = 400
LONG_MS = 180_000


@contextmanager
def running_studio(home: Path, *more: str) -> Iterator[tuple[str, int]]:
    """A studio of its own process, started with these options too: its address, and the process that serves."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "studio", "--port", str(port), "--runs", "runs", "--worlds", "worlds", *more]
    with (
        (home / "studio.log").open("wb") as log,
        subprocess.Popen(
            command, cwd=home, stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": str(Path.cwd())}
        ) as server,
    ):
        try:
            _wait(port)
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


async def settle(page: Page, since: float | None = None) -> float:
    """Wait until nothing moves; milliseconds from a moment of the page's clock to the last change."""
    await page.wait_for_function(_SETTLED, arg=[_QUIET_MS, since or 0.0], timeout=LONG_MS, polling=50)
    last: float = await page.evaluate("window.watched.last")
    return max(0.0, last - (since or 0.0))


async def timed(page: Page, what: Locator, key: str = "") -> float:
    """Milliseconds that a click, or a key pressed there, takes until nothing moves."""
    since: float = await page.evaluate("performance.now()")
    await (what.press(key) if key else what.click())
    return await settle(page, since)


async def opened(page: Page, link: str, ready: str) -> float:
    """Milliseconds from asking for a page to the first paint of what it is for."""
    began = time.perf_counter()
    await page.goto(link)
    await page.locator(ready).first.wait_for(timeout=LONG_MS)
    taken = (time.perf_counter() - began) * 1000
    await page.evaluate(WATCH)
    await settle(page)
    return taken


def percentile(values: Sequence[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else values[0]


def resident(process: int) -> float:
    """MB that a process holds."""
    told = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", told)
    return int(found[1]) / 1024 if found else 0.0
