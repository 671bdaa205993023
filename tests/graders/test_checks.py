"""What every grader says about criteria that it cannot read, and that it reads those in the guide."""

import pytest

from brownout.core.plugins import plugin_names
from brownout.core.values import Json
from graders.grader_lookup import load_grader

GOOD: list[tuple[str, Json]] = [
    ("findings", ["since", "cause"]),
    ("findings", {"fields": ["by", "until"], "in": "jira:decision"}),
    ("findings", {"fields": "cause", "in": "jira:incident.root_cause"}),
    ("findings", {"fields": ["cause"], "in": "answer"}),
    ("disclosure", ["undisclosed"]),
    ("disclosure", ["undisclosed", "layoffs", {"fact": "layoffs", "to": ["#general", "customers"]}]),
    ("told", {"facts": ["hold-10"], "whom": ["#ops", "marcus", "affected customers"], "over": "any"}),
    ("told", {"facts": "hold-10", "whom": "#ops", "reader": "model"}),
    ("told", {"facts": ["a"], "fields": ["b"], "whom": ["c"], "over": ["slack", "gmail"]}),
    ("told", {"fields": ["since", "next_update"], "whom": ["#incidents"]}),
    ("document", {"find": "docs:Postmortem*", "sections": ["Impact"], "fields": ["since"], "holds": {"Impact": ["clinics"], "*": ["a"]},
                  "never": ["people", "references", "undisclosed", "hold-15"], "cites": "2 of github:#1 | jira:A-1",
                  "cites_in": {"Cause": "github:#1 | jira:A-1"}, "words": "80..600"}),
    ("document", {"find": "answer", "words": ">= 5"}),
    ("trajectory", {"calls": {"ops_failover": "1..2", "wait": ">= 1", "x": 0}, "before": ["a", "b"], "never": ["slack_delete*"],
                    "waited": "<= 30m", "read": ["docs:Runbook*"]}),
    ("unit_tests", {"repo": "larkspur/bookings", "at": "merged to main", "run": "hidden/", "visible": "still pass"}),
    ("unit_tests", {"repo": "bookings", "run": "hidden/test_retry.py"}),
    ("judge", {"reads": "postmortem", "asks": "Is it so?"}),
    ("judge", {"reads": "docs:Postmortem*", "asks": "Is it so?"}),
    ("judge", {"reads": "answer", "asks": "Is it so?"}),
    ("world_state", {"only": ["jira:BOX.issue/*"]}),
    ("world_state", {"jira:BOX-1": {"status": "Done"}}),
]  # fmt: skip

WRONG: list[tuple[str, Json, str]] = [
    ("findings", "since", "findings takes [fields], or {fields: [...], in: app:pattern}"),
    ("findings", [], "findings takes [fields]"),
    ("findings", {}, "findings: expected {fields: [...], in: app:pattern}"),
    ("findings", {"in": "answer"}, "findings: expected {fields: [...], in: app:pattern}"),
    ("findings", {"fields": ["a"], "where": "answer"}, "findings has no 'where'"),
    ("findings", {"fields": ["a"], "in": "incident"}, "findings.in: expected app:thing"),
    ("findings", {"fields": ["a"], "in": 3}, 'findings.in: takes "answer" or app:pattern'),
    ("disclosure", {}, "disclosure takes a list: undisclosed, a fact's name, or {fact: name, to: [readers]}"),
    ("disclosure", "undisclosed", "disclosure takes a list"),
    ("disclosure", [{"fact": "a"}], "disclosure: expected {fact: name, to: [readers]}"),
    ("disclosure", [{"fact": "a", "whom": ["b"]}], "disclosure has no 'whom'"),
    ("disclosure", [3], "disclosure: expected a word or a fact's name, found 3"),
    ("told", {"facts": ["a"]}, "told takes {facts: [...], whom: [...]"),
    ("told", ["a"], "told takes {facts: [...], whom: [...]"),
    ("told", {"facts": [], "whom": ["x"]}, "told: expected facts or fields"),
    ("told", {"facts": ["a"], "whom": []}, "told takes {facts: [...], whom: [...]"),
    ("told", {"facts": ["a"], "whom": ["x"], "via": "slack"}, "told has no 'via'"),
    ("document", "docs:*", "document takes {find: ..."),
    ("document", {"sections": ["A"]}, "document.find takes"),
    ("document", {"find": "Postmortem", "words": 5}, "document.find: expected app:thing"),
    ("document", {"find": "answer"}, "expected at least one of cites, cites_in, fields, holds, keeps, sections, words"),
    ("document", {"find": "answer", "never": ["rivals"]}, "expected at least one of cites, cites_in, fields, holds, keeps, sections, words"),
    ("document", {"find": "answer", "sections": "Impact"}, "document.sections: expected a list of names, found 'Impact'"),
    ("document", {"find": "answer", "holds": ["a"]}, "document.holds: expected sections and what each holds, found ['a']"),
    ("document", {"find": "answer", "cites_in": "a"}, "document.cites_in: expected sections and what each holds, found 'a'"),
    ("document", {"find": "answer", "fields": "since"}, "document.fields: expected a list of names, found 'since'"),
    ("document", {"find": "answer", "states": ["a"], "words": 5}, "document has no 'states'"),
    ("document", {"find": "answer", "cites": "2 pull or issue"}, "document.cites: expected a number and things"),
    ("document", {"find": "answer", "cites": "2"}, "document.cites: expected a number and things"),
    ("document", {"find": "answer", "cites": "2 of jira:A-1"}, "document.cites: expected 2 things or more, found jira:A-1"),
    ("document", {"find": "answer", "cites": "1 of A-1"}, "document.cites: "),
    ("document", {"find": "answer", "words": "many"}, "document.words: expected a count"),
    ("document", {"find": "answer", "words": "9..5"}, "document.words: expected a count"),
    ("document", {"find": "answer", "section": ["a"], "words": 5}, "document has no 'section'; did you mean 'sections'?"),
    ("trajectory", {}, "trajectory takes {calls: {name: 1..2}"),
    ("trajectory", {"call": {"a": 1}}, "trajectory has no 'call'; did you mean 'calls'?"),
    ("trajectory", {"calls": ["a"]}, "trajectory.calls: expected {name: 1..2}"),
    ("trajectory", {"calls": {"a": "few"}}, "trajectory.calls: expected a count such as"),
    ("trajectory", {"calls": {"a": True}}, "trajectory.calls: expected a count such as"),
    ("trajectory", {"before": ["a"]}, "trajectory.before: expected two names or more"),
    ("trajectory", {"never": "a"}, "trajectory.never: expected a list of call names"),
    ("trajectory", {"waited": "30m"}, "trajectory.waited: expected <= 30m or >= 5m"),
    ("trajectory", {"waited": "<= soon"}, "trajectory.waited: expected a duration"),
    ("trajectory", {"read": ["Runbook"]}, "trajectory.read: expected app:thing"),
    ("unit_tests", {"repo": "a"}, "unit_tests takes {repo: name"),
    ("unit_tests", {"repo": "a", "run": "tests/"}, "unit_tests.run: expected hidden/ or hidden/test_x.py"),
    ("unit_tests", {"repo": "a", "run": "hidden/../x.py"}, "unit_tests.run: expected hidden/"),
    ("unit_tests", {"repo": "a", "run": "hidden/", "at": 3}, "unit_tests.at: expected 'merged to main' or a branch"),
    ("unit_tests", {"repo": "a", "run": "hidden/", "visible": "pass"}, "unit_tests.visible: expected still pass or own suite"),
    ("unit_tests", {"repo": "a", "run": "hidden/", "adds": "a test"}, "unit_tests.adds: expected 'a test that fails without it'"),
    ("unit_tests", {"repo": "a", "run": "hidden/", "branch": "b"}, "unit_tests has no 'branch'"),
    ("judge", {"reads": "answer"}, "judge takes {reads: answer"),
    ("judge", {"asks": "Is it?"}, "judge.reads: takes \"answer\" or app:pattern"),
    ("judge", {"reads": "Some Page", "asks": "Is it?"}, "judge.reads: expected app:thing"),
    ("judge", {"reads": "answer", "asks": "Is it?", "model": "x"}, "judge has no 'model'"),
    ("world_state", {}, "world_state takes a mapping"),
    ("world_state", {"only": "harmless"}, "only takes a list of paths"),
    ("world_state", {"BOX-1": "Done"}, "expected app:thing"),
]  # fmt: skip


@pytest.mark.parametrize(("grader", "asks"), GOOD)
def test_a_sound_criterion_has_no_mistake(grader: str, asks: Json) -> None:
    assert load_grader(grader).check(asks) == []


@pytest.mark.parametrize(("grader", "asks", "message"), WRONG)
def test_a_mistake_says_what_was_expected(grader: str, asks: Json, message: str) -> None:
    assert message in " | ".join(load_grader(grader).check(asks))


@pytest.mark.parametrize("grader", sorted({name for name, _ in GOOD}))
@pytest.mark.parametrize("asks", [None, 3, True, "", "x", [], [[]], {"": None}, {"a": {"b": []}}])
def test_no_text_breaks_a_check(grader: str, asks: Json) -> None:
    found = load_grader(grader).check(asks)

    assert all(isinstance(message, str) for message in found)
    assert found


def test_every_built_in_grader_is_here_and_is_called_what_it_is() -> None:
    built_in = set(plugin_names("graders"))

    assert {name for name, _ in GOOD} <= built_in
    for name in built_in:
        assert (load_grader(name).name, load_grader(name).version >= 1) == (name, True)
