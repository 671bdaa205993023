"""Reads phrase packs (`generators/packs/*/*.yaml`); mistakes are told with file and line."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Final, TypeVar

from pydantic import Field

from brownout.background.code_bases import CodePack, EntryPack
from brownout.background.outage_texts import OutagePack
from brownout.background.packs import (
    CasePack,
    DialoguePack,
    MailFile,
    MailFilePack,
    MailPack,
    MailThread,
    MailThreadPack,
    Pack,
    TicketCase,
    Wide,
    WorkPack,
)
from brownout.core.errors import AuthoringError, Mistake
from brownout.core.strict_model import StrictModel
from brownout.core.vocabulary import near
from generators.background.pack_problems.code_bases import code_problems, entry_problems
from generators.background.pack_problems.mail import file_problems, mail_problems, thread_problems
from generators.background.pack_problems.outages import outage_problems
from generators.background.pack_problems.talk import dialogue_problems, talk_problems, wide_problems
from generators.background.pack_problems.texts import Place
from generators.background.pack_problems.tickets import case_problems, work_problems
from generators.data_files import data_path, read_placed
from worlds.spec import WorldSpec
from worlds.spec.line_marks import line_in

__all__ = [
    "pack_mistakes",
    "packs_folder",
    "read_cases",
    "read_code_packs",
    "read_dialogues",
    "read_mail_files",
    "read_mail_packs",
    "read_mail_threads",
    "read_outage_pack",
    "read_packs",
    "read_trade_dialogues",
    "read_work_packs",
    "taken_words",
]

_DISTINCT: Final = re.compile(r"[A-Za-z0-9][\w./:+-]*\d[\w./:+-]*|[A-Za-z]+(?:[-_./][A-Za-z0-9]+)+|\d+")
T = TypeVar("T")
P = TypeVar(
    "P",
    Pack,
    Wide,
    DialoguePack,
    CasePack,
    MailThreadPack,
    WorkPack,
    MailPack,
    MailFilePack,
    OutagePack,
    CodePack,
    EntryPack,
    "TradeTalk",
)


def packs_folder() -> Path:
    """Where the shipped packs are."""
    return data_path("packs", "talk")


@cache
def read_packs(folder: Path | None = None) -> tuple[Pack, ...]:
    """The packs of a folder, the shipped ones where none is given, by area.

    Raises:
        AuthoringError: every mistake in them.
    """
    found, mistakes = [], []
    for path in sorted((folder or packs_folder()).glob("*.yaml")):
        pack, wrong = _read(path, Pack, talk_problems)
        mistakes += wrong
        if pack is not None:
            found.append(pack)
    packs = {pack.area: pack for pack in found}
    for path in sorted((folder or packs_folder()).with_name("wide").glob("*.yaml")):
        wide, wrong = _read(path, Wide, partial(wide_problems, packs=packs))
        mistakes += wrong
        if wide is not None and not wrong:
            packs[wide.area] = packs[wide.area].model_copy(
                update={
                    "words": {**packs[wide.area].words, **wide.words},
                    "pastes": wide.pastes,
                    "pages": wide.pages,
                }
            )
    if mistakes:
        raise AuthoringError(mistakes)
    return tuple(sorted(packs.values(), key=lambda pack: pack.area))


@cache
def read_dialogues(folder: Path | None = None) -> Mapping[str, tuple[str, ...]]:
    """The conversations written whole of a folder, the shipped ones where none is given, by area.

    Raises:
        AuthoringError: every mistake in them.
    """
    return _joined(
        (pack.area, pack.dialogues)
        for pack in _read_all(
            folder or packs_folder().with_name("dialogues"),
            DialoguePack,
            partial(dialogue_problems, packs=_packs_by_area()),
        )
    )


class TradeTalk(StrictModel):
    """Conversations of companies of one trade that are written whole (`generators/trades/<trade>/talk.yaml`)."""

    dialogues: Mapping[str, tuple[str, ...]] = Field(description="By the area that they are about.")


@cache
def read_trade_dialogues(trade: str) -> Mapping[str, tuple[str, ...]]:
    """What people of a trade's companies talk about, by area, marked as the trade's own; nothing where its pack has no talk.yaml.

    Raises:
        AuthoringError: every mistake in them.
    """
    path = data_path("trades", trade, "talk.yaml") if trade else None
    if path is None or not path.is_file():
        return {}
    talk, mistakes = _read(path, TradeTalk, trade_talk_problems)
    if talk is None or mistakes:
        raise AuthoringError(mistakes)
    return {area: tuple(f"(trade)\n{script}" for script in scripts) for area, scripts in talk.dialogues.items()}


def trade_talk_problems(talk: TradeTalk) -> Iterator[tuple[Place, str]]:
    """What is wrong with conversations of a trade that can be read."""
    known = read_dialogues()
    for area, scripts in talk.dialogues.items():
        if area not in known:
            yield ("dialogues", area), f"there is no area {area!r}{near(area, known)}"
        for place, problem in dialogue_problems(DialoguePack(area=area, dialogues=scripts), _packs_by_area()):
            yield ("dialogues", area, *place[1:]), problem


@cache
def read_cases(folder: Path | None = None) -> Mapping[str, tuple[TicketCase, ...]]:
    """The tickets written whole of a folder, the shipped ones where none is given, by area.

    Raises:
        AuthoringError: every mistake in them.
    """
    return _joined(
        (pack.area, pack.cases)
        for pack in _read_all(
            folder or packs_folder().with_name("cases"), CasePack, partial(case_problems, disciplines=_disciplines())
        )
    )


@cache
def read_work_packs(folder: Path | None = None) -> tuple[WorkPack, ...]:
    """The packs that tickets are worded by, the shipped ones where no folder is given, by area.

    Raises:
        AuthoringError: every mistake in them.
    """
    packs = _read_all(folder or packs_folder().with_name("work"), WorkPack, work_problems)
    return tuple(sorted(packs, key=lambda pack: pack.area))


@cache
def read_mail_packs(folder: Path | None = None) -> tuple[MailPack, ...]:
    """The packs that mails are worded by, the shipped ones where no folder is given, by matter.

    Raises:
        AuthoringError: every mistake in them.
    """
    packs = _read_all(
        folder or packs_folder().with_name("mail") / "matters",
        MailPack,
        partial(mail_problems, disciplines=_disciplines()),
    )
    return tuple(sorted(packs, key=lambda pack: pack.matter))


@cache
def read_mail_threads(folder: Path | None = None) -> Mapping[str, tuple[MailThread, ...]]:
    """The conversations by mail written whole of a folder, the shipped ones where none is given, by with whom outside.

    Raises:
        AuthoringError: every mistake in them.
    """
    return _joined(
        (pack.deals, pack.threads)
        for pack in _read_all(
            folder or packs_folder().with_name("mail") / "threads",
            MailThreadPack,
            partial(thread_problems, disciplines=_disciplines(), files=read_mail_files()),
        )
    )


@cache
def read_mail_files(path: Path | None = None) -> Mapping[str, MailFile]:
    """The small files that go with mails, by name, the shipped ones where no pack is given.

    Raises:
        AuthoringError: every mistake in them.
    """
    pack, mistakes = _read(
        path or packs_folder().with_name("mail") / "files.yaml",
        MailFilePack,
        partial(file_problems, matters=_matters()),
    )
    if pack is None or mistakes:
        raise AuthoringError(mistakes)
    return pack.files


@cache
def read_outage_pack(path: Path | None = None) -> OutagePack:
    """What people say of outages, the shipped texts where no file is given.

    Raises:
        AuthoringError: every mistake in them.
    """
    pack, mistakes = _read(path or packs_folder().with_name("outages.yaml"), OutagePack, outage_problems)
    if pack is None or mistakes:
        raise AuthoringError(mistakes)
    return pack


@cache
def read_code_packs(folder: Path | None = None) -> tuple[CodePack, ...]:
    """The packs of code bases and what is written when they are changed, the shipped ones where no folder is given.

    Entries that are written whole stand in the folder `entries` below it.

    Raises:
        AuthoringError: every mistake in them.
    """
    found, mistakes = [], []
    folder = folder or packs_folder().with_name("pulls")
    for path in sorted(folder.glob("*.yaml")):
        pack, wrong = _read(path, CodePack, partial(code_problems, disciplines=_disciplines()))
        mistakes += wrong
        if pack is not None:
            found.append(pack)
    kinds = {pack.kind: pack for pack in found}
    for path in sorted((folder / "entries").glob("*.yaml")):
        written, wrong = _read(path, EntryPack, partial(entry_problems, packs=kinds))
        mistakes += wrong
        if written is not None and not wrong:
            kinds[written.kind] = kinds[written.kind].with_written(written.entries)
    if mistakes:
        raise AuthoringError(mistakes)
    return tuple(sorted(kinds.values(), key=lambda pack: pack.kind))


def taken_words(spec: WorldSpec) -> frozenset[str]:
    """Numbers and identifiers in the values of authored facts: everyday life must state none of them."""
    values = [str(fact.value) for story in spec.storylines.values() for fact in story.facts.values()]
    found = {word.lower() for value in values for word in _DISTINCT.findall(value)}
    return frozenset(found - {*spec.services})


def pack_mistakes(path: Path) -> list[Mistake]:
    """What is wrong with a pack; empty where nothing is."""
    if path.parent.name == "entries":
        kinds = {pack.kind: pack for pack in read_code_packs()}
        return _read(path, EntryPack, partial(entry_problems, packs=kinds))[1]
    if path.parent.name == "pulls":
        return _read(path, CodePack, partial(code_problems, disciplines=_disciplines()))[1]
    if path.parent.name == "work":
        return _read(path, WorkPack, work_problems)[1]
    if path.name == "files.yaml":
        return _read(path, MailFilePack, partial(file_problems, matters=_matters()))[1]
    if path.name == "talk.yaml":
        return _read(path, TradeTalk, trade_talk_problems)[1]
    if path.parent.name == "matters":
        return _read(path, MailPack, partial(mail_problems, disciplines=_disciplines()))[1]
    return _read(path, Pack, talk_problems)[1]


def _packs_by_area() -> Mapping[str, Pack]:
    """The shipped packs of talk."""
    return {pack.area: pack for pack in read_packs()}


def _disciplines() -> frozenset[str]:
    """The disciplines that the shipped packs of talk have words of roles for."""
    return frozenset(name for pack in read_packs() for name in pack.roles)


def _matters() -> frozenset[str]:
    return frozenset(pack.matter for pack in read_mail_packs())


def _read_all(folder: Path, kind: type[P], problems: Callable[[P], Iterator[tuple[Place, str]]]) -> list[P]:
    """The packs of a folder, in the order of their files.

    Raises:
        AuthoringError: every mistake in them.
    """
    read = [_read(path, kind, problems) for path in sorted(folder.glob("*.yaml"))]
    mistakes = [one for _, wrong in read for one in wrong]
    if mistakes:
        raise AuthoringError(mistakes)
    return [pack for pack, _ in read if pack is not None]


def _joined(parts: Iterable[tuple[str, tuple[T, ...]]]) -> Mapping[str, tuple[T, ...]]:
    """Texts of several packs by what these are for."""
    found: dict[str, tuple[T, ...]] = {}
    for name, texts in parts:
        found[name] = (*found.get(name, ()), *texts)
    return found


def _read(
    path: Path, kind: type[P], problems: Callable[[P], Iterator[tuple[Place, str]]]
) -> tuple[P | None, list[Mistake]]:
    try:
        pack, tree = read_placed(path, kind, shown=path.name)
    except AuthoringError as error:
        return None, list(error.mistakes)
    return pack, [Mistake(path.name, _line(tree, place), message) for place, message in problems(pack)]


def _line(tree: object, place: Place) -> int:
    """The line of a part of a pack; in a block of texts, the text's own."""
    line, inner = line_in(tree, place), tree
    for part in place:
        if isinstance(inner, str) and isinstance(part, int):
            return line + 1 + part
        inner = inner.get(part) if isinstance(inner, dict) else None
    return line
