"""What an author may say of Jira."""

from brownout.core.values import JsonObject
from brownout.core.vocabulary import AppText, Outline, Vocabulary, Word
from tools.jira.intent_handlers import JiraSettings
from tools.jira.workflow import LINK_TYPES, PRIORITIES, RESOLUTIONS, STATUSES, TYPES

__all__ = ["text"]


def _vocabulary(settings: JsonObject, outline: Outline) -> Vocabulary:
    projects = JiraSettings.model_validate(settings).projects
    people = Word(outline.people)
    links = {side.replace(" ", "_"): Word() for sides in LINK_TYPES.values() for side in sides}
    fields = {
        "key": Word(),
        "type": Word(TYPES),
        "summary": Word(),
        "status": Word(STATUSES),
        "resolution": Word((*RESOLUTIONS, "")),
        "priority": Word(PRIORITIES),
        "assignee": Word((*outline.people, "")),
        "reporter": people,
        "labels": Word(),
        "root_cause": Word(),
        "root_cause_link": Word(),
        "links": Word(),
        "remote_links": Word(),
        **links,
    }
    return Vocabulary(
        problems=tuple(
            problem
            for key, project in projects.items()
            for problem in outline.strangers([project.lead], ("projects", key, "lead"))
        ),
        details={
            "open": {
                "project": Word([*projects], is_required=True),
                "type": Word(TYPES),
                "priority": Word(PRIORITIES),
                "assignee": people,
                "labels": Word(),
                "number": Word(),
            },
            "begin": {},
            "close": {
                "resolution": Word(RESOLUTIONS),
                "duplicate_of": Word(is_thing=True),
                "root_cause": Word(),
                "root_cause_link": Word(),
            },
            "comment": {},
            "assign": {},
        },
        things=[pattern for key in projects for pattern in (f"{key}-*", f"{key}.issue/*")],
        fields=lambda thing: fields,
        paths=[pattern for key in projects for pattern in (f"{key}.issue/*", f"{key}.project")] + ["user/*"],
    )


text = AppText(JiraSettings, _vocabulary)
