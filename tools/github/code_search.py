"""Searching code: every file of the default branches is looked at; words are found inside longer ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from brownout.core.apps import Call
from brownout.core.rows import Row
from brownout.core.values import JsonObject
from brownout.store.git import Repository
from brownout.store.git.refs import BRANCHES
from tools.github import records
from tools.github.repositories import opened
from tools.github.search_refusals import check_query
from tools.query_languages import github
from tools.query_languages.ast import And, Condition, Not, Or, TextNode, conditions
from tools.query_languages.reference_evaluation import Record, matches

__all__ = ["Hit", "hit_json", "search"]

_LARGEST_FILE: Final = 384 * 1024
"""Bytes; GitHub searches no larger files (docs.github.com, "Searching code")."""
_QUALIFIERS: Final = frozenset({"repository", "owner", "path", "filename", "extension", "language"})
_BINARY_LOOK: Final = 8000
_LINES: Final = 5
_LONGEST_LINE: Final = 300
_LANGUAGES: Final = {
    "css": "CSS", "go": "Go", "html": "HTML", "js": "JavaScript", "json": "JSON", "md": "Markdown", "py": "Python",
    "rb": "Ruby", "rs": "Rust", "sh": "Shell", "sql": "SQL", "toml": "TOML", "ts": "TypeScript", "yaml": "YAML",
    "yml": "YAML",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hit:
    """A file that a search found, and the first lines that it was found by."""

    repository: str
    path: str
    sha: str
    lines: tuple[tuple[int, str], ...]


def search(call: Call, query: str) -> list[Hit]:
    """The files that a query finds, by repository and path."""
    found = github.parse(query, now=call.now, zone="UTC")
    check_query(call, query, found, kept=_QUALIFIERS)
    words = [word for leaf in conditions(found.condition) if isinstance(leaf, TextNode) for word in _wanted(leaf)]
    hits = []
    for repository in records.repositories(call):
        git = opened(call, repository)
        for path, sha, content in _files(repository, git):
            lowered = content.lower()
            record = _record(repository, path)
            if found.condition is None or _holds(found.condition, record, path.lower(), lowered):
                hits.append(Hit(repository.text("full_name"), path, sha, _lines(content, words)))
    return hits


def hit_json(hit: Hit) -> JsonObject:
    """A hit as the search API shows it, with the lines that it was found by."""
    return {
        "name": hit.path.rpartition("/")[2],
        "path": hit.path,
        "sha": hit.sha,
        "repository": {"full_name": hit.repository},
        "text_matches": [{"line": number, "fragment": text} for number, text in hit.lines],
    }


def _files(repository: Row, git: Repository) -> Iterator[tuple[str, str, str]]:
    """Path, id and text of every text file on the default branch."""
    ref = BRANCHES + repository.text("default_branch")
    if git.refs.get(ref) is None:
        return
    entries = git.files(ref)
    for path, file in git.archive(ref).items():
        if len(file.data) <= _LARGEST_FILE and b"\0" not in file.data[:_BINARY_LOOK]:
            yield path, entries[path].sha, file.data.decode("utf-8", "replace")


def _record(repository: Row, path: str) -> Record:
    """What the qualifiers look at; a file is also in every folder above it."""
    name = path.rpartition("/")[2]
    extension = name.rpartition(".")[2] if "." in name else ""
    parts = path.split("/")
    return {
        "repository": [repository.text("full_name"), repository.text("name")],
        "owner": repository.text("owner"),
        "path": ["/".join(parts[:count]) for count in range(1, len(parts) + 1)],
        "filename": name,
        "extension": extension,
        "language": _LANGUAGES.get(extension, ""),
    }


def _holds(condition: Condition, record: Record, path: str, content: str) -> bool:
    match condition:
        case And(parts):
            return all(_holds(part, record, path, content) for part in parts)
        case Or(parts):
            return any(_holds(part, record, path, content) for part in parts)
        case Not(part):
            return not _holds(part, record, path, content)
        case TextNode(within=within):
            places = [path] if within == ("path",) else [path, content] if "path" in within else [content]
            return all(any(word in text for text in places) for word in _wanted(condition))
        case field:
            return matches(field, record)


def _wanted(text: TextNode) -> list[str]:
    return [" ".join(text.words).lower()] if text.phrase else [word.lower() for word in text.words]


def _lines(content: str, words: list[str]) -> tuple[tuple[int, str], ...]:
    """The lines that hold most of the words, in the order of the file."""
    found = []
    for number, line in enumerate(content.split("\n"), 1):
        count = sum(word in line.lower() for word in words)
        if count:
            found.append((-count, number, line.strip()[:_LONGEST_LINE]))
    return tuple(sorted((number, line) for _, number, line in sorted(found)[:_LINES]))
