"""Serves the studio until it is stopped: `python -m studio`; people start it with `brownout studio`."""

import argparse
import os
import sys
import threading
import time
import tomllib
import webbrowser
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from studio.app import app
from studio.company.living_ahead import live_ahead
from studio.start_options import AHEAD, DRAFT_BASE_URL, DRAFT_KEY_ENV, DRAFT_MODEL, FOLLOW, READ_ONLY, RUNS, WORLDS

_SETTINGS = Path(__file__).with_name("settings.toml")
_WAIT_SECONDS = 20.0


def main() -> None:
    """Read the arguments and serve."""
    parser = argparse.ArgumentParser(prog="python -m studio", description=__doc__)
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--runs", default="runs", help="folder of the runs to show")
    parser.add_argument("--worlds", default=".", help="folder of the worlds to show and change")
    parser.add_argument("--follow", action="store_true", help="show packages as soon as they are built")
    parser.add_argument("--read-only", action="store_true")
    parser.add_argument("--draft-model", default="", help="model that drafts entries, as litellm names it")
    parser.add_argument("--draft-base-url", default="", help="its endpoint")
    parser.add_argument("--draft-key-env", default="", help="environment variable that holds its key")
    given = parser.parse_args()
    os.environ[RUNS] = str(Path(given.runs).absolute())
    os.environ[WORLDS] = str(Path(given.worlds).absolute())
    os.environ[FOLLOW] = "1" if given.follow else "0"
    os.environ[READ_ONLY] = "1" if given.read_only else "0"
    os.environ[AHEAD] = "0" if given.follow else "1"
    live_ahead()
    if given.draft_model:
        drafter = {DRAFT_MODEL: given.draft_model, DRAFT_BASE_URL: given.draft_base_url}
        os.environ.update({**drafter, DRAFT_KEY_ENV: given.draft_key_env})
    if _has_screen():
        threading.Thread(target=_open_browser, args=(given.port,), daemon=True).start()
    try:
        app.run(config={**dict(_dotted(tomllib.loads(_SETTINGS.read_text()))), "server.port": given.port})
    except KeyboardInterrupt:
        sys.exit(130)


def _dotted(tree: Mapping[str, object], above: str = "") -> Iterator[tuple[str, object]]:
    """The options of a TOML tree by their dotted names."""
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _dotted(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _has_screen() -> bool:
    """Whether somebody sits in front of this process who would see a browser window."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open_browser(port: int) -> None:
    """Open the studio once it answers."""
    until = time.monotonic() + _WAIT_SECONDS
    while time.monotonic() < until:
        try:
            HTTPConnection("127.0.0.1", port, timeout=1).request("GET", "/_stcore/health")
        except (OSError, HTTPException):
            time.sleep(0.2)
        else:
            webbrowser.open(f"http://127.0.0.1:{port}")
            return


if __name__ == "__main__":
    main()
