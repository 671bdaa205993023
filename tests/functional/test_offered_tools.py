"""A task offers the tools that it names, all of its products' where it names none; validate knows which there are."""

from pathlib import Path
from shutil import copytree

import pytest

import brownout
from brownout.catalog import find_spec
from brownout.core.errors import AuthoringError
from brownout.core.session_tools import SESSION_TOOLS

TASK = "mend-the-help-page"


def spec_with(folder: Path, tools: str) -> Path:
    copytree(find_spec("tiny"), folder)
    task = folder / "tasks" / TASK / "task.yaml"
    task.write_text(f"tools: {tools}\n{task.read_text()}")
    return folder


def test_only_what_is_named_is_offered(tmp_path: Path) -> None:
    package = brownout.build(
        spec_with(tmp_path / "spec", "[docs_*, slack_*, jira_*, gmail_*, github_get_*, ops_*]"), out=tmp_path / "p"
    )
    with brownout.open_session(package.folder, task=TASK) as session:
        names = {str(tool["name"]) for tool in session.tools}
        answer = session.call("github_list_pulls", {"repo": "boxoffice"})

        assert {"docs_get_page", "github_get_pull", *SESSION_TOOLS} <= names
        assert "github_list_pulls" not in names
        assert "There is no tool called github_list_pulls" in answer.content
        assert not session.call("docs_list_spaces", {}).is_error
    frozen = {tool.name for tool in package.tools("github")}
    assert "github_list_pulls" in frozen, "the package keeps what there is, whatever a task offers"


@pytest.mark.parametrize(
    ("tools", "mistake"),
    [
        ("[docs_*, slack_*, jiar_*]", "tools: there is no operation 'jiar_*'"),
        ("[slack_*]", "the task does not offer docs_"),
    ],
)
def test_what_is_not_there_or_is_needed_is_a_mistake(tmp_path: Path, tools: str, mistake: str) -> None:
    with pytest.raises(AuthoringError) as caught:
        brownout.build(spec_with(tmp_path / "spec", tools), out=tmp_path / "p")
    assert mistake in str(caught.value)
