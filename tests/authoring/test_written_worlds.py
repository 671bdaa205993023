"""What `brownout new world` writes holds without an edit: it reads, builds, and its solutions earn everything."""

import re
import sys
from dataclasses import replace
from datetime import datetime
from io import StringIO
from pathlib import Path

import pytest

import brownout
from brownout.cli import main
from brownout.core.errors import UsageError
from brownout.core.instants import zone
from brownout.engine.world import World
from brownout.qa import check_package
from generators.authoring.company import draw_company
from generators.authoring.new_world import write_world
from generators.authoring.storyline_kinds import kind_names
from generators.authoring.trades import load_trade, trade_names
from generators.authoring.world_request import WorldRequest
from generators.world_check import read_whole, spec_mistakes
from worlds.spec import read_world

SMALL = [
    WorldRequest(name="acme", people=12, tasks=3, outages=("payments", "slack"), seed=3),
    WorldRequest(name="six", people=6, days=28, customers=3, tasks=2, seed=15),
    WorldRequest(name="far", people=9, days=35, zones=("Asia/Tokyo", "America/Sao_Paulo"), tasks=2, seed=8),
    WorldRequest(name="quiet", people=8, tasks=1, storylines=("migration",), services=1, seed=4),
]


@pytest.mark.parametrize("request_", SMALL, ids=[one.name for one in SMALL])
def test_a_small_company_holds_as_it_is_written(request_: WorldRequest, tmp_path: Path) -> None:
    holds(request_, tmp_path)


def holds(request_: WorldRequest, tmp_path: Path) -> None:
    """Write a company, read it with two seeds, build it, and play all that its author wrote: solutions, good and lazy cases."""
    write_world(request_, tmp_path / "text")
    spec = read_whole(tmp_path / "text")

    assert [str(one) for seed in (request_.seed, 7) for one in spec_mistakes(spec.seeded(seed))] == []
    package = brownout.build(tmp_path / "text", out=tmp_path / "package")
    with World(package, hot=2) as world:
        reports = check_package(world, rules=("oracle", "lazy", "good"))
    failed = [(report.task, one.rule, one.detail) for report in reports for one in report.results if not one.passed]
    assert failed == []
    assert [len(report.results) for report in reports] == [3] * len(package.tasks)


def test_code_is_told_of_where_there_are_engineers_to_write_it(tmp_path: Path) -> None:
    few = WorldRequest(name="six", people=8, days=57, zones=("Europe/Berlin", "Asia/Tokyo"), tasks=4, seed=29)
    with pytest.raises(UsageError, match="'harmless-change' needs three engineers in Europe/Berlin"):
        write_world(replace(few, storylines=("harmless-change",)), tmp_path / "none")
    write_world(few, tmp_path / "six")

    assert not (tmp_path / "six/repos").exists()
    assert not (tmp_path / "six/storylines/harmless-change.yaml").exists()


def test_a_kind_of_ones_own_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["brownout", "new", "kind", "late", "--out", str(tmp_path / "late")])
    with pytest.raises(SystemExit) as stop:
        main()

    assert stop.value.code == 0
    holds(WorldRequest(name="acme", people=8, tasks=1, storylines=(f"{tmp_path}/late",), seed=2), tmp_path)
    assert (tmp_path / "text/tasks/late/task.yaml").is_file()


def test_a_kind_that_is_nowhere_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no storyline kind '\./nowhere'"):
        write_world(WorldRequest(name="acme", tasks=1, storylines=("./nowhere",)), tmp_path / "acme")


def test_what_breaks_does_so_while_an_agent_is_at_work(tmp_path: Path) -> None:
    kinds = ("migration", "policy-changed")
    write_world(
        WorldRequest(name="acme", tasks=2, storylines=kinds, outages=("payments", "slack"), seed=3), tmp_path / "acme"
    )
    spec = read_whole(tmp_path / "acme")
    starts = [datetime.fromisoformat(task.start) for task in spec.tasks.values()]
    after = [
        min(abs((datetime.fromisoformat(str(one.start)) - start).total_seconds()) for start in starts)
        for one in spec.outages.values()
    ]

    assert len(after) == 2
    assert max(after) < 40 * 60


def test_the_same_request_writes_the_same_text(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_world(SMALL[0], tmp_path / name)
    write_world(replace(SMALL[0], seed=99), tmp_path / "other")

    assert texts(tmp_path / "one") == texts(tmp_path / "two")
    assert texts(tmp_path / "one")["people.yaml"] != texts(tmp_path / "other")["people.yaml"]


def test_a_person_more_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    write_world(SMALL[0], tmp_path / "one")
    write_world(replace(SMALL[0], people=13), tmp_path / "two")
    before, after = ({one.name for one in read_whole(tmp_path / name).people.values()} for name in ("one", "two"))

    assert before < after


def test_every_kind_is_told_in_some_company(tmp_path: Path) -> None:
    kinds = kind_names()
    write_world(WorldRequest(name="all", people=40, days=120, tasks=len(kinds), seed=2), tmp_path / "all")

    assert {path.stem for path in (tmp_path / "all/storylines").iterdir()} == {*kinds, "house"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"people": 90, "days": 3}, "expected 28 to 730 days, found 3: a storyline needs three weeks before its task"),
        ({"people": 5}, "expected 6 to 1000 people, found 5"),
        ({"people": -2}, "expected 6 to 1000 people, found -2"),
        ({"zones": ("Europe/Atlantis",)}, "there is no time zone 'Europe/Atlantis'"),
        ({"zones": ()}, "expected at least one time zone"),
        ({"trade": "food-delivry"}, "there is no trade 'food-delivry'; did you mean 'food-delivery'?"),
        ({"storylines": ("migraton",)}, "there is no storyline kind 'migraton'; did you mean 'migration'?"),
        ({"storylines": ("migration", "migration")}, "has enough for 1 of the storyline 'migration'"),
        ({"outages": ("slak",)}, "there is nothing called 'slak' that could break; did you mean 'slack'?"),
        ({"services": 99}, "services"),
        ({"services": 0}, "expected 1 to 100 services, found 0: something must run"),
        ({"tasks": 41, "days": 700}, "expected 0 to 40 tasks, found 41: each is a storyline of its own"),
        ({"trade": "./nowhere"}, "expected the pack of a trade in ./nowhere, found no such folder"),
        ({"customers": 0}, "expected 3 to 1000 customers, found 0"),
        ({"tasks": 9, "days": 28}, "28 days have room for 7 tasks, found 9"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_written(change: dict[str, object], why: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=re.escape(why)):
        write_world(replace(SMALL[0], **change), tmp_path / "none")  # type: ignore[arg-type]

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["localtime", "posixrules", "zone.tab", "tzdata.zi", "Europe", "a\0b", "x" * 300])
def test_a_zone_of_the_machine_alone_is_refused_as_the_check_of_a_world_refuses_it(name: str) -> None:
    with pytest.raises(KeyError):
        zone(name)
    with pytest.raises(UsageError, match="there is no time zone"):
        WorldRequest(name="acme", zones=(name,)).check(["food-delivery"], [])


@pytest.mark.parametrize("name", ["true", "null", "yes"])
def test_a_name_that_yaml_reads_otherwise_is_a_name(name: str, tmp_path: Path) -> None:
    write_world(WorldRequest(name=name, people=6, tasks=0), tmp_path / "text")

    assert read_world(tmp_path / "text").world.world == name


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("twelve chapters")
    with pytest.raises(UsageError, match="expected an empty folder"):
        write_world(SMALL[0], tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_interrupted_it_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = 0
    usual = Path.write_text

    def stopped(path: Path, *arguments: object, **options: object) -> int:
        nonlocal written
        written += 1
        if written > 5:
            raise KeyboardInterrupt
        return usual(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "write_text", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_world(SMALL[0], tmp_path / "half")

    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_it_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "brownout",
        "new",
        "world",
        str(tmp_path / "acme"),
        "--people",
        "8",
        "--tasks",
        "1",
        "--trade",
        "food-delivery",
    ]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as stop:
        main()

    assert stop.value.code == 0
    assert "brownout validate" in capsys.readouterr().out
    assert read_whole(tmp_path / "acme").world.world == "acme"
    assert "food-delivery" in trade_names()


def texts(folder: Path) -> dict[str, str]:
    """Every file below a folder, by its path."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()
    }


def test_a_short_name_and_a_companys_name_change_nothing_else() -> None:
    trade = load_trade("food-delivery")
    one = draw_company(WorldRequest(name="acme"), trade)
    other = draw_company(WorldRequest(name="harbour", company="Harbour & Sons"), trade)

    assert (other.name, other.domain) == ("Harbour & Sons", "harbour-sons.test")
    assert replace(other, request=one.request, name=one.name, domain=one.domain) == one


@pytest.mark.parametrize("company", ["{{ name }}", "a: b", "- x", "two\nlines", "x" * 61, "☃", " ", "\u0301a"])
def test_a_companys_name_that_no_file_could_hold_is_refused(company: str) -> None:
    with pytest.raises(UsageError, match="expected a company's name"):
        WorldRequest(name="acme", company=company).check(["food-delivery"], [])


@pytest.mark.parametrize("change", [{"services": 500}, {"people": 100_000}, {"tasks": -1}, {"customers": 5_000}])
def test_a_reason_is_given_for_the_bound_that_it_is_the_reason_of(change: dict[str, int]) -> None:
    with pytest.raises(UsageError) as refused:
        WorldRequest(name="acme", **change).check(["food-delivery"], [])  # type: ignore[arg-type]

    assert str(refused.value).endswith(f"found {next(iter(change.values()))}")


@pytest.mark.parametrize(
    ("company", "domain"),
    [
        ("Ümläut & Söhne GmbH", "umlaut-sohne-gmbh.test"),
        ("日本", "acme.test"),
        ("हिन्दी", "acme.test"),
        ("Čisto 9", "cisto-9.test"),
    ],
)
def test_a_company_may_be_called_in_any_script(company: str, domain: str, tmp_path: Path) -> None:
    write_world(WorldRequest(name="acme", company=company, people=6, tasks=1), tmp_path / "text")

    found = read_whole(tmp_path / "text").world.company
    assert (found.name, found.domain) == (company, domain)
    assert found.account == domain.removesuffix(".test")
    assert brownout.build(tmp_path / "text", out=tmp_path / "package").manifest.world == "acme"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["afile/x"], "expected a folder or nothing at afile, found a file"),
        (["afile"], "expected a folder or nothing at afile, found a file"),
        (["/proc/foo"], "nothing can be written to /proc: "),
        (["日本"], "expected a folder whose name has a letter of a to z, such as acme, found '日本'"),
        (["x", "--trade", "./empty"], "expected the pack of a trade in ./empty, found no trade.yaml in it"),
        (["x", "--starter", "--people", "50", "--trade", "shops"], "leave out --trade, --people"),
    ],
)
def test_what_is_asked_for_and_cannot_be_is_said_in_its_own_words(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "afile").touch()
    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(sys, "argv", ["brownout", "new", "world", *words])
    with pytest.raises(SystemExit) as stop:
        main()

    assert stop.value.code == 2
    assert says in " ".join(capsys.readouterr().err.split())


def test_an_answer_that_cannot_be_is_refused_when_it_is_given_and_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    answers = ["shop", "shops", "a: b", "Acme", "three", "3", "6", "", "", "Mars", "", "migraton", "", "slak", "slack"]
    again = ["99", "1", "", *[""] * 10]
    monkeypatch.setattr(sys, "stdin", Terminal("\n".join([*answers, *again]) + "\n"))
    monkeypatch.setattr(sys, "argv", ["brownout", "new", "world", str(tmp_path / "acme")])
    with pytest.raises(SystemExit) as stop:
        main()

    said = " ".join("".join(capsys.readouterr()).split())
    assert stop.value.code == 0, said
    for refused in (
        "there is no trade 'shop'; did you mean 'shops'?",
        "expected a company's name",
        "expected a whole number, found 'three'",
        "expected 6 to 1000 people, found 3: storylines need at least one for each role",
        "there is no time zone 'Mars'",
        "there is no storyline kind 'migraton'",
        "there is nothing called 'slak' that could break; did you mean 'slack'?",
        "expected 0 to 40 tasks, found 99",
    ):
        assert refused in said
    assert read_world(tmp_path / "acme").world.company.name == "Acme"


def test_the_next_command_can_be_typed_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["brownout", "new", "world", "Ñandú World", "--people", "6", "--tasks", "0"])
    with pytest.raises(SystemExit):
        main()

    assert "brownout validate 'Ñandú World' && brownout build 'Ñandú World'" in capsys.readouterr().out
    assert read_world(tmp_path / "Ñandú World").world.world == "nandu-world"


def test_a_companys_name_may_have_signs(tmp_path: Path) -> None:
    for number, company in enumerate(("O'Brien & Søn Ltd.", "3 Oaks", "Yes", "100")):
        write_world(WorldRequest(name="acme", company=company, people=6, tasks=0), tmp_path / str(number))
        assert read_world(tmp_path / str(number)).world.company.name == company


LARGE = [
    WorldRequest(
        name=f"w{seed}",
        trade=trade_names()[seed % len(trade_names())],
        people=[6, 10, 17, 24, 33, 48, 60, 90, 140, 200][seed % 10],
        days=[28, 40, 60, 90, 120][seed % 5],
        zones=[
            ("Europe/Berlin",),
            ("America/New_York", "Asia/Tokyo"),
            ("Africa/Lagos", "Europe/London", "Asia/Kolkata"),
        ][seed % 3],
        customers=[3, 20, 60, 120][seed % 4],
        tasks=1 + seed % 6,
        outages=(
            *[*load_trade(trade_names()[seed % len(trade_names())]).outages][: seed % 4],
            *["slack", "gmail"][: seed % 3],
        ),
        seed=seed,
    )
    for seed in range(100, 120)
]


@pytest.mark.generate
@pytest.mark.parametrize("request_", LARGE, ids=[f"{one.trade}-{one.people}" for one in LARGE])
def test_any_company_holds_as_it_is_written(request_: WorldRequest, tmp_path: Path) -> None:
    holds(request_, tmp_path)
