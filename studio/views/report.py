"""Report: how real a built world is, every figure beside what is usual."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from brownout.core.values import Json, objects_in
from generators.report.report import Verdict
from generators.report.report_wording import VERDICTS, value_text
from studio.escaped_markdown import plain
from studio.jobs import Job, job_panel, latest_job, start_or_say
from studio.known_worlds import KnownWorld
from studio.page_frame import empty_state, not_built_state, stale_note, world_header, world_or_stop
from studio.panes import figures_pane
from studio.start_options import choices
from worlds.package import Package

_LISTED = 8
_SHOWN: tuple[Verdict, ...] = ("broken", "unusual", "near", "usual", "holds")


def show() -> None:
    """The page."""
    world, text, package = world_or_stop("Report")
    actions = world_header("Report", world, text, package)
    if package is None:
        not_built_state(world, text, "A report reads what was built.", icon="query_stats")
        return
    stale_note(world, package)
    job = latest_job("report", package=package.manifest.digest)
    _measure_button(world, package, job, actions)
    if job is not None and job.state != "done":
        job_panel(job)
    result = job.result if job is not None and job.state == "done" else None
    if isinstance(result, dict):
        _figures(result)
    elif job is None:
        empty_state(
            "Not measured yet",
            "Some hundred figures of talk, mail, work and text, each beside what real companies have.",
            icon="query_stats",
            leads_home=False,
        )


def _measure_button(world: KnownWorld, package: Package, job: Job | None, place: DeltaGenerator) -> None:
    is_going = job is not None and not job.is_over
    label = "Measure again" if job is not None and job.state == "done" else "Measure"
    with place:
        if not st.button(
            label,
            type="primary" if job is None else "secondary",
            icon=":material/query_stats:",
            disabled=is_going or choices().read_only,
            key="measure",
        ):
            return
    words = ["report", str(package.folder), "--json"]
    start_or_say("report", f"Measure {world.name}", words, package=package.manifest.digest)


def _figures(result: dict[str, Json]) -> None:
    statistics = objects_in(result.get("statistics"))
    counts = result.get("counts")
    found = " · ".join(f"{count:,} {name}" for name, count in counts.items()) if isinstance(counts, dict) else ""
    st.markdown(f":gray[As it is on {plain(str(result.get('clock', '')))}: {plain(found)}]")
    with st.grid(5, min_column_width=110, gap="small", key="verdicts"):
        for verdict in _SHOWN:
            count = sum(one["verdict"] == verdict for one in statistics)
            st.metric(VERDICTS[verdict].capitalize(), count, border=True)
    figures_pane(
        key="figures",
        data={
            "figures": [_figure(one) for one in statistics],
            "families": sorted({str(one["family"]) for one in statistics}),
            "verdicts": dict(VERDICTS),
        },
    )


def _figure(one: dict[str, Json]) -> dict[str, object]:
    """A figure with its value and its band in words."""
    unit = str(one.get("unit", ""))
    value, band, examples = one.get("value"), one.get("band"), one.get("examples")
    usual = "–"
    if isinstance(band, list) and len(band) == 2:
        low, high = (number if isinstance(number, int | float) else None for number in band)
        usual = value_text(low, unit) if low == high else f"{value_text(low, unit)} to {value_text(high, unit)}"
    return {
        **{name: one.get(name) for name in ("name", "family", "title", "value", "band", "distance", "verdict")},
        **{name: one.get(name) for name in ("source", "note", "peers")},
        "value_text": value_text(float(value) if isinstance(value, int | float) else None, unit),
        "band_text": usual,
        "examples": examples[:_LISTED] if isinstance(examples, list) else [],
    }


show()
