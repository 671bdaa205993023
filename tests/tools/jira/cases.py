"""Jira's operations, each seen to succeed and to fail."""

from brownout.testing.conformance import Case, NamedThing, Step

__all__ = ["CASES", "NAMED", "SHAPE"]

SHAPE = frozenset({"errorMessages", "errors"})
_NONE = "Issue does not exist"
_LINKED = (
    Step("jira_link_issues", {"link_type": "Relates", "issue": "BOX-33", "other": "BOX-32"}),
    Step("jira_get_issue", {"issue": "BOX-33"}, {"link": "fields.issuelinks[0].id"}),
)
_REMOTE = {"issue": "BOX-32", "target": "shop/checkout#12"}
_REMOTE_LINKED = Step("jira_add_remote_link", {**_REMOTE}, {"link": "id"})

CASES = (
    Case("jira_list_projects", {}, {"colour": "blue"}, "Invalid request payload"),
    Case("jira_search_issues", {"jql": "project = BOX"}, {"jql": "colour = blue"}, "colour"),
    Case("jira_get_issue", {"issue": "BOX-31"}, {"issue": "BOX-999"}, _NONE),
    Case("jira_get_changelog", {"issue": "BOX-31"}, {"issue": "BOX-999"}, _NONE),
    Case(
        "jira_create_issue",
        {"project": "BOX", "summary": "x"},
        {"project": "NO", "summary": "x"},
        "valid project is required",
    ),
    Case(
        "jira_update_issue",
        {"issue": "BOX-32", "summary": "x"},
        {"issue": "BOX-32", "priority": "urgent"},
        "is not valid",
    ),
    Case("jira_list_transitions", {"issue": "BOX-32"}, {"issue": "BOX-999"}, _NONE),
    Case(
        "jira_transition_issue",
        {"issue": "BOX-32", "transition": "In Progress"},
        {"issue": "BOX-32", "transition": "Nowhere"},
        "not possible to transition",
    ),
    Case("jira_add_comment", {"issue": "BOX-32", "body": "x"}, {"issue": "BOX-999", "body": "x"}, _NONE),
    Case(
        "jira_update_comment",
        {"issue": "BOX-32", "comment": "$comment", "body": "y"},
        {"issue": "BOX-31", "comment": "$comment", "body": "y"},
        "Can not find a comment",
        (Step("jira_add_comment", {"issue": "BOX-32", "body": "x"}, {"comment": "id"}),),
    ),
    Case(
        "jira_link_issues",
        {"link_type": "Duplicate", "issue": "BOX-33", "other": "BOX-32"},
        {"link_type": "Duplicate", "issue": "BOX-33", "other": "BOX-33"},
        "link an issue to itself",
    ),
    Case("jira_delete_link", {"link": "$link"}, {"link": "1"}, "No issue link with id", _LINKED),
    Case("jira_add_remote_link", _REMOTE, {**_REMOTE, "target": "a page"}, "not a link"),
    Case(
        "jira_delete_remote_link",
        {"issue": "BOX-32", "link": "$link"},
        {"issue": "BOX-33", "link": "$link"},
        "does not exist",
        (_REMOTE_LINKED,),
    ),
    Case("jira_search_users", {"query": "ida"}, {}, "Field required"),
)

NAMED = (
    NamedThing("jira", "BOX-31"),
    NamedThing("jira", "BOX-*"),
    NamedThing("jira", "$key", (Step("jira_create_issue", {"project": "BOX", "summary": "x"}, {"key": "key"}),)),
)
