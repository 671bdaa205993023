"""The build bar: how a world's build goes or went, its digest, and whether a second build is the same."""

import time
from collections.abc import Mapping

import streamlit as st

from brownout.core.values import Json, objects_in
from studio.escaped_markdown import plain
from studio.jobs import Job, job_panel, latest_job, start_or_say
from studio.known_worlds import KnownWorld
from studio.start_options import choices
from studio.tables import Column, table
from worlds.package import Package

__all__ = ["build_bar"]

_SHOWN_DIFFERENCES = 40
_DIFFERENCES = (
    Column("Part", "strong"), Column("Table", "code"), Column("How", width="30%"), Column("For example", "code", "44%"),
)  # fmt: skip


def build_bar(world: KnownWorld, package: Package | None) -> None:
    """Show what is built of a world, and offer to build it twice and compare."""
    folder = str(world.folder)
    build, twice = latest_job("build", folder=folder), latest_job("twice", folder=folder)
    if package is None:
        return
    with st.container(border=True, gap="small", key="build_bar"):
        row = st.container(horizontal=True, vertical_alignment="center", gap="small")
        row.markdown("**Build**", width="content")
        row.markdown(f":gray[{_said(package, build)}]", width="content")
        row.space("stretch")
        is_going = twice is not None and not twice.is_over
        if row.button(
            "Build twice and compare",
            icon=":material/difference:",
            key="build_twice",
            disabled=is_going or choices().read_only,
            help="Builds it here and again in another process, and says in which table or part they differ",
        ):
            words = ["build", folder, "--twice", "--json"]
            start_or_say("twice", f"Build {world.name} twice", words, folder=folder)
        st.markdown(f":gray[Digest] `{package.manifest.digest}`")
        if twice is not None:
            _compared(twice, package)


def _said(package: Package, build: Job | None) -> str:
    """When it was built, how long that took, how much it is."""
    counts = package.manifest.counts
    records = sum(count for name, count in counts.items() if name not in ("people", "tasks", "events"))
    parts = [f"world seed {package.manifest.seed}", f"{counts.get('events', 0):,} events", f"{records:,} records"]
    result = build.result if build is not None and build.state == "done" else None
    if isinstance(result, dict) and result.get("digest") == package.manifest.digest and build is not None:
        parts = [_ago(time.time() - build.ended), f"in {build.seconds:.1f} s", *parts]
    return " · ".join(parts)


def _ago(seconds: float) -> str:
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def _compared(job: Job, package: Package) -> None:
    """What a second build came to."""
    result = job.result
    if not isinstance(result, dict) or "differs" not in result:
        if job.state != "cancelled":
            job_panel(job)
        return
    differs = objects_in(result["differs"])
    stale = (
        "" if result.get("digest") == package.manifest.digest else " :gray[That was another text than this build's.]"
    )
    if not differs:
        st.markdown(
            f":green[:material/check: Two builds in two processes are the same, in every table and part.]{stale}"
        )
        return
    count = f"{len(differs)} part" + ("s" if len(differs) > 1 else "")
    st.markdown(f":red[:material/error: Two builds of the same text differ in {count}.]{stale}")
    rows = [row for one in differs for row in _rows(one)]
    table(_DIFFERENCES, rows[:_SHOWN_DIFFERENCES], key="differences", alt="What differs between two builds")
    if len(rows) > _SHOWN_DIFFERENCES:
        st.caption(f"and {len(rows) - _SHOWN_DIFFERENCES} more: `brownout {plain(' '.join(job.command))}` has them all")


def _rows(one: Mapping[str, Json]) -> list[tuple[str, str, str, str]]:
    """A row for each table of a part, or for the part where it has none."""
    tables = objects_in(one.get("tables"))
    part, detail = str(one.get("part")), str(one.get("detail"))
    if not tables:
        return [(part, "", detail, _example(one))]
    return [
        (
            part,
            str(each.get("table")),
            f"{each.get('first')} rows only in the first, {each.get('second')} only in the second",
            _example(each),
        )
        for each in tables
    ]


def _example(one: Mapping[str, Json]) -> str:
    found = one.get("example")
    return "  ≠  ".join(str(line) for line in found) if isinstance(found, list) else ""
