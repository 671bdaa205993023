"""What people wait for in the studio, in a real browser, beside the budgets: clicks, keys, search, scrubbing, first paint, many viewers, memory.

python -m benchmarks.studio [--part first,clicks,pages,replay,viewers,memory] [--messages 1000,10000,100000] [--steps 60,600,3000]
                            [--views 500] [--rounds 12] [--viewers 8] [--clicks 30] [--world larkspur] [--home FOLDER]

Worlds of the wanted sizes are built by giving a shipped one more everyday life, and kept in --home for the next time. Runs of the wanted
lengths are a recorded one whose calls are written again and again: they can be read and stepped through, not graded. A time ends with the
last change of the page before nothing moves, nothing is asked and no script runs, so it is what a person sees. The browser and the
server share the machine with what they measure.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

from playwright.async_api import async_playwright

from benchmarks.studio.measures import (
    Figure,
    Setting,
    measure_clicks,
    measure_first_sight,
    measure_memory,
    measure_pages,
    measure_replay,
    measure_viewers,
)

_PARTS = {
    "first": measure_first_sight,
    "clicks": measure_clicks,
    "pages": measure_pages,
    "replay": measure_replay,
    "viewers": measure_viewers,
    "memory": measure_memory,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", default=",".join(_PARTS), help="what is measured")
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
    parts = given.part.split(",")
    if unknown := [part for part in parts if part not in _PARTS]:
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(_PARTS)}")
    home = given.home.absolute()
    (home / "worlds").mkdir(parents=True, exist_ok=True)
    (home / "runs").mkdir(exist_ok=True)
    setting = Setting(
        home=home,
        world=given.world,
        messages=_numbers(given.messages),
        steps=_numbers(given.steps),
        clicks=given.clicks,
        viewers=given.viewers,
        rounds=given.rounds,
        views=given.views,
    )
    began = time.monotonic()
    setting.prepare(parts)
    print(f"<!-- worlds and runs: {time.monotonic() - began:.0f} s -->", flush=True)
    asyncio.run(_measured(given.chromium, setting, parts))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part.strip())


async def _measured(chromium: str, setting: Setting, parts: list[str]) -> None:
    print("| what | size | measured | budget | |\n|---|---|---:|---:|---|", flush=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        for part in parts:
            began = time.monotonic()
            figures: AsyncIterator[Figure] = _PARTS[part](browser, setting)
            async for figure in figures:
                print(figure.line, flush=True)
            print(f"<!-- {part}: {time.monotonic() - began:.0f} s -->", flush=True)
        await browser.close()


if __name__ == "__main__":
    main()
