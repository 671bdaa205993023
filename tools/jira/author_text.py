"""What an author may say of Jira."""

from brownout.core.values import JsonObject
from brownout.core.vocabulary import AppText, FieldSpec, Vocabulary, WorldNames
from tools.jira.intent_handlers import JiraSettings
from tools.jira.workflow import LINK_TYPES, PRIORITIES, RESOLUTIONS, STATUSES, TYPES

__all__ = ["text"]


def _vocabulary(settings: JsonObject, outline: WorldNames) -> Vocabulary:
    projects = JiraSettings.model_validate(settings).projects
    people = FieldSpec(outline.people)
    links = {side.replace(" ", "_"): FieldSpec() for sides in LINK_TYPES.values() for side in sides}
    fields = {
        "key": FieldSpec(),
        "type": FieldSpec(TYPES),
        "summary": FieldSpec(),
        "status": FieldSpec(STATUSES),
        "resolution": FieldSpec((*RESOLUTIONS, "")),
        "priority": FieldSpec(PRIORITIES),
        "assignee": FieldSpec((*outline.people, "")),
        "reporter": people,
        "labels": FieldSpec(),
        "root_cause": FieldSpec(),
        "root_cause_link": FieldSpec(),
        "links": FieldSpec(),
        "remote_links": FieldSpec(),
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
                "project": FieldSpec([*projects], is_required=True),
                "type": FieldSpec(TYPES),
                "priority": FieldSpec(PRIORITIES),
                "assignee": people,
                "labels": FieldSpec(),
                "number": FieldSpec(),
            },
            "begin": {},
            "close": {
                "resolution": FieldSpec(RESOLUTIONS),
                "duplicate_of": FieldSpec(is_thing=True),
                "root_cause": FieldSpec(),
                "root_cause_link": FieldSpec(),
            },
            "comment": {},
            "assign": {},
        },
        things=[pattern for key in projects for pattern in (f"{key}-*", f"{key}.issue/*")],
        fields=lambda thing: fields,
        paths=[pattern for key in projects for pattern in (f"{key}.issue/*", f"{key}.project")] + ["user/*"],
    )


text = AppText(JiraSettings, _vocabulary)
