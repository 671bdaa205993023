"""Cases that are the reference solution with changes, as authors write them."""

from pathlib import Path

import pytest

from generators.world_check import mistakes_in
from worlds.spec import read_draft, read_world

CASE = "tasks/find-the-change/good/case.yaml"


def calls(folder: Path, text: str) -> list[str]:
    """The calls of a case."""
    (folder / CASE).write_text(text)
    script = read_world(folder).cases["find-the-change"]["good"]["case"]
    return [stood.step.call for stood in script]


def oracle(folder: Path) -> list[str]:
    return [step.call for step in read_world(folder).oracles["find-the-change"]]


@pytest.mark.parametrize("name", ["other", "8", "jira_link_issues"])
def test_a_step_goes_by_what_it_keeps_its_number_or_its_operation(spec_folder: Path, name: str) -> None:
    was = oracle(spec_folder)
    index = {"other": 7, "8": 7, "jira_link_issues": was.index("jira_link_issues")}[name]

    assert calls(spec_folder, f"like: oracle\nwithout: [{name}]\n") == was[:index] + was[index + 1 :]


def test_steps_come_before_after_and_instead(spec_folder: Path) -> None:
    was = oracle(spec_folder)
    at = was.index("jira_link_issues")
    text = """
like: oracle
before: {jira_link_issues: {wait: {minutes: 1}}}
replace: {jira_link_issues: [notices_list: {}, notices_list: {}]}
after: {jira_link_issues: [wait: {minutes: 2}, wait: {minutes: 3}]}
"""

    assert calls(spec_folder, text) == [
        *was[:at],
        "wait",
        "notices_list",
        "notices_list",
        "wait",
        "wait",
        *was[at + 1 :],
    ]


def test_a_step_that_is_named_in_a_list_moves_there(spec_folder: Path) -> None:
    was = oracle(spec_folder)
    rest = [call for call in was if call != "jira_transition_issue"]
    at = rest.index("jira_update_issue")

    found = calls(spec_folder, "like: oracle\nbefore: {jira_update_issue: [jira_transition_issue]}\n")
    assert found == [*rest[:at], "jira_transition_issue", *rest[at:]]


def test_arguments_that_are_not_changed_stay_also_where_the_step_moves(spec_folder: Path) -> None:
    (spec_folder / CASE).write_text(
        "like: oracle\nchange: {jira_update_issue: {priority: Highest}}\nafter: {jira_link_issues: [jira_update_issue]}\n"
    )
    script = read_world(spec_folder).cases["find-the-change"]["good"]["case"]
    [step] = [stood.step for stood in script if stood.step.call == "jira_update_issue"]

    assert step.arguments == {"issue": "$main", "assignee": "$who", "priority": "Highest"}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("like: oracle\nwithout: [othr]\n", 2, "without: the oracle has no step 'othr'; did you mean 'other'?"),
        ("like: oracle\nbefore:\n  jira_get_issue: [wait: {minutes: 1}]\n", 3, "are all jira_get_issue; name one by its number"),
        ("like: oracle\nafter:\n  submit:\n    - other1\n", 4, "after: the oracle has no step 'other1'"),
        ("like: oracle\nchange: {99: {text: x}}\n", 2, "change: the oracle has no step '99'"),
        ("like: oracle\nwithout: [other]\nafter: {submit: [other]}\n", 3, "the step 'other' was left out or moved already"),
        ("like: lazy\n", 1, "like:"),
        ("like: oracle\nwihtout: [other]\n", 2, "wihtout: unknown word; did you mean 'without'?"),
        ("like: oracle\nwithout: [other]\n", 1, "jira_get_issue: issue: no step before it keeps $other in this case"),
        ("like: oracle\nbefore:\n  submit:\n    - jira_add_coment: {issue: $main, body: x}\n", 4, "there is no operation"),
        ("- jira_add_comment: {issue: BOX-32, text: x}\n", 1, "step 1, jira_add_comment: text: unknown argument"),
    ],
)  # fmt: skip
def test_what_a_case_gets_wrong_is_said_with_its_line(spec_folder: Path, text: str, line: int, message: str) -> None:
    (spec_folder / CASE).write_text(text)

    found = [str(mistake) for mistake in mistakes_in(spec_folder)]
    assert any(each.startswith(f"{CASE}:{line}: ") and message in each for each in found), found


def test_a_call_that_is_to_be_refused_may_have_any_arguments(spec_folder: Path) -> None:
    (spec_folder / CASE).write_text("- jira_add_comment: {issue: BOX-32, text: x, fails: true}\n")

    assert read_draft(spec_folder).mistakes == ()
    assert mistakes_in(spec_folder) == []


PATCH = """diff --git a/fixed/note.md b/fixed/note.md
--- a/fixed/note.md
+++ b/fixed/note.md
@@ -1,2 +1,2 @@
 Holds
-end after ten minutes.
+never end.
"""


def patched(folder: Path, patch: str, name: str = "../fixed/note.md") -> None:
    """A case that posts a file of the task with a patch."""
    task = folder / "tasks/find-the-change"
    (task / "fixed").mkdir(exist_ok=True)
    (task / "fixed/note.md").write_text("Holds\nend after ten minutes.\n")
    (task / "good/other.patch").write_text(patch)
    (folder / CASE).write_text(
        f'- slack_send_message: {{channel: "#ops", text: {{file: {name}, patch: other.patch}}}}\n'
    )


def test_a_text_may_be_another_file_of_the_task_with_a_patch(spec_folder: Path) -> None:
    patched(spec_folder, PATCH)

    [stood] = read_world(spec_folder).cases["find-the-change"]["good"]["case"]
    assert stood.step.arguments["text"] == "Holds\nnever end.\n"


@pytest.mark.parametrize(
    ("patch", "name", "message"),
    [
        (PATCH.replace("ten", "five"), "../fixed/note.md", "good/other.patch:1: expected a patch of the task's fixed/note.md:"),
        (PATCH.replace("fixed/note.md", "note.md"), "../fixed/note.md", "note.md: there is no such file"),
        ("end after ten minutes.\n", "../fixed/note.md", "no line begins with `diff --git`"),
        (PATCH, "../fixed/nte.md", "case.yaml:1: expected a file ../fixed/nte.md of the task, found none"),
        (PATCH, "../../../people.yaml", "expected a file ../../../people.yaml of the task, found none"),
    ],
)  # fmt: skip
def test_a_patch_that_does_not_fit_is_a_mistake_with_its_file(spec_folder: Path, patch: str, name: str, message: str) -> None:  # fmt: skip
    patched(spec_folder, patch, name)

    [mistake] = read_draft(spec_folder).mistakes
    assert message in str(mistake)
