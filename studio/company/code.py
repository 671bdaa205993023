"""Code: pull requests, commits and files of the company's repositories, read through GitHub's own operations."""

from brownout.core.instants import clock_text
from brownout.core.values import JsonObject
from studio.company.company_view import PersonView, ViewRefused
from studio.company.pane_content import (
    Block,
    PreviewQuestion,
    PreviewReading,
    ShownField,
    ShownFileChange,
    ShownLine,
    ShownLines,
    ShownName,
    ShownPlace,
    ShownTag,
    SurfaceName,
    TimelineEntry,
)
from studio.company.paths import commit_key, pull_key
from studio.company.vendor_json import instant, items, number, part, text

__all__ = ["Code"]

_MOST = 100
_SEARCHED_PAGES = 5

_TITLE_WORDS = 3
"""A title of fewer words is also said by people who mean something else."""


class Code:
    """The company's GitHub. Items are `org/repo#12`, `org/repo@3f2a…` and `org/repo:path`."""

    name: SurfaceName = "code"
    app = "github"

    def places(self, eyes: PersonView) -> list[ShownPlace]:
        """Pull requests, commits and files of each repository."""
        return [
            ShownPlace(f"{kind}:{text(repo, 'full_name')}", label, text(repo, "name"), text(repo, "description"))
            for repo in _repositories(eyes)
            for kind, label in (("pulls", "Pull requests"), ("commits", "Commits"), ("files", "Files"))
        ]

    def lines(self, eyes: PersonView, asked: PreviewQuestion) -> ShownLines:
        """What is at a place, newest first."""
        kind, _, repo = asked.place.partition(":")
        page = int(asked.cursor) if asked.cursor.isdigit() else 1
        if kind == "pulls":
            return _pulls(eyes, repo, asked, page)
        if kind == "commits":
            return _commits(eyes, repo, asked, page)
        return _files(eyes, repo, asked) if kind == "files" else ShownLines((), note="Choose a repository")

    def names(self, eyes: PersonView) -> list[ShownName]:
        """The repositories, by their full and their short names, and pull requests by titles that are no everyday words."""
        repositories = _repositories(eyes)
        found = [
            ShownName("repo", spelling, "code", place=text(repo, "full_name"))
            for repo in repositories
            for spelling in (text(repo, "full_name"), text(repo, "name"))
        ]
        for repo in (text(each, "full_name") for each in repositories):
            pulls = items(
                eyes.ask("github_list_pulls", repo=repo, state="all", sort="updated", per_page=_MOST), "pulls"
            )
            for pull in pulls:
                if len(text(pull, "title").split()) >= _TITLE_WORDS:
                    item = f"{repo}#{number(pull, 'number')}"
                    found.append(ShownName("title", text(pull, "title"), "code", item=item))
        return found

    def reading(self, eyes: PersonView, item: str) -> PreviewReading:
        """A pull request, a commit or a file."""
        try:
            if "#" in item:
                repo, _, name = item.rpartition("#")
                return _pull(eyes, repo, int(name))
            if "@" in item:
                repo, _, sha = item.rpartition("@")
                return _commit(eyes, repo, sha)
            repo, _, path = item.partition(":")
            return _file(eyes, repo, path)
        except (ViewRefused, ValueError) as error:
            raise ViewRefused(f"{item} not found") from error


def _repositories(eyes: PersonView) -> list[JsonObject]:
    return items(eyes.ask("github_list_repositories", per_page=_MOST), "repositories")


# -- lists --------------------------------------------------------------------------------------------------


def _pulls(eyes: PersonView, repo: str, asked: PreviewQuestion, page: int) -> ShownLines:
    if asked.q:
        query = f"{asked.q} repo:{repo} sort:updated"
        found = eyes.ask("github_search_pulls", query=query, page=page, per_page=min(asked.most, _MOST))
        total = number(found, "total_count")
        return ShownLines(tuple(_pull_line(eyes, pull) for pull in items(found, "items")), _next(found), total)
    found = eyes.ask(
        "github_list_pulls", repo=repo, state="all", sort="updated", page=page, per_page=min(asked.most, _MOST)
    )
    return ShownLines(tuple(_pull_line(eyes, pull) for pull in items(found, "pulls")), _next(found))


def _pull_line(eyes: PersonView, pull: JsonObject) -> ShownLine:
    repo, key = text(pull, "repository"), number(pull, "number")
    who = eyes.viewing.name_of(text(pull, "user", "login"))
    return ShownLine(
        id=f"{repo}#{key}",
        at=instant(pull, "updated_at"),
        who=who,
        head=f"#{key} · {who}",
        title=text(pull, "title"),
        text=" ".join(text(pull, "body").split()),
        path=pull_key(repo, key),
        tags=(_state(pull),),
    )


def _state(pull: JsonObject) -> ShownTag:
    if text(pull, "merged_at"):
        return ShownTag("Merged", "violet")
    return ShownTag("Open", "green") if text(pull, "state") == "open" else ShownTag("Closed", "red")


def _commits(eyes: PersonView, repo: str, asked: PreviewQuestion, page: int) -> ShownLines:
    """Commits; GitHub has no search over their messages here, so a search looks through the newest."""
    if not asked.q:
        found = eyes.ask("github_list_commits", repo=repo, page=page, per_page=min(asked.most, _MOST))
        return ShownLines(tuple(_commit_line(repo, commit) for commit in items(found, "commits")), _next(found))
    lines: list[ShownLine] = []
    for number_of_page in range(1, _SEARCHED_PAGES + 1):
        found = eyes.ask("github_list_commits", repo=repo, page=number_of_page, per_page=_MOST)
        lines += [_commit_line(repo, commit) for commit in items(found, "commits")]
        if not _next(found):
            break
    wanted = asked.q.casefold()
    hits = tuple(line for line in lines if wanted in f"{line.who} {line.title} {line.text} {line.id}".casefold())
    return ShownLines(hits, total=len(hits))


def _commit_line(repo: str, commit: JsonObject) -> ShownLine:
    subject, _, rest = text(commit, "commit", "message").partition("\n")
    sha, who = text(commit, "sha"), text(commit, "commit", "author", "name")
    return ShownLine(
        id=f"{repo}@{sha}",
        at=instant(commit, "commit", "author", "date"),
        who=who,
        head=f"{sha[:7]} · {who}",
        title=subject,
        text=" ".join(rest.split()),
        path=commit_key(repo, sha),
    )


def _files(eyes: PersonView, repo: str, asked: PreviewQuestion) -> ShownLines:
    entries = items(eyes.ask("github_list_directory", repo=repo, path="", recursive=True), "entries")
    wanted = asked.q.casefold()
    paths = sorted(text(entry, "path") for entry in entries)
    found = tuple(
        ShownLine(
            f"{repo}:{path}", 0, "", title=path.rpartition("/")[2], head=path.rpartition("/")[0] or "/", icon="draft"
        )
        for path in paths
        if wanted in path.casefold()
    )
    return ShownLines(found, total=len(found))


def _next(page: JsonObject) -> str:
    return text(page, "next_page")


# -- one thing ----------------------------------------------------------------------------------------------


def _pull(eyes: PersonView, repo: str, key: int) -> PreviewReading:
    pull = eyes.ask("github_get_pull", repo=repo, number=key)
    full = text(pull, "repository")
    files = items(eyes.ask("github_get_pull_files", repo=repo, number=key, per_page=_MOST), "files")
    reviews = [
        _review(eyes, one) for one in items(eyes.ask("github_list_pull_reviews", repo=repo, number=key), "reviews")
    ]
    comments = [
        _comment(eyes, one) for one in items(eyes.ask("github_list_pull_comments", repo=repo, number=key), "comments")
    ]
    talk = sorted([*reviews, *comments], key=lambda entry: entry.at)
    blocks = [Block(text=text(pull, "body") or "No description.")]
    if talk:
        blocks.append(Block(title="Conversation", entries=tuple(talk)))
    blocks.append(Block(title=_changed(pull), files=tuple(_file_change(file) for file in files)))
    shown = {
        "Author": eyes.viewing.name_of(text(pull, "user", "login")),
        "Branches": f"{text(pull, 'head', 'ref')} → {text(pull, 'base', 'ref')}",
        "Commits": text(pull, "commits"),
        "Merged by": eyes.viewing.name_of(text(pull, "merged_by", "login")),
        "Merge commit": text(pull, "merge_commit_sha")[:10],
    }
    return PreviewReading(
        id=f"{full}#{key}",
        kicker=f"{full} #{key}",
        title=text(pull, "title"),
        path=pull_key(full, key),
        tags=(_state(pull),),
        fields=tuple(ShownField(name, value) for name, value in shown.items() if value),
        blocks=tuple(blocks),
        places=(f"pulls:{full}",),
        written=instant(pull, "created_at"),
    )


def _changed(thing: JsonObject) -> str:
    files = number(thing, "changed_files") or len(items(thing, "files"))
    return "1 file changed" if files == 1 else f"{files} files changed"


def _review(eyes: PersonView, review: JsonObject) -> TimelineEntry:
    state = text(review, "state")
    word = state.replace("_", " ").capitalize()
    tone = ShownTag(word, "green" if state == "APPROVED" else "orange" if state == "CHANGES_REQUESTED" else "gray")
    return TimelineEntry(
        eyes.viewing.name_of(text(review, "user", "login")),
        instant(review, "submitted_at"),
        text(review, "body"),
        tags=(tone,),
        about="reviewed",
    )


def _comment(eyes: PersonView, comment: JsonObject) -> TimelineEntry:
    path, line = text(comment, "path"), text(comment, "line")
    about = f"on {path}:{line}" if path and line else f"on {path}" if path else ""
    return TimelineEntry(
        eyes.viewing.name_of(text(comment, "user", "login")),
        instant(comment, "created_at"),
        text(comment, "body"),
        about=about,
    )


def _commit(eyes: PersonView, repo: str, sha: str) -> PreviewReading:
    commit = eyes.ask("github_get_commit", repo=repo, sha=sha)
    whole = text(commit, "sha")
    subject, _, rest = text(commit, "commit", "message").partition("\n")
    parents = ", ".join(text(parent, "sha")[:7] for parent in items(commit, "parents"))
    author = part(commit, "commit", "author")
    blocks = [Block(text=rest.strip())] if rest.strip() else []
    blocks.append(Block(title=_changed(commit), files=tuple(_file_change(file) for file in items(commit, "files"))))
    return PreviewReading(
        id=f"{repo}@{whole}",
        kicker=f"{repo} · {whole[:10]}",
        title=subject,
        path=commit_key(repo, whole),
        fields=(
            ShownField("Author", text(author, "name")),
            ShownField("Date", clock_text(instant(author, "date"), eyes.viewing.package.manifest.zone)),
            ShownField("Parents", parents or "none"),
        ),
        blocks=tuple(blocks),
        places=(f"commits:{repo}",),
        written=instant(author, "date"),
    )


def _file_change(file: JsonObject) -> ShownFileChange:
    name = text(file, "filename")
    if before := text(file, "previous_filename"):
        name = f"{before} → {name}"
    return ShownFileChange(name, number(file, "additions"), number(file, "deletions"), text(file, "patch"))


def _file(eyes: PersonView, repo: str, path: str) -> PreviewReading:
    file = eyes.ask("github_get_file", repo=repo, path=path)
    is_text = text(file, "encoding") == "utf-8"
    content = text(file, "content") if is_text else f"{number(file, 'size'):,} bytes that are no text"
    return PreviewReading(
        id=f"{repo}:{path}",
        kicker=repo,
        title=path,
        fields=(ShownField("Size", f"{number(file, 'size'):,} bytes"),),
        blocks=(Block(code=content),),
        places=(f"files:{repo}",),
    )
