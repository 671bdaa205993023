"""Pictures of every page of the studio in its states, in each width and theme, put together on sheets, with what a machine can see wrong.

    python -m benchmarks.page_pictures [--out FOLDER] [--only preview-chat,runs] [--widths 1440,1280,1000] [--axe axe.min.js]

Worlds and runs are made once, below `--out`, and studios of their own processes show them. For each picture it says: content wider than
the window, text cut without a sign of it, one scrollbar within another, errors of the page, and, where axe-core is given, what
that finds serious or critical; the exit code is 1 where it finds any. `make page-pictures` fetches axe-core and looks at everything.
"""

import argparse
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.page_pictures.pictures import sheet, taken
from benchmarks.page_pictures.states import LOOKS, Studio
from benchmarks.page_pictures.worlds_and_runs import EMPTY, FULL, made_folders
from benchmarks.studio.browser import running_studio
from brownout.testing.fake_openai import FakeOpenAI, Reply

_DRAFT = '{"name": "nell", "yaml": "name: Nell Okafor\\nrole: support agent\\nteam: support\\nmanager: hanna\\nstory: Works evenings.\\n"}'


def main() -> int:
    """Look at them; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "brownout-page-pictures")
    parser.add_argument("--only", default="", help="names of states, with commas; each also for what begins so")
    parser.add_argument("--widths", default="1440,1280,1000")
    parser.add_argument("--themes", default="light,dark")
    parser.add_argument("--axe", type=Path, help="axe.min.js of the package axe-core")
    parser.add_argument("--chromium", default=os.environ.get("BROWNOUT_CHROMIUM", "/usr/bin/chromium"))
    given = parser.parse_args()
    wanted = tuple(part for part in given.only.split(",") if part)
    looks = [one for one in LOOKS if not wanted or one.name.startswith(wanted)]
    axe = given.axe.read_text("utf-8") if given.axe else ""
    widths, themes = [int(width) for width in given.widths.split(",")], given.themes.split(",")
    home = given.out.absolute()
    pictures = home / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    made_folders(home)
    wrong = 0
    with ExitStack() as opened:
        drafter = opened.enter_context(FakeOpenAI(Reply(_DRAFT, tokens=(1200, 80))))
        started: dict[Studio, tuple[Path, tuple[str, ...]]] = {
            "full": (home / FULL, ("--draft-model", "openai/fake", "--draft-base-url", drafter.base_url)),
            "read-only": (home / FULL, ("--read-only",)),
            "empty": (home / EMPTY, ()),
        }
        addresses = {
            name: opened.enter_context(running_studio(folder, *more))[0]
            for name, (folder, more) in started.items()
            if any(look.studio == name for look in looks)
        }
        browser = opened.enter_context(sync_playwright()).chromium.launch(
            executable_path=given.chromium, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        for look in looks:
            done = [*taken(browser, addresses[look.studio], look, widths, themes, axe)]
            for one in done:
                one.image.save(pictures / f"{one.name}.png")
                for line in one.wrong:
                    wrong += line.startswith("axe")
                    print(f"{one.name}: {line}", flush=True)
            for theme in themes:
                of_theme = [one.image for one in done if one.name.endswith(theme)]
                sheet(of_theme, pictures / f"sheet-{look.name}-{theme}.png")
            print(f"{look.name}: {len(done)} pictures", flush=True)
        browser.close()
    print(f"{len(looks)} states in {pictures}" + (f", {wrong} serious or critical findings of axe" if axe else ""))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
