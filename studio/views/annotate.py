"""Annotate: queues of runs to be read, who is how far, how far annotators agree, and what they said as a file."""

from itertools import combinations

import streamlit as st

from brownout.annotations import (
    Agreement,
    Annotation,
    Disagreement,
    Draft,
    Queue,
    agreement_of,
    as_csv,
    as_jsonl,
    judge_agreement,
    progress_of,
    read_taxonomy,
)
from brownout.annotations.agreement import GATE, MEASURES
from brownout.annotations.queue import deal, sample
from brownout.annotations.taxonomy import default_taxonomy_text
from brownout.core.errors import BrownoutError, UsageError
from studio.episodes.annotation_context import annotations, likely_author, queues
from studio.episodes.run_charts import first_error_chart, first_errors, judge_cells, judge_chart
from studio.episodes.run_list import Run, list_runs
from studio.episodes.shown_steps import in_short
from studio.page_frame import empty_state, header, plain
from studio.pages import page_path
from studio.serving.run_routes import steps_of_run
from studio.start_options import choices
from studio.tables import Cell, Column, TableBadge, table
from studio.terminal_commands import short_path, terminal_command

_MOST_LISTED = 20
_BLIND = (Column("Call", "number"), Column("What", "strong"), Column("With", width="60%"), Column(""))
_LABELS = (
    Column("Key", "number"), Column("Label", "strong"), Column("Whose"), Column("Says", width="48%"), Column("Check", "short"),
    Column("By you", "number"),
)  # fmt: skip
_OUTCOMES = ("Passed", "Failed", "Ungraded")


def show() -> None:
    """The page."""
    runs = list_runs(choices().runs).runs
    row = header("Annotate", (short_path(choices().runs / "annotations"), "gray", ":material/folder:"))
    with row:
        _who()
    if not runs:
        empty_state(
            "Nothing to annotate yet", "Runs are annotated as they are replayed; start one first.", icon="rate_review"
        )
        return
    for problem in annotations().problems():
        st.warning(f"A record cannot be read and is left out: {plain(problem)}", icon=":material/warning:")
    records = annotations().standing()
    parts = {"Queues": _queues, "Agreement": _agreeing, "Blind A/B": _blind, "Labels and export": _labels}
    for place, part in zip(
        st.tabs([*parts], key="part", on_change="rerun", bind="query-params"), parts.values(), strict=True
    ):
        with place:
            if place.open:
                part(runs, records)


def _who() -> str:
    if "annotator" not in st.session_state:
        st.session_state["annotator"] = likely_author()
    st.markdown(":gray[Annotator]", width="content")
    st.text_input(
        "Annotator", key="annotator", persist_state="session", label_visibility="collapsed", width=200, max_chars=80
    )
    return str(st.session_state["annotator"])


def _author() -> str:
    return str(st.session_state.get("annotator") or likely_author())


# -- queues -------------------------------------------------------------------------------------------------


def _queues(runs: tuple[Run, ...], records: list[Annotation]) -> None:
    known = {run.id for run in runs}
    found = [queue for name in queues().names() if (queue := queues().read(name)) is not None]
    if not found:
        st.markdown(":gray[No queue yet. A queue is a set of runs that one or more people read in the same order.]")
    for queue in found:
        _queue(queue, records, known)
    _annotated(records, known)
    with st.expander("New queue", icon=":material/add:", expanded=not found):
        _new_queue(runs)


def _annotated(records: list[Annotation], known: set[str]) -> None:
    """The runs of which something was said, the latest first, each a way into its replay."""
    by_run: dict[str, list[Annotation]] = {}
    for one in records:
        if one.run in known:
            by_run.setdefault(one.run, []).append(one)
    if not by_run:
        return
    st.markdown(f"**Annotated** :gray[{len(by_run)} run{'s' if len(by_run) > 1 else ''}]")
    with st.container(border=True, gap="xsmall", key="annotated"):
        for run, said in [*reversed(by_run.items())][:_MOST_LISTED]:
            authors = ", ".join(sorted({one.author for one in said}))
            count = f"{len(said)} record{'s' if len(said) > 1 else ''}"
            st.page_link(
                page_path("replay"), label=plain(f"{run} · {count} by {authors}"), icon=":material/rate_review:",
                query_params={"run": run, "annotate": "1"},
            )  # fmt: skip
        if len(by_run) > _MOST_LISTED:
            st.caption(f"and {len(by_run) - _MOST_LISTED} more; Runs lists them all")


def _queue(queue: Queue, records: list[Annotation], known: set[str]) -> None:
    mine = progress_of(queue, _author(), records)
    others = sorted({one.author for one in records} | {name for each in queue.readers.values() for name in each})
    with st.container(border=True, gap="small", key=f"queue_{queue.name}"):
        row = st.container(horizontal=True, vertical_alignment="center", gap="small")
        row.markdown(f"**{plain(queue.name)}**", width="content")
        row.markdown(f":gray[{len(queue.runs)} runs]", width="content")
        row.space("stretch")
        if mine.next in known:
            label = "Resume" if mine.done or mine.skipped else "Start"
            if row.button(label, type="primary", icon=":material/play_arrow:", key=f"start_{queue.name}"):
                st.switch_page(
                    page_path("replay"), query_params={"run": mine.next, "annotate": "1", "queue": queue.name}
                )
        else:
            row.badge(
                "Done" if mine.total else "Nothing for you",
                icon=":material/check:",
                color="green" if mine.total else "gray",
            )
        for author in dict.fromkeys([_author(), *others]):
            each = progress_of(queue, author, records)
            ended = each.done + each.skipped
            if each.total and (author == _author() or ended):
                note = f" · {each.skipped} skipped" if each.skipped else ""
                st.progress(ended / each.total, text=f"{plain(author)} :gray[{ended} of {each.total}{note}]")


def _new_queue(runs: tuple[Run, ...]) -> None:
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    name = row.text_input("Name", key="queue_name", placeholder="First look", width=200, max_chars=60)
    tasks = row.multiselect(
        "Task",
        sorted({run.result.task for run in runs if run.result}),
        key="queue_tasks",
        width=220,
        placeholder="Any task",
        filter_mode="contains",
    )
    agents = row.multiselect(
        "Agent",
        sorted({run.result.agent for run in runs if run.result}),
        key="queue_agents",
        width=180,
        placeholder="Any agent",
        filter_mode="contains",
    )
    outcomes = row.multiselect(
        "Outcome", _OUTCOMES, key="queue_outcomes", width=200, placeholder="Any outcome", filter_mode="contains"
    )
    fitting = [run.id for run in runs if _fits(run, tasks, agents, outcomes)]
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    most = row.number_input(
        "At most", min_value=1, max_value=1000, value=min(20, max(1, len(fitting))), key="queue_most", width=120
    )
    seed = row.number_input("Sample", min_value=0, value=0, key="queue_seed", width=110,
        help="Which runs are taken where more fit than are wanted: another number takes others.",
    )  # fmt: skip
    people = row.text_input("Annotators", key="queue_people", placeholder="Ida, Max (empty: everybody)", width=280)
    names = [part.strip() for part in people.split(",") if part.strip()]
    readers = row.number_input(
        "Readers a run",
        min_value=1,
        max_value=max(1, len(names)),
        value=min(2, max(1, len(names))),
        key="queue_readers",
        width=130,
        disabled=len(names) < 2,
    )
    st.caption(f"{len(fitting)} of {len(runs)} runs fit; {min(int(most), len(fitting))} are taken.")
    if st.button(
        "Make queue",
        type="primary",
        key="make_queue",
        disabled=choices().read_only or not fitting or not name,
        help="Give it a name first" if not name else "No run fits" if not fitting else None,
    ):
        try:
            taken = sample(fitting, int(most), seed=int(seed))
            queue = Queue(
                name=name.strip(), runs=tuple(taken), readers=deal(taken, names, int(readers)) if names else {}
            )
            queues().write(queue)
        except (BrownoutError, ValueError) as error:
            st.error(
                "A queue's name is letters, digits, spaces, dots and dashes."
                if isinstance(error, ValueError)
                else plain(str(error))
            )
        else:
            st.rerun()


def _fits(run: Run, tasks: list[str], agents: list[str], outcomes: list[str]) -> bool:
    result = run.result
    if result is None:
        return False
    outcome = "Ungraded" if run.reward is None else "Passed" if run.resolved else "Failed"
    return (
        (not tasks or result.task in tasks)
        and (not agents or result.agent in agents)
        and (not outcomes or outcome in outcomes)
    )


# -- agreement ----------------------------------------------------------------------------------------------


def _agreeing(runs: tuple[Run, ...], records: list[Annotation]) -> None:
    _judge(runs, records)
    _agreement(records)
    _first_errors(records)


def _agreement(records: list[Annotation]) -> None:
    found = [one for one in agreement_of(records) if one.units]
    if not found:
        st.markdown(":gray[Nothing was annotated by two people yet. A run counts for those who have submitted it.]")
        return
    with st.grid(min(4, len(found)), min_column_width=170, gap="small", key="agreement_figures"):
        for one in found:
            st.metric(
                MEASURES[one.measure], _alpha(one), delta=_same(one), delta_color="off", delta_arrow="off", border=True
            )
    low = [MEASURES[one.measure] for one in found if one.alpha is not None and one.alpha < GATE]
    if low:
        st.warning(
            f"Below {GATE}, too low to conclude from: {', '.join(low)}. Settle the disagreements, or sharpen the labels.",
            icon=":material/balance:",
        )
    st.caption(
        "Krippendorff's alpha: 1 where all agree, 0 where chance would do as well; – where all say the same, or too little was said."
        " Below it: how many pairs of annotators say the same, how many at most one call apart, and how many things were compared."
    )
    differing = [each for one in found for each in one.disagreements]
    st.subheader(f"Disagreements ({len(differing)})", anchor=False)
    if not differing:
        st.markdown(":gray[None. Everybody says the same.]")
    titles = _titles()
    for number, each in enumerate(differing[:100]):
        _disagreement(each, number, titles)


def _judge(runs: tuple[Run, ...], records: list[Annotation]) -> None:
    """How far annotators' verdicts agree with what models said of the same criteria."""
    judged = {
        (run.id, str(line["criterion"])): bool(line["passed"])
        for run in runs
        if run.result is not None
        for line in run.result.ledger
        if line.get("models")
    }
    found = judge_agreement(records, judged)
    if found is not None:
        text = f"alpha {_alpha(found)}, {found.exact or 0:.0%} the same, {found.units} verdicts compared"
        st.markdown(f"**Judge and annotators** :gray[{plain(text)}]")
        st.altair_chart(
            judge_chart(judge_cells(records, judged)),
            alt="How often annotators said the same as the judge",
            width="content",
        )
        for each in found.disagreements[:20]:
            said = ", ".join(f"{author}: {value}" for author, value in each.values.items())
            st.markdown(f":gray[{plain(each.unit)} · {plain(said)}]")


def _first_errors(records: list[Annotation]) -> None:
    rows = first_errors(records)
    if rows:
        st.subheader("Where runs first went wrong", anchor=False)
        st.altair_chart(first_error_chart(rows), alt="How many marks of a first error there are at which call")


def _alpha(one: Agreement) -> str:
    return "–" if one.alpha is None else f"{one.alpha:.2f}"


def _same(one: Agreement) -> str:
    near = "" if one.near is None else f", {one.near:.0%} within one"
    return f"{one.exact or 0:.0%} same{near} · {one.units}"


def _titles() -> dict[str, str]:
    """What labels are called, by code; nothing where the team's file cannot be read."""
    try:
        return {one.code: one.title for one in read_taxonomy(annotations().folder).labels}
    except UsageError:
        return {}


def _disagreement(each: Disagreement, number: int, titles: dict[str, str]) -> None:
    def called(text: str, sign: str) -> str:
        return plain(sign.join(titles.get(part, part) for part in text.split(sign)))

    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small", key=f"differ_{number}"):
        st.markdown(f"**{called(each.unit, ' · ')}**  \n:gray[{plain(MEASURES[each.measure])}]", width=330)
        for author, value in each.values.items():
            st.badge(f"{plain(author)}: {called(value, ' + ')}", color="blue")
        st.space("stretch")
        if each.decided:
            st.badge(plain(f"settled: {each.decided} ({each.by})"), color="green", icon=":material/gavel:")
        st.page_link(
            page_path("replay"), label="Open", icon=":material/movie:", query_params={"run": each.run, "annotate": "1"}
        )
        chosen = st.selectbox(
            "Settle as", sorted({*each.values.values()}), index=None, key=f"settle_{number}", placeholder="Settle as…",
            label_visibility="collapsed", width=150, disabled=choices().read_only, filter_mode="contains",
        )  # fmt: skip
        if chosen and chosen != each.decided:
            annotations().add(
                _author(), Draft(run=each.run, kind="adjudication", about=f"{each.measure}|{each.unit}", value=chosen)
            )
            st.rerun()


# -- two runs, blind ----------------------------------------------------------------------------------------


def _blind(runs: tuple[Run, ...], records: list[Annotation]) -> None:
    """Two runs of a task, without who played them or what they earned."""
    pairs = _pairs(
        runs,
        {frozenset((one.run, one.other)) for one in records if one.kind == "preference" and one.author == _author()},
    )
    if not pairs:
        st.markdown(":gray[There is no pair of runs of one task that you have not compared.]")
        return
    first, second = pairs[0]
    st.markdown(
        f"**{plain(first.result.task if first.result else '')}**  \n:gray[Two runs of this task. Who played them and what they earned is not shown.]"
    )
    for column, run, title in zip(st.columns(2), (first, second), ("A", "B"), strict=True):
        with column:
            st.markdown(f"**{title}** :gray[{run.result.steps if run.result else 0} calls]")
            told = _told(run)
            if not told:
                st.markdown(":gray[It did nothing.]")
                continue
            table(_BLIND, told, key=f"blind_{title}", alt=f"What {title} did", height=480)
    row = st.container(horizontal=True, horizontal_alignment="center", gap="small")
    for label, value in (("Prefer A", "first"), ("Tie", "tie"), ("Prefer B", "second")):
        if row.button(label, key=f"blind_{value}", disabled=choices().read_only):
            annotations().add(_author(), Draft(run=first.id, other=second.id, kind="preference", value=value))
            st.rerun()
    st.caption(f"{len(pairs)} pairs are left for you.")


def _pairs(runs: tuple[Run, ...], done: set[frozenset[str]]) -> list[tuple[Run, Run]]:
    """Pairs of runs of one task by different agents that were not compared, each in an order that its names decide."""
    found = []
    ended = [run for run in runs if run.result is not None]
    for one, other in combinations(ended, 2):
        a, b = one.result, other.result
        is_pair = a and b and a.task == b.task and a.package == b.package and a.agent != b.agent
        if is_pair and frozenset((one.id, other.id)) not in done:
            first, second = sorted((one, other), key=lambda run: run.id[::-1])
            found.append((first, second))
    return found


def _told(run: Run) -> list[tuple[Cell, ...]]:
    """What the agent of a run did, a row a call."""
    return [
        (step.calls, step.title, in_short(step).about, TableBadge("error", "red") if step.is_error else "")
        for step in steps_of_run(run.id)
        if step.actor == "agent"
    ]


# -- labels and export --------------------------------------------------------------------------------------


def _labels(runs: tuple[Run, ...], records: list[Annotation]) -> None:
    del runs
    folder = annotations().folder
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    row.markdown(f"**{len(records)} records** :gray[by {len(annotations().authors)} annotators]", width="content")
    row.space("stretch")
    row.download_button("CSV", as_csv(records), "annotations.csv", "text/csv", icon=":material/download:", key="csv")
    row.download_button(
        "JSONL", as_jsonl(records), "annotations.jsonl", "application/jsonl", icon=":material/download:", key="jsonl"
    )
    exported = terminal_command(["annotate", "export", "--runs", str(choices().runs), "--to", "csv"])
    st.caption(f"The same in a terminal: `{exported}`")
    try:
        taxonomy = read_taxonomy(folder)
    except UsageError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    counts = {
        one.code: sum((each.kind, each.value, each.author) == ("label", one.code, _author()) for each in records)
        for one in taxonomy.labels
    }
    rows = [(one.key, one.title, one.axis, one.says, one.check, counts[one.code] or "") for one in taxonomy.labels]
    table(_LABELS, rows, key="taxonomy", alt="Labels")
    own = folder / "taxonomy.yaml"
    if own.is_file():
        st.caption(f"Read from `{own}`, version {taxonomy.version}.")
    elif st.button("Make these labels ours", icon=":material/edit:", key="own_labels", disabled=choices().read_only):
        folder.mkdir(parents=True, exist_ok=True)
        own.write_text(default_taxonomy_text(), "utf-8")
        st.rerun()


show()
