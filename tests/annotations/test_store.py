"""Records of annotators: appended, taken back, never lost, dealt, compared, exported."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest
from pydantic import ValidationError

from brownout.annotations import (
    Annotation,
    AnnotationStore,
    Draft,
    Kind,
    Queue,
    QueueStore,
    agreement_of,
    as_csv,
    as_jsonl,
    judge_agreement,
    progress_of,
    read_taxonomy,
)
from brownout.annotations.queue import deal, sample
from brownout.core.errors import UsageError

AT = datetime(2026, 11, 24, 16, 0, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> AnnotationStore:
    return AnnotationStore(tmp_path / "annotations", now=lambda: AT)


def note(text: str, run: str = "r-1") -> Draft:
    return Draft(run=run, kind="note", text=text)


def test_what_is_added_is_read_back_with_author_and_time(store: AnnotationStore) -> None:
    made = store.add("Ida Holm", note("first"), Draft(run="r-1", kind="label", step=7, call=3, value="loop"))

    assert store.everything() == made
    assert [one.id for one in made] == ["Ida_Holm/1", "Ida_Holm/2"]
    assert {(one.author, one.at) for one in made} == {("Ida Holm", "2026-11-24T16:00:00+00:00")}


def test_undo_takes_back_the_last_and_is_itself_a_record(store: AnnotationStore) -> None:
    store.add("ida", note("first"), note("second"), note("elsewhere", "r-2"))

    gone = store.undo("ida", "r-1")

    assert gone is not None
    assert gone.text == "second"
    assert [one.text for one in store.standing()] == ["first", "elsewhere"]
    assert [one.kind for one in store.everything()] == ["note", "note", "note", "undo"]
    store.undo("ida", "r-1")
    assert store.undo("ida", "r-1") is None


def test_taking_back_a_replacement_brings_back_what_it_replaced(store: AnnotationStore) -> None:
    (old,) = store.add("ida", note("old"))
    store.add("ida", Draft(run="r-1", kind="note", text="new", supersedes=old.id))
    assert [one.text for one in store.standing()] == ["new"]

    store.undo("ida", "r-1")

    assert [one.text for one in store.standing()] == ["old"]


def test_nobody_takes_back_what_is_anothers(store: AnnotationStore) -> None:
    (mine,) = store.add("ida", note("mine"))

    with pytest.raises(UsageError, match="no record of marcus"):
        store.add("marcus", Draft(run="r-1", kind="undo", supersedes=mine.id))
    assert store.undo("marcus", "r-1") is None
    assert [one.text for one in store.standing()] == ["mine"]


def test_many_at_once_lose_nothing(store: AnnotationStore) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: store.add("ida", note(str(number))), range(40)))

    records = store.everything()
    assert sorted(int(one.text) for one in records) == [*range(40)]
    assert len({one.id for one in records}) == 40


def test_a_line_cut_short_is_told_and_costs_no_other(store: AnnotationStore) -> None:
    store.add("ida", note("whole"))
    path = store.file_of("ida")
    path.write_bytes(path.read_bytes() + b'{"run": "r-1", "ki')

    store.add("ida", note("after"))

    assert [one.text for one in store.standing()] == ["whole", "after"]
    assert store.problems() == [problem for problem in store.problems() if problem.startswith("ida.jsonl:2: ")]
    assert len(store.problems()) == 1
    assert len({one.id for one in store.everything()}) == 2


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "..", "a/b", "\0", "Zoë 🙏", ".hidden", "x" * 80])
def test_whatever_an_annotator_is_called_their_file_stays_in_the_folder(store: AnnotationStore, name: str) -> None:
    store.add(name, note("here"))

    assert store.file_of(name).resolve().parent == store.folder.resolve()
    assert [one.author for one in store.everything()] == [name]


def test_different_names_have_different_files(store: AnnotationStore) -> None:
    names = ["Ida Holm", "ida holm", "Ida.Holm", "Ida/Holm", "Zoë", "Zoe"]

    assert len({store.file_of(name).name for name in names}) == len(names)


def test_nobody_is_no_annotator(store: AnnotationStore) -> None:
    for name in ("", "   ", "x" * 81):
        with pytest.raises(UsageError, match="annotator's name"):
            store.add(name, note("x"))


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "label", "value": "loop"},
        {"kind": "label", "step": 1},
        {"kind": "note", "text": "  "},
        {"kind": "correction", "step": 1},
        {"kind": "span", "step": 1, "start": 4, "end": 4},
        {"kind": "span", "step": 1, "start": 0, "end": 4, "quote": "abc"},
        {"kind": "preference", "value": "first"},
        {"kind": "preference", "value": "first", "other": "r-1"},
        {"kind": "verdict", "value": "met"},
        {"kind": "undo"},
        {"kind": "praise"},
    ],
)
def test_what_says_nothing_is_not_kept(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Draft.model_validate({"run": "r-1", **fields})


def test_spans_count_characters_and_not_bytes(store: AnnotationStore) -> None:
    text = "👩‍⚕️ says the page is green 🙏"
    quote = "green 🙏"
    at = text.index(quote)

    (span,) = store.add(
        "ida", Draft(run="r-1", kind="span", step=3, start=at, end=at + len(quote), quote=quote, about="result/0")
    )

    assert text[span.start : span.end] == span.quote


# -- agreement ----------------------------------------------------------------------------------------------


def said(author: str, run: str, kind: Kind, **more: object) -> Annotation:
    fields = {"run": run, "kind": kind, "author": author, "id": f"{author}/{run}/{kind}/{len(more)}", "at": "t", **more}
    return Annotation.model_validate(fields)


def read(author: str, run: str, call: int | None, *labels: str) -> list[Annotation]:
    """Somebody has read a run and found its first error at a call, None for no error."""
    found = [said(author, run, "done")]
    if call is not None:
        found.append(said(author, run, "first_error", step=call * 3, call=call))
        found += [said(author, run, "label", step=call * 3, call=call, value=label) for label in labels]
    return found


def test_first_errors_are_compared_by_call_exactly_and_nearly() -> None:
    records = [
        *read("ida", "a", 3, "loop"), *read("max", "a", 3, "loop"),
        *read("ida", "b", 5, "loop"), *read("max", "b", 6, "gave-up"),
        *read("ida", "c", None), *read("max", "c", 9, "loop"),
        *read("ida", "d", 2, "loop"),
    ]  # fmt: skip
    found = {one.measure: one for one in agreement_of(records)}

    first = found["first-error"]
    assert first.units == 3
    assert first.exact == pytest.approx(1 / 3)
    assert first.near == pytest.approx(2 / 3)
    assert [(one.run, one.values) for one in first.disagreements] == [
        ("b", {"ida": "5", "max": "6"}),
        ("c", {"ida": "none", "max": "9"}),
    ]
    assert found["first-error-class"].exact == pytest.approx(1 / 3)


def test_labels_are_compared_by_run_and_a_label_that_both_left_out_is_agreed_on() -> None:
    records = [
        *read("ida", "a", 3, "loop"), *read("max", "a", 4, "loop"),
        *read("ida", "b", 5, "gave-up"), *read("max", "b", None),
    ]  # fmt: skip
    found = {one.measure: one for one in agreement_of(records)}["labels"]

    assert (found.units, found.exact) == (4, 3 / 4)
    assert [(one.unit, one.values) for one in found.disagreements] == [("b · gave-up", {"ida": "yes", "max": "no"})]


def test_decisive_steps_are_compared_by_call_too() -> None:
    records = [
        *read("ida", "a", 3), said("ida", "a", "decisive", step=12, call=4),
        *read("max", "a", 3), said("max", "a", "decisive", step=15, call=5),
    ]  # fmt: skip
    found = {one.measure: one for one in agreement_of(records)}["decisive"]

    assert (found.units, found.exact, found.near) == (1, 0, 1)


def test_who_has_not_finished_a_run_says_nothing_of_it() -> None:
    records = [*read("ida", "a", 3), said("max", "a", "first_error", step=30, call=10)]

    assert agreement_of(records)[0].units == 0


def test_what_was_settled_is_shown_beside_the_disagreement() -> None:
    records = [
        *read("ida", "a", 3), *read("max", "a", 4),
        said("lea", "a", "adjudication", about="first-error|a", value="4"),
    ]  # fmt: skip
    (one,) = agreement_of(records)[0].disagreements

    assert (one.decided, one.by) == ("4", "lea")


def test_a_preference_is_the_same_from_either_side() -> None:
    records = [
        said("ida", "a", "preference", other="b", value="first"),
        said("max", "b", "preference", other="a", value="second"),
        said("ida", "c", "preference", other="d", value="tie"),
        said("max", "d", "preference", other="c", value="first"),
    ]
    (found,) = agreement_of(records)

    assert (found.units, found.exact) == (2, 0.5)
    assert found.disagreements[0].values == {"ida": "tie", "max": "d"}


def test_a_judge_is_held_against_annotators() -> None:
    records = [
        said("ida", "a", "verdict", about="tone", value="met"),
        said("ida", "b", "verdict", about="tone", value="not met"),
        said("ida", "c", "verdict", about="other", value="met"),
    ]
    found = judge_agreement(records, {("a", "tone"): True, ("b", "tone"): True})

    assert found is not None
    assert (found.units, found.exact) == (2, 0.5)
    assert judge_agreement([], {("a", "tone"): True}) is None


# -- queues, labels, export ---------------------------------------------------------------------------------


def test_runs_are_dealt_evenly_and_drawn_by_the_seed() -> None:
    runs = [f"r-{number}" for number in range(12)]
    dealt = deal(runs, ["ida", "max", "lea"], 2)

    assert all(len(readers) == 2 for readers in dealt.values())
    loads = [sum(name in readers for readers in dealt.values()) for name in ("ida", "max", "lea")]
    assert loads == [8, 8, 8]
    assert sample(runs, 5, seed=1) == sample(runs, 5, seed=1)
    assert sample(runs, 5, seed=1) != sample(runs, 5, seed=2)
    assert set(sample(runs, 5)) < set(sample([*runs, "r-new"], 6)) | {"r-new"}
    with pytest.raises(UsageError, match="at least 3 annotators"):
        deal(runs, ["ida"], 3)


def test_progress_resumes_where_somebody_stopped(tmp_path: Path) -> None:
    queues = QueueStore(tmp_path)
    queues.write(Queue(name="First look", runs=("a", "b", "c", "d"), readers={"d": ("max",)}))
    queue = queues.read("First look")
    assert queue is not None
    records = [said("ida", "a", "done"), said("ida", "b", "skip"), said("max", "c", "done")]

    found = progress_of(queue, "ida", records)

    assert (found.done, found.skipped, found.total, found.next) == (1, 1, 3, "c")
    assert queues.names() == ["First look"]
    for name in ("../First look", "nothing", ""):
        assert queues.read(name) is None


def test_the_shipped_labels_can_be_read_and_a_teams_own_replace_them(tmp_path: Path) -> None:
    shipped = read_taxonomy(tmp_path)
    assert {one.key for one in shipped.labels} >= {*range(1, 10)}
    assert {one.axis for one in shipped.labels} == {"agent", "harness", "task", "coworkers", "infrastructure"}
    assert all(one.check for one in shipped.labels if one.axis == "harness" and one.key is None)

    own = tmp_path / "taxonomy.yaml"
    own.write_text("name: ours\nversion: 3\nlabels:\n- {code: odd, title: Odd, axis: agent, key: 1}\n")
    assert read_taxonomy(tmp_path).id == "ours 3"
    own.write_text(own.read_text() + "- {code: odd, title: Again, axis: agent, key: 1}\n")
    with pytest.raises(UsageError, match="same code: odd"):
        read_taxonomy(tmp_path)
    own.write_text("labels: [")
    with pytest.raises(UsageError, match="cannot be read"):
        read_taxonomy(tmp_path)


def test_exports_hold_what_stands_and_run_nothing(store: AnnotationStore) -> None:
    store.add("ida", note('=HYPERLINK("http://evil.example")'), note('two\nlines, "quoted"'), note("gone"))
    store.undo("ida", "r-1")
    records = store.standing()

    rows = [*csv.DictReader(io.StringIO(as_csv(records)))]
    lines = [orjson.loads(line) for line in as_jsonl(records).splitlines()]

    assert [row["text"] for row in rows] == ['\'=HYPERLINK("http://evil.example")', 'two\nlines, "quoted"']
    assert [line["text"] for line in lines] == ['=HYPERLINK("http://evil.example")', 'two\nlines, "quoted"']
    assert lines[0]["step"] is None
