"""Code bases of templates: they read well in every trade, their history applies, their tests say what they should."""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from shutil import copytree, rmtree
from typing import Final
from zoneinfo import ZoneInfo

import pytest

from brownout.core.seeds import Stream
from brownout.sandbox import HiddenRun, run_hidden_tests, run_visible_tests
from generators.codebases import (
    Codebase,
    CodebaseError,
    Noun,
    Nouns,
    codebase_bugs,
    codebase_names,
    render_codebase,
    templates,
)
from generators.codebases.nouns import with_article
from generators.codebases.reflowed_text import filled, imports_sorted
from generators.commit_history import CommitHistory
from tests.generators.trades import AUTHORS, FIRST, ODD, TRADES, UNTIL, ZONE
from worlds.spec import WorldSpec, read_world

EVERY: Final = [(name, bug) for name in codebase_names() for bug in codebase_bugs(name)]
PAIRS: Final = [(trade, *EVERY[(place + place // 6) % 6]) for place, trade in enumerate([*TRADES, *TRADES])]
"""Each bug twice, in different """
ALL: Final = [(trade, name, bug) for trade in TRADES for name, bug in EVERY]


@cache
def made(trade: str, name: str, bug: str, seed: int = 3, service: str = "desk-api", beat: str = "") -> Codebase:
    nouns = TRADES.get(trade, ODD)
    return render_codebase(name, nouns, service, AUTHORS, FIRST, UNTIL, seed, bug=bug, beat=beat)


def mended(codebase: Codebase, bug: str) -> dict[str, bytes]:
    return {**codebase.head, **{path: text.encode() for path, text in codebase.bugs[bug].fixed.items()}}


def laid_out(folder: Path, files: Mapping[str, bytes | str]) -> Path:
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def suite(folder: Path, files: Mapping[str, bytes]) -> tuple[int, str]:
    """The exit status of the repository's own tests, and their last line."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-o", "addopts="]
    bare = {
        "PATH": "/usr/bin:/bin",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }  # the plugins of ours take longer than the tests
    done = subprocess.run(command, cwd=laid_out(folder, files), capture_output=True, text=True, check=False, env=bare)
    return done.returncode, done.stdout.strip().splitlines()[-1]


def hidden(codebase: Codebase, tree: Mapping[str, bytes], seed: int = 1) -> HiddenRun:
    harness = re.findall(r"^- (.*)$", codebase.files["hidden/harness.yaml"], re.MULTILINE)
    tests = {path.removeprefix("hidden/"): text for path, text in codebase.files.items() if path.endswith(".py")}
    assert len(tests) == 1
    return run_hidden_tests(tree, tests, seed, harness=harness)


@pytest.fixture
def world(spec_folder: Path) -> WorldSpec:
    rmtree(spec_folder / "repos")
    return read_world(spec_folder)


def history(world: WorldSpec, codebase: Codebase) -> CommitHistory:
    laid_out(world.root / "repos" / "desk-api", codebase.files)
    found = CommitHistory(world, "desk-api")
    assert found.mistakes == []
    return found


# -- history ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("trade", "name", "bug"), PAIRS)
def test_the_history_applies_and_ends_with_the_head(world: WorldSpec, trade: str, name: str, bug: str) -> None:
    codebase = made(trade, name, bug)
    found = history(world, codebase)
    last = [step for step in found.steps if step.kind in ("push", "merge")][-1]

    assert {path: file.data for path, file in last.files.items()} == codebase.head
    assert 18 <= len([step for step in found.steps if step.kind in ("push", "merge")]) <= 30
    assert {step.kind for step in found.steps} >= {"push", "open", "merge", "fixup", "comment", "review", "approve"}


@pytest.mark.parametrize(("name", "bug"), EVERY)
def test_innocent_changes_follow_the_one_with_the_bug(world: WorldSpec, name: str, bug: str) -> None:
    codebase = made("clinics", name, bug, beat="simplify-hold-store")
    landed = [step for step in history(world, codebase).steps if step.kind in ("push", "merge")]
    place = next(place for place, step in enumerate(landed) if step.entry.message == codebase.bugs[bug].commit)

    assert landed[place].entry.beat == "simplify-hold-store"
    assert landed[place].who == codebase.bugs[bug].author
    assert 2 <= len(landed) - place - 1 <= 9


@pytest.mark.parametrize("seed", range(5))
def test_everybody_acts_in_their_working_hours(world: WorldSpec, seed: int) -> None:
    away = [(date(2026, 1, 19), date(2026, 2, 9)), (date(2026, 3, 2), date(2026, 3, 4))]
    authors = {**AUTHORS, "engineer": replace(AUTHORS["engineer"], away=away, hours=(time(7), time(15)))}
    codebase = render_codebase("booking", TRADES["shops"], "desk-api", authors, FIRST, UNTIL, seed, bug="utc-day")
    by_key = {author.key: author for author in authors.values()}
    for step in history(world, codebase).steps:
        if step.number or step.kind != "approve":  # one without words is timed by the reader of the series
            at = datetime.fromtimestamp(step.at / 1_000_000, ZoneInfo("UTC"))
            assert by_key[step.who].works_at(at), (step.kind, step.entry.message, at)


def test_a_seed_draws_times_and_where_among_the_harmless_changes_the_one_with_the_bug_is() -> None:
    codebases = [made("shops", "billing", "late-retries", seed) for seed in range(9)]
    texts = {codebase.files["series.yaml"] for codebase in codebases}
    titles = {tuple(re.findall(r"message: (.*)", text)) for text in texts}
    landed = [sorted(bug.landed for bug in codebase.bugs.values()) for codebase in codebases]
    places = {each.index(one.bugs["late-retries"].landed) for each, one in zip(landed, codebases, strict=True)}

    assert len(texts) == len(codebases)
    assert 3 <= len(titles) <= 6, "three changes have six sequences"
    assert places == {0, 1, 2}
    assert made("shops", "billing", "late-retries", 4) == made.__wrapped__("shops", "billing", "late-retries", 4)


def test_a_change_lands_when_the_caller_says(world: WorldSpec) -> None:
    lands = datetime(2026, 3, 19, 14, 22, tzinfo=ZONE)
    codebase = render_codebase(
        "booking", TRADES["clinics"], "desk-api", AUTHORS, FIRST, UNTIL, 3, bug="one-offer", lands=lands
    )  # fmt: skip
    assert codebase.bugs["one-offer"].landed == lands
    moments = [step.at for step in history(world, codebase).steps if step.kind in ("push", "merge")]
    assert moments == sorted(moments)
    assert '{fails: {from: "2026-03-19 14:22"}}' in codebase.files["hidden/verdicts.yaml"]


@pytest.mark.parametrize("seed", range(12))
def test_a_change_lands_earlier_where_people_are_away(seed: int) -> None:
    stream = Stream("absences", seed)
    lands = datetime(2026, 3, 19, 14, 22, tzinfo=ZONE)
    until = lands + timedelta(days=stream.between(5, 9))
    authors = {}
    for role, author in AUTHORS.items():
        since = lands.date() - timedelta(days=stream.between(-3, 20))
        authors[role] = replace(author, away=[(since, since + timedelta(days=stream.between(1, 10)))])
    name, bug = stream.choice(EVERY)
    found = render_codebase(
        name, TRADES["shops"], "desk", authors, FIRST - timedelta(days=90), until, seed, bug=bug, lands=lands
    ).bugs[bug]

    assert lands - timedelta(days=30) < found.landed <= lands
    assert next(author for author in authors.values() if author.key == found.author).works_at(found.landed)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "bookings"}, "did you mean 'booking'"),
        ({"bug": "one-ofer"}, "did you mean 'one-offer'"),
        ({"until": FIRST + timedelta(days=6)}, "give it more days"),
        ({"until": FIRST - timedelta(days=6)}, "the first before the second"),
        ({"authors": {"lead": AUTHORS["lead"]}}, "engineer, junior, product"),
        ({"authors": {**AUTHORS, "junior": AUTHORS["lead"]}}, "three people"),
        ({"lands": FIRST + timedelta(days=1)}, "simplify_waiting on 2026-01-06"),
    ],
)
def test_what_cannot_be_rendered(changes: dict[str, object], said: str) -> None:
    arguments: dict[str, object] = {
        "name": "booking", "nouns": TRADES["clinics"], "service": "slots", "authors": AUTHORS,
        "first": FIRST, "until": UNTIL, "seed": 1, "bug": "one-offer",
    }  # fmt: skip
    with pytest.raises(CodebaseError, match=re.escape(said)):
        render_codebase(**{**arguments, **changes})  # type: ignore[arg-type]


def test_a_package_is_never_called_like_a_module_of_python() -> None:
    assert made("clinics", "billing", "late-retries", service="calendar").package == "calendar_service"
    assert made("clinics", "billing", "late-retries", service="slot-desk").package == "slot_desk"


WRONG: Final = {
    "a step twice": ("history.yaml", "step: desk\n", "step: holds\n", "step holds twice"),
    "a bug that nobody brings": ("history.yaml", "    bug: utc-day\n", "", "bug utc-day in 0 entries"),
    "a reviewer of their own": ("history.yaml", "review: lead", "review: engineer", "a reviewer who is not engineer"),
    "an unknown word": ("history.yaml", "who: junior", "by: junior", "history.yaml"),
    "a step without a change": (
        "files/.gitignore.j2",
        "at.ignore_editors",
        "at.initial",
        "ignore_editors changes no file",
    ),
    "an unknown noun": ("files/README.md.j2", "<<items>>", "<<itens>>", "'itens' is undefined"),
    "an article": ("files/README.md.j2", "our <<accounts>>", "an <<account>>", "README.md.j2:3"),
    "a block that does not end": ("files/README.md.j2", "<% endif %>", "", "README.md.j2"),
    "no hidden test": ("bugs.yaml", "test_waiting.py", "test_wait.py", "expected test_wait.py.j2"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_with_a_template_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    file, old, new, said = WRONG[what]
    copytree(Path(templates.__file__).parent / "booking", tmp_path / "mine")
    place = tmp_path / "mine" / file
    assert old in place.read_text("utf-8")
    place.write_text(place.read_text("utf-8").replace(old, new, 1), "utf-8")
    monkeypatch.setattr(templates, "_ROOM", tmp_path)
    templates.read_template.cache_clear()

    assert codebase_names() == ("mine",)
    with pytest.raises(CodebaseError, match=re.escape(said)):
        made("clinics", "mine", "one-offer")


# -- words --------------------------------------------------------------------------------------------------


def texts_of(codebase: Codebase) -> Iterator[tuple[str, str]]:
    """Every text that somebody may read, with its place."""
    yield from codebase.files.items()
    for path, data in codebase.head.items():
        yield path, data.decode()
    for name, bug in codebase.bugs.items():
        yield from ((f"{name}: {text[:30]}", text) for text in (*bug.symptom, bug.engineer, bug.commit))
        yield from bug.fixed.items()


def words_in(text: str) -> set[str]:
    """Its words in lower case, those in names of Python as well, but for an argument of dataclasses."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text.replace("order=True", ""))
    return set(re.findall(r"[a-z]+", apart.lower()))


@pytest.mark.parametrize(
    ("trade", "name", "bug"), [*PAIRS, ("odd", "booking", "utc-day"), ("odd", "billing", "counted-twice")]
)
def test_no_word_of_another_trade_and_none_of_the_template(trade: str, name: str, bug: str) -> None:
    own = {form for noun in _nouns(TRADES.get(trade, ODD)) for form in noun}
    others = {form for nouns in TRADES.values() for noun in _nouns(nouns) for form in noun} - own
    for place, text in texts_of(made(trade, name, bug)):
        assert not words_in(text) & others, place
        assert not re.search(r"<<|>>|<%|%>|<#|#>", text), place


@pytest.mark.parametrize(
    ("trade", "name", "bug"), [*PAIRS, ("odd", "booking", "one-offer"), ("odd", "billing", "late-retries")]
)
def test_articles_and_plurals_are_right(trade: str, name: str, bug: str) -> None:
    nouns = TRADES.get(trade, ODD)
    forms = [form for noun in _nouns(nouns) for form in noun]
    for place, text in texts_of(made(trade, name, bug)):
        for form in forms:
            for article in re.findall(rf"\b(an?) {form}\b", text, re.IGNORECASE):
                assert f"{article.lower()} {form}" == with_article(form), f"{place}: {article} {form}"
        plurals = "|".join(noun.plural for noun in _nouns(nouns))
        singulars = "|".join(noun.singular for noun in _nouns(nouns))
        assert not re.search(rf"\ban? ({plurals})\b", text, re.IGNORECASE), place
        assert not re.search(rf"\b(two|three|four|all|many|\d{{2,}}) ({singulars})\b", text, re.IGNORECASE), place


@pytest.mark.parametrize(
    "words",
    ["an order", "a unit", "a university", "an hour", "a house", "an umbrella", "a European", "an on-call nurse"],
)
def test_an_article_by_how_the_word_sounds(words: str) -> None:
    assert with_article(words.split(" ", 1)[1]) == words


@pytest.mark.parametrize(
    "words",
    [
        {"item": ["order", "orders"]},
        {"item": "order"},
        {"item": ["sheep", "sheep"]},
        {"item": ["clinic", "clinics"]},
        {"verb": ""},
        {"worker": ["<b>", "<b>s"]},
    ],
)
def test_what_are_no_nouns(words: dict[str, str | list[str]]) -> None:
    whole = {
        "account": ["clinic", "clinics"], "person": ["patient", "patients"], "worker": ["nurse", "nurses"], "verb": "book",
    }  # fmt: skip
    if words == {"item": ["order", "orders"]}:
        assert Nouns.of({**whole, **words}).item == Noun("order", "orders")
        return
    with pytest.raises(ValueError, match="expected"):
        Nouns.of({"item": ["order", "orders"], **whole, **words})


def test_paragraphs_are_filled_and_the_rest_is_kept() -> None:
    text = "# A heading that is longer than it should be\n\none two\nthree four\n\n- five six seven\n  eight\n- nine\n\n    code  x\n\n| a | b |\n"
    assert filled(text, 14) == (
        "# A heading that is longer than it should be\n\none two three\nfour\n\n- five six\n  seven eight\n- nine\n\n"
        "    code  x\n\n| a | b |\n"
    )
    assert filled("```\na   b\nc\n```\n", 40) == "```\na   b\nc\n```\n"


def test_imports_are_sorted_within_the_package() -> None:
    source = "import csv\n\nfrom p.z import b, Ab, C_D\nfrom p.a import x\n\nfrom q import z\nfrom p.c import y\n"
    assert imports_sorted(source, "p") == (
        "import csv\n\nfrom p.a import x\nfrom p.z import C_D, Ab, b\n\nfrom q import z\nfrom p.c import y\n"
    )


@pytest.mark.parametrize(("trade", "name", "bug"), PAIRS)
def test_the_code_is_clean(tmp_path: Path, trade: str, name: str, bug: str) -> None:
    codebase = made(trade, name, bug)
    folder = laid_out(tmp_path, mended(codebase, bug))
    laid_out(tmp_path / "hidden", {codebase.bugs[bug].hidden_test: codebase.files[codebase.bugs[bug].hidden_test]})
    ruff = [str(Path(sys.executable).parent / "ruff")]
    known = f"lint.isort.known-first-party=['{codebase.package}']"
    options = ["--isolated", "--line-length", "120", "--no-cache"]
    rules = ["--select", "E,F,I,B,UP,SIM,RET,C4,PTH,PERF", "--config", known]
    checked = subprocess.run([*ruff, "check", *options, *rules, folder], capture_output=True, text=True, check=False)
    formatted = subprocess.run(
        [*ruff, "format", "--diff", *options, folder], capture_output=True, text=True, check=False
    )

    assert checked.returncode == 0, checked.stdout
    assert formatted.returncode == 0, formatted.stdout


# -- bugs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "bug"), EVERY)
def test_a_bug_says_what_it_is(name: str, bug: str) -> None:
    codebase = made("learning", name, bug)
    found = codebase.bugs[bug]

    assert found.is_active
    assert found.module in found.fixed
    assert any(path.startswith("tests/") for path in found.fixed)
    assert found.hidden_test in codebase.files
    assert len(found.symptom) >= 2
    assert found.wrong != found.right
    for key, other in codebase.bugs.items():
        if key != bug:
            assert (other.is_active, other.fixed, other.hidden_test) == (False, {}, "")
            assert made("learning", name, key).bugs[key].commit == other.commit, "histories look alike"


def check_suite(folder: Path, trade: str, name: str, bug: str) -> None:
    """Green with the bug and when it is mended; the new test alone is red."""
    codebase = made(trade, name, bug)
    whole = mended(codebase, bug)
    only_tests = {path: whole[path] if path.startswith("tests/") else data for path, data in codebase.head.items()}
    checks = re.findall(r"^  checks: {passed: (\d+)", codebase.files["series.yaml"], re.MULTILINE)

    code, told = suite(folder / "head", codebase.head)
    assert (code, told.split(" in ")[0].strip("= ")) == (0, f"{checks[-1]} passed")
    assert suite(folder / "mended", whole)[0] == 0
    code, told = suite(folder / "tests", only_tests)
    assert (code, "passed" in told) == (1, True)


@pytest.mark.parametrize(("name", "bug"), [EVERY[0], EVERY[-1]])
def test_the_suite_does_not_notice_the_bug(tmp_path: Path, name: str, bug: str) -> None:
    check_suite(tmp_path, "food-delivery", name, bug)


@pytest.mark.generate
@pytest.mark.parametrize(
    ("trade", "name", "bug"), [*ALL, ("odd", "booking", "one-offer"), ("odd", "billing", "late-retries")]
)
def test_no_suite_notices_its_bug(tmp_path: Path, trade: str, name: str, bug: str) -> None:
    check_suite(tmp_path, trade, name, bug)


@pytest.mark.generate
@pytest.mark.parametrize(("name", "bug"), EVERY)
def test_what_is_recorded_of_every_change_is_true(tmp_path: Path, world: WorldSpec, name: str, bug: str) -> None:
    """The tests of every commit, on branches and on main, come to what the series says."""
    for step in history(world, made("invoicing", name, bug)).steps:
        if step.kind in ("open", "push", "fixup"):
            files = {path: file.data for path, file in step.files.items()}
            code, told = suite(tmp_path / (step.patch or step.entry.patch), files)
            failed = step.checks.failed if step.checks else 0
            assert code == bool(failed), (step.entry.message, told)
            if step.checks:
                wanted = [f"{failed} failed"] * bool(failed) + [f"{step.checks.passed} passed"]
                assert told.split(" in ")[0].strip("= ") == ", ".join(wanted), step.entry.message


def check_hidden(trade: str, name: str, bug: str, seed: int) -> None:
    """Two hidden cases and more show the bug, one does not, and all pass when it is mended."""
    codebase = made(trade, name, bug)
    broken = hidden(codebase, codebase.head, seed)
    assert broken.errors == ()
    assert sum(outcome.outcome == "failed" for outcome in broken.outcomes) >= 2, broken
    assert sum(outcome.outcome == "passed" for outcome in broken.outcomes) >= 1, broken
    whole = hidden(codebase, mended(codebase, bug), seed)
    assert whole.passed, whole


@pytest.mark.sandbox
@pytest.mark.parametrize(("name", "bug"), [EVERY[1], EVERY[-2]])
def test_hidden_tests_tell_the_bug(name: str, bug: str) -> None:
    check_hidden("logistics", name, bug, seed=1)


@pytest.mark.sandbox
@pytest.mark.generate
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("name", "bug"), EVERY)
def test_every_hidden_test_tells_its_bug(name: str, bug: str, seed: int) -> None:
    check_hidden([*TRADES][(seed + EVERY.index((name, bug))) % len(TRADES)], name, bug, seed)


@pytest.mark.sandbox
@pytest.mark.generate
@pytest.mark.parametrize("name", codebase_names())
def test_the_suite_runs_in_the_sandbox(name: str) -> None:
    codebase = made("shops", name, codebase_bugs(name)[0])
    run = run_visible_tests(codebase.head)
    assert (run.exit_code, run.disagreement) == (0, "")
    assert run.cpu_seconds < 5


def _nouns(nouns: Nouns) -> tuple[Noun, ...]:
    return (nouns.item, nouns.account, nouns.person, nouns.worker)
