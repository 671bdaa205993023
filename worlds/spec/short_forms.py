"""Turns the short forms that authors write into the fields the models hold.

A verb that names no app (`via`) comes to the one of the world's apps that has it among its `verbs`; `told` and `asks` to
whichever works then.
"""

from collections.abc import Callable, Mapping

from brownout.core.vocabulary import nearest
from worlds.spec.misplaced_words import Misplaced, UnknownWord

__all__ = ["STEP_WORDS", "VERBS", "actions_of", "actions_of_verb", "criterion_of", "line_of", "step_of"]

_BEAT_OWN = {"at", "when", "who", "makes", "states", "learns", "does"}
_LINE_OWN = {"after", "reacts", "edited", "was"}
_CRITERION_OWN = {"worth", "by", "needs"}
STEP_WORDS = {"keep", "meets", "fails"}


def _names(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else [value]


def _mapping(verb: str, value: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise Misplaced(f"expected a mapping of words to values, found {value!r}", verb)
    return {str(k): v for k, v in value.items()}


def _told(value: object) -> list[dict[str, object]]:
    """`told: {"#infra": slack}`: each target by its app, empty for whichever works."""
    if value == {}:
        raise Misplaced("expected channels or people, each with its app; found nobody", "told")
    return [{"kind": "tell", "to": [target], "via": app or None} for target, app in _mapping("told", value).items()]


def _asks(value: object) -> list[dict[str, object]]:
    asked = _mapping("asks", value)
    return [{"kind": "ask", "to": _names(asked.pop("person", [])), "via": asked.pop("via", None), "details": asked}]


def _mails(value: object) -> list[dict[str, object]]:
    mail = _mapping("mails", value)
    to, subject = _names(mail.pop("to", [])), mail.pop("subject", "")
    return [{"kind": "tell", "verb": "mails", "to": to, "subject": subject, "details": mail}]


def _opens(value: object) -> list[dict[str, object]]:
    issue = _mapping("opens", value)
    text, subject, via = issue.pop("text", ""), issue.pop("issue", ""), issue.pop("via", None)
    return [{"kind": "open", "verb": "opens", "via": via, "subject": subject, "text": text, "details": issue}]


def _decides(value: object) -> list[dict[str, object]]:
    """An issue that is opened with the decision; closed at once, unless it names the work that closes it."""
    opened = _opens(value)[0]
    if "closed_by" in _mapping("decides", opened["details"]):
        return [opened]
    return [opened, {"kind": "close", "verb": "opens", "via": opened["via"], "details": {"resolution": "Done"}}]


def _on_issue(kind: str, verb: str, details: dict[str, object]) -> dict[str, object]:
    via, thing = details.pop("via", None), details.pop("issue", "")
    return {"kind": kind, "verb": verb, "via": via, "thing": thing, "details": details}


def _closes(value: object) -> list[dict[str, object]]:
    closed = _mapping("closes", value)
    return [_on_issue("close", "closes", closed)]


def _begins(value: object) -> list[dict[str, object]]:
    begun = _mapping("begins", value)
    return [_on_issue("begin", "begins", begun)]


def _comments(value: object) -> list[dict[str, object]]:
    comment = _mapping("comments", value)
    text = comment.pop("text", "")
    on, via = comment.pop("on", ""), comment.pop("via", None)
    return [{"kind": "comment", "verb": "comments", "via": via, "thing": on, "text": text, "details": comment}]


def _assigns(value: object) -> list[dict[str, object]]:
    given = _mapping("assigns", value)
    return [{"kind": "assign", "verb": "assigns", "thing": given.pop("issue", ""), "to": _names(given.pop("to", []))}]


def _writes(value: object) -> list[dict[str, object]]:
    page = _mapping("writes", value)
    return [{"kind": "write", "verb": "writes", "subject": page.pop("doc", ""), "details": page}]


def _merges(value: object) -> list[dict[str, object]]:
    pull = _mapping("merges", value)
    return [{"kind": "merge", "verb": "merges", "subject": pull.pop("pull", ""), "details": pull}]


def _deploys(value: object) -> list[dict[str, object]]:
    deploy = _mapping("deploys", value)
    return [{"kind": "deploy", "verb": "deploys", "thing": deploy.pop("service", ""), "details": deploy}]


_VERBS: Mapping[str, Callable[[object], list[dict[str, object]]]] = {
    "told": _told,
    "asks": _asks,
    "mails": _mails,
    "opens": _opens,
    "decides": _decides,
    "closes": _closes,
    "begins": _begins,
    "comments": _comments,
    "assigns": _assigns,
    "writes": _writes,
    "merges": _merges,
    "deploys": _deploys,
}


VERBS = tuple(_VERBS)
"""The words by which a beat says what is done, in the order in which they are told."""


def actions_of_verb(verb: str, value: object) -> list[dict[str, object]]:
    """What a verb comes to: `closes: {issue: drop-cap}` is `[{"kind": "close", "thing": "drop-cap", …}]`."""
    return _VERBS[verb](value)


def actions_of(value: object) -> object:
    """A beat with its verbs as `does`, in the order they are written.

    Raises:
        UnknownWord: a word that is neither a verb nor one of the beat's own.
    """
    if not isinstance(value, Mapping) or "does" in value:
        return value
    unknown = [str(k) for k in value if k not in _VERBS and k not in _BEAT_OWN]
    if unknown:
        listed = f"; a beat has {', '.join(sorted(_BEAT_OWN - {'does'}))} and the verbs {', '.join(_VERBS)}"
        raise UnknownWord((unknown[0],), [*_BEAT_OWN, *_VERBS], listed)
    actions = [action for key, part in value.items() if key in _VERBS for action in actions_of_verb(str(key), part)]
    return {k: v for k, v in value.items() if k in _BEAT_OWN} | {"does": actions}


def line_of(value: object) -> object:
    """A line of a talk, `> ida: text` or `{"> ida": text, after: 6m}`, with its parts apart.

    Raises:
        ValueError: nobody says anything in it, or more than one does.
    """
    if isinstance(value, Mapping):
        if "who" in value:
            return value
        said = [str(key) for key in value if key not in _LINE_OWN]
        if len(said) != 1:
            raise ValueError(f"expected `person: text` beside {', '.join(sorted(_LINE_OWN))}; found {', '.join(said)}")
        who, text, rest = said[0], value[said[0]], {k: v for k, v in value.items() if k in _LINE_OWN}
    else:
        who, colon, text = str(value).partition(":")
        if not colon:
            raise ValueError(f"expected `person: text`, found {who[:40]!r}")
        rest = {}
    name = who.removeprefix(">").strip()
    return {"who": name, "text": str(text).strip(), "in_thread": who.startswith(">"), **rest}


def criterion_of(value: object) -> object:
    """A criterion with its grader's word (`world_state: …`) as `grader` and `asks`, worth what its lines are worth.

    Raises:
        ValueError: no grader, or more than one, or another worth than its lines'.
    """
    if not isinstance(value, Mapping) or "grader" in value:
        return value
    graders = [str(k) for k in value if k not in _CRITERION_OWN]
    misspelt = [word for word in graders if nearest(word, _CRITERION_OWN)] if len(graders) > 1 else []
    if misspelt:
        raise UnknownWord((misspelt[0],), _CRITERION_OWN)
    if len(graders) != 1:
        raise ValueError(
            f"a criterion names one grader beside {', '.join(sorted(_CRITERION_OWN))}; found {', '.join(graders) or 'none'}"
        )
    found = {k: v for k, v in value.items() if k in _CRITERION_OWN} | {"grader": graders[0], "asks": value[graders[0]]}
    worths = _line_worths(found["asks"])
    if worths and found.setdefault("worth", sum(worths)) != sum(worths):
        raise ValueError(f"worth: its lines are worth {sum(worths)} together; found {found['worth']}, leave it out")
    return found


def _line_worths(asks: object) -> list[int]:
    """What the lines of a criterion are worth that earns its points line by line; empty where it has none."""
    lines = asks.get("lines") if isinstance(asks, Mapping) else None
    worths = (
        [line.get("worth") for line in lines.values() if isinstance(line, Mapping)]
        if isinstance(lines, Mapping)
        else []
    )
    return [worth for worth in worths if isinstance(worth, int)]


def step_of(value: object) -> object:
    """An oracle's step `{operation: {arguments, keep, meets, fails}}` with its parts apart.

    Raises:
        ValueError: not one operation.
    """
    if not isinstance(value, Mapping) or "call" in value:
        return value
    if len(value) != 1:
        raise ValueError("a step names one operation")
    [(name, given)] = value.items()
    if not isinstance(given, Mapping):
        return {"call": name, "arguments": {"answer": given} if name == "submit" else {}}
    return {
        "call": name,
        "arguments": {k: v for k, v in given.items() if k not in STEP_WORDS},
        **{k: v for k, v in given.items() if k in STEP_WORDS},
    }
