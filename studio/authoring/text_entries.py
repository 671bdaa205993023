"""What each page of a world's text shows: its entries with their places in the files, its graph, its time line."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from brownout.core.instants import Instant, clock_text, duration_text
from brownout.engine.outages import words_of
from studio.app_titles import app_title, title_of_target
from studio.authoring.criterion_sentences import criterion_sentence
from studio.authoring.task_offer import fact_text
from studio.authoring.world_times import WorldTimes, calendar_of
from tools.ops.storyline_sections import Rota
from worlds.spec import Task, WorldSpec
from worlds.spec.company import BackgroundSpec

__all__ = ["ENTRY_PAGES", "Edge", "EntryPage", "GraphNode", "TextEntry", "entry_page_of"]

Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class TextEntry:
    """An entry.

    Attributes:
        id: file and place, by which it is chosen.
        kind: what it is, `person`, `beat` …; what the form is called after.
        group: what it is listed under.
        cells: by column, what the table shows.
        at, until: its place on the time line, None where it has none.
        lane: the lane of the time line.
        waits: what it waits for, where it has no time beforehand.
        field: the word that holds its time, by which it is moved; empty where it cannot be.
        span: the word that holds how long it lasts, by which its ends are moved; empty where they cannot be.
    """

    id: str
    file: str
    path: Place
    kind: str
    name: str
    title: str
    subtitle: str = ""
    group: str = ""
    cells: Mapping[str, str] = field(default_factory=dict)
    at: Instant | None = None
    until: Instant | None = None
    lane: str = ""
    waits: str = ""
    field: str = ""
    span: str = ""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """Something of a graph; `item` is the entry it stands for, empty where it stands in no file by itself."""

    id: str
    label: str
    detail: str
    kind: str
    item: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """Something that hangs on something else."""

    source: str
    target: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class EntryPage:
    """A page.

    Attributes:
        file: the file that a new entry goes to, empty where each has a file of its own.
        columns: of the table, in their order.
        hits: of a graph: by outage, what it hits and how (`down`, `slow`, `touched`).
    """

    file: str
    columns: tuple[str, ...]
    items: tuple[TextEntry, ...]
    zone: str
    first: Instant
    last: Instant
    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[Edge, ...] = ()
    hits: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Made:
    """What a page adds to the calendar."""

    items: list[TextEntry]
    columns: tuple[str, ...] = ()
    file: str = ""
    nodes: list[GraphNode] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    hits: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def entry_page_of(spec: WorldSpec, page: str) -> EntryPage:
    """What a page shows of a world.

    Raises:
        KeyError: there is no such page.
    """
    calendar = calendar_of(spec)
    made = ENTRY_PAGES[page](spec, calendar)
    return EntryPage(
        made.file,
        made.columns,
        tuple(made.items),
        calendar.zone,
        calendar.first,
        calendar.last,
        tuple(made.nodes),
        tuple(made.edges),
        made.hits,
    )


def _id(file: str, path: Place) -> str:
    return "#".join([file, *map(str, path)])


def _item(file: str, path: Place, kind: str, title: str, **more: object) -> TextEntry:
    return TextEntry(_id(file, path), file, path, kind, str(path[-1]) if path else file, title, **more)  # type: ignore[arg-type]


# -- the world itself ---------------------------------------------------------------------------------------


def _company(spec: WorldSpec, calendar: WorldTimes) -> _Made:
    """world.yaml, part by part, and each product with its own section."""
    world = spec.world
    parts = {
        "company": ("Company", f"{world.company.name}, {world.company.domain}"),
        "clock": ("Days and zone", f"{world.clock.start} to {world.clock.until}, {world.clock.zone}"),
        "generation": (
            "World seed and trade",
            ", ".join(filter(None, (f"world seed {world.generation.seed}", world.generation.trade))),
        ),
        "background": ("Everyday life", "none" if world.background.is_silent else _life(world.background)),
        "synonyms": ("Synonyms", f"{len(world.synonyms)} words"),
    }
    file = "world.yaml"
    whole = {"Part": "World", "What it says": f"{world.title} ({world.world})"}
    items = [_item(file, (), "world", "World", subtitle=world.title, cells=whole)]
    for word, (title, says) in parts.items():
        if spec.marks.has(file, word):
            cells = {"Part": title, "What it says": says}
            items.append(_item(file, (word,), "part", title, subtitle=says, cells=cells))
    for name, settings in world.apps.items():
        if spec.marks.has(file, "apps", name):
            says = ", ".join(_setting(word, value) for word, value in settings.items()) or "nothing set"
            cells = {"Part": app_title(name), "What it says": says}
            items.append(_item(file, ("apps", name), "product", app_title(name), subtitle=says, cells=cells))
    return _Made(items, ("Part", "What it says"))


def _life(life: BackgroundSpec) -> str:
    """How much of each layer there is, against what was measured of real companies: `machines ×1, work off, people off`."""
    layers = {"machines": life.machines, "work": life.work, "people": life.people}
    return ", ".join(f"{name} ×{volume:g}" if volume else f"{name} off" for name, volume in layers.items())


def _setting(word: str, value: object) -> str:
    """What a product's section sets, in a word or two: `28 channels`, `1 repository`, `plan: team`."""
    name = word.replace("_", " ")
    if not isinstance(value, dict | list):
        return f"{name}: {value}"
    one = f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")
    return f"{len(value)} {one if len(value) == 1 else name}"


# -- who is there -------------------------------------------------------------------------------------------


def _people(spec: WorldSpec, calendar: WorldTimes) -> _Made:
    items, edges, nodes = [], [], []
    for short, person in spec.people.items():
        manager = spec.people.get(person.manager or "")
        cells = {
            "Name": person.name,
            "Role": person.role,
            "Team": person.team,
            "Manager": manager.name if manager else "",
            "Hours": person.hours,
            "Zone": person.zone or calendar.zone,
            "Voice": person.voice,
        }
        item = _item(
            "people.yaml", (short,), "person", person.name, subtitle=person.role, group=person.team, cells=cells
        )
        items.append(item)
        nodes.append(GraphNode(short, person.name, person.role, "person", item.id))
        if manager and person.manager:
            edges.append(Edge(person.manager, short))
    return _Made(items, ("Name", "Role", "Team", "Manager", "Hours", "Zone", "Voice"), "people.yaml", nodes, edges)


def _customers(spec: WorldSpec, calendar: WorldTimes) -> _Made:
    items = []
    for short, one in spec.customers.items():
        owner = spec.people.get(one.owner or "")
        cells = {
            "Customer": one.name,
            "Contact": one.contact,
            "Plan": one.plan,
            "Sites": str(one.sites),
            "Region": one.region,
            "Owner": owner.name if owner else "",
            "Health": one.health,
            "Tags": ", ".join(one.tags),
        }
        items.append(
            _item("customers.yaml", (short,), "customer", one.name, subtitle=one.contact, group=one.plan, cells=cells)
        )
    for short, outsider in spec.outsiders.items():
        cells = {"Customer": outsider.name, "Contact": outsider.email, "Plan": "outsider"}
        items.append(
            _item(
                "outsiders.yaml",
                (short,),
                "outsider",
                outsider.name,
                subtitle=outsider.role,
                group="outsiders",
                cells=cells,
            )
        )
    columns = ("Customer", "Contact", "Plan", "Sites", "Region", "Owner", "Health", "Tags")
    return _Made(items, columns, "customers.yaml")


# -- what runs, and what breaks -----------------------------------------------------------------------------

_WORST = {"down": "down", "errors": "slow", "slow": "slow", "touched": "touched"}


def _systems(spec: WorldSpec, calendar: WorldTimes) -> _Made:
    items, nodes, edges = [], [], []
    for short, service in spec.services.items():
        cells = {
            "Service": short,
            "What it is for": service.says,
            "Team": service.team,
            "On call": _on_call(spec, short),
            "Needs": ", ".join(service.needs),
            "Version": service.version,
        }
        item = _item("systems.yaml", (short,), "service", short, subtitle=service.says, group=service.team, cells=cells)
        items.append(item)
        nodes.append(GraphNode(short, short, service.says, "service", item.id))
        edges += [Edge(short, need.on, name if name != need.on else "") for name, need in service.needs.items()]
    known = {node.id for node in nodes}
    outside = sorted({edge.target for edge in edges} - known)
    nodes += [GraphNode(part, title_of_target(part, spec), "vendor", "vendor") for part in outside]
    hits = {name: _hit(spec, outage.on, outage.mode) for name, outage in spec.outages.items()}
    outages = [item for item in _outage_items(spec, calendar) if hits.get(item.name)]
    columns = ("Service", "What it is for", "Team", "On call", "Needs", "Version")
    return _Made([*items, *outages], columns, "systems.yaml", nodes, edges, hits)


def _on_call(spec: WorldSpec, service: str) -> str:
    """Who is on call for a service: by the schedules that cover it, and where none has anybody, whom its entry names."""
    declared = spec.world.apps.get("ops", {}).get("schedules")
    covers = {
        name: one.get("covers") if isinstance(one, dict) else None
        for name, one in (declared.items() if isinstance(declared, dict) else ())
    }
    by = [", ".join(name for name, covered in covers.items() if isinstance(covered, list) and service in covered)]
    rotas = [one for sections in spec.sections.values() for one in sections.get("rotas", {}).values()]
    later = sum(isinstance(one, Rota) and service in one.covers for one in rotas)
    by += [f"{later} in storylines"] if later else []
    schedules = " and ".join(filter(None, by))
    person = spec.people.get(spec.services[service].on_call or "")
    return ", else ".join(filter(None, (schedules and f"by schedule: {schedules}", person.name if person else "")))


def _hit(spec: WorldSpec, target: str, mode: str) -> dict[str, str]:
    """What an outage reaches: what it is on, and what hangs on that, farther away only touched."""
    first = "down" if mode == "down" else "slow"
    needs = {short: [need.on for need in one.needs.values()] for short, one in spec.services.items()}
    parts = {part for every in needs.values() for part in every} | {*needs}
    hit = {part: first for part in parts if part == target or part.startswith(f"{target}/")}
    edge = set(hit)
    while edge:
        edge = {short for short, on in needs.items() if short not in hit and edge.intersection(on)}
        hit |= dict.fromkeys(edge, "touched")
    return hit


def _outage_items(spec: WorldSpec, calendar: WorldTimes) -> Iterator[TextEntry]:
    for name, outage in spec.outages.items():
        at = calendar.moments.get(name)
        what = title_of_target(outage.on, spec)
        cells = {
            "Outage": name,
            "What": what,
            "How": words_of(outage.mode).said,
            "Begins": clock_text(at, calendar.zone) if at is not None else f"when {outage.when}",
            "Lasts": duration_text(outage.lasts),
            "Announced": outage.announced,
            "Scope": ", ".join([*outage.operations, *outage.people]) or "everything",
        }
        yield _item(
            "outages.yaml",
            (name,),
            "outage",
            f"{what} {words_of(outage.mode).said}",
            subtitle=name,
            group=outage.on,
            cells=cells,
            at=at,
            until=at + outage.lasts if at is not None else None,
            lane=what,
            waits=outage.when,
            field="from" if outage.start else "",
            span="for",
        )


def _outages(spec: WorldSpec, calendar: WorldTimes) -> _Made:
    columns = ("Outage", "What", "How", "Begins", "Lasts", "Announced", "Scope")
    context = list(_task_items(spec, calendar))
    hits = {name: _hit(spec, outage.on, outage.mode) for name, outage in spec.outages.items()}
    return _Made([*_outage_items(spec, calendar), *context], columns, "outages.yaml", hits=hits)


# -- what is told -------------------------------------------------------------------------------------------


def _storylines(spec: WorldSpec, calendar: WorldTimes) -> _Made:
    items: list[TextEntry] = []
    for line, story in spec.storylines.items():
        file = f"storylines/{line}.yaml"
        count = len(story.beats) + len(story.talks) + len(story.mails)
        items.append(
            _item(file, (), "storyline", line, subtitle=story.says, group="storylines",
                  cells={"Storyline": line, "About": story.says, "Facts": str(len(story.facts)), "Events": str(count)})
        )  # fmt: skip
        tickets = _ticket_places(spec, file)
        for name, beat in story.beats.items():
            path: Place = ("tickets", tickets[name]) if name in tickets else ("beats", name)
            if name in tickets and tickets[name] != name:
                continue
            who = _called(spec, beat.who)
            at = calendar.moments.get(name)
            says = ", ".join(dict.fromkeys(action.verb or action.kind for action in beat.does))
            items.append(
                _item(file, path, str(path[0])[:-1], name, subtitle=f"{who} {says}".strip(), group=line, at=at, lane=line,
                      waits=beat.when, field="at" if beat.at else "")
            )  # fmt: skip
        for name, talk in story.talks.items():
            ends = calendar.times.messages.get(name, ()) if calendar.times else ()
            items.append(
                _item(file, ("talks", name), "talk", name, subtitle=f"in {talk.where}, {len(talk.lines)} lines",
                      group=line, at=calendar.moments.get(name), until=ends[-1].at if ends else None, lane=line, field="at")
            )  # fmt: skip
        for name, mail in story.mails.items():
            items.append(
                _item(file, ("mails", name), "mail", mail.subject or name, subtitle=f"{_called(spec, mail.who)} writes",
                      group=line, at=calendar.moments.get(name), lane=line, field="at")
            )  # fmt: skip
        for name, fact in story.facts.items():
            since, until = (calendar.times.windows.get(name) if calendar.times else None) or (None, None)
            who = ", ".join(fact.audience) if fact.audience else "everybody"
            items.append(
                _item(file, ("facts", name), "fact", name, subtitle=f"{fact_text(spec, fact)} · for {who}", group=line,
                      at=since, until=until or (calendar.last if since is not None else None), lane=line)
            )  # fmt: skip
        items += [
            _item(file, ("drawn", name), "slot", name, subtitle="drawn by the world seed", group=line)
            for name in spec.drawing.of(line)
        ]
    items += [*_outage_items(spec, calendar), *_task_items(spec, calendar)]
    return _Made(items, ("Storyline", "About", "Facts", "Events"))


def _ticket_places(spec: WorldSpec, file: str) -> dict[str, str]:
    """Beats that are tickets or lines of some, by name: the ticket's."""
    found = {}
    for line, story in spec.storylines.items():
        if file != f"storylines/{line}.yaml":
            continue
        for name in story.beats:
            base, _, number = name.rpartition("-")
            if spec.marks.has(file, "tickets", name):
                found[name] = name
            elif number.isdigit() and spec.marks.has(file, "tickets", base):
                found[name] = base
    return found


def _called(spec: WorldSpec, short: str) -> str:
    person = spec.people.get(short) or spec.customers.get(short)
    return person.name if person else short


# -- what is asked of agents --------------------------------------------------------------------------------


def _task_items(spec: WorldSpec, calendar: WorldTimes) -> Iterator[TextEntry]:
    for name, task in spec.tasks.items():
        at = calendar.moments.get(name)
        requester = spec.people.get(task.requester.person)
        cells = {
            "Task": name,
            "Title": task.title,
            "Starts": clock_text(at, calendar.zone) if at is not None else task.start,
            "Asked by": requester.name if requester else task.requester.person,
            "Difficulty": task.hard_because,
            "Points": str(sum(one.worth for one in task.rubric.points.values())),
            "Limits": f"{duration_text(task.limits.sim)}, {task.limits.calls} calls",
        }
        yield _item(
            f"tasks/{name}/task.yaml", (), "task", task.title, subtitle=name, group="tasks", cells=cells, at=at,
            lane="Tasks", field="start",
        )  # fmt: skip


def _tasks(spec: WorldSpec, calendar: WorldTimes) -> _Made:
    columns = ("Task", "Title", "Starts", "Asked by", "Difficulty", "Points", "Limits")
    return _Made([*_task_items(spec, calendar), *_outage_items(spec, calendar)], columns)


def _graders(spec: WorldSpec, calendar: WorldTimes) -> _Made:
    items = [item for name, task in spec.tasks.items() for item in _criteria(name, task)]
    return _Made(items, ("Criterion", "What it asks", "Judged by", "Worth"))


def _criteria(name: str, task: Task) -> Iterator[TextEntry]:
    file = f"tasks/{name}/task.yaml"
    rubric = task.rubric
    for part, criteria in (("gates", rubric.gates), ("points", rubric.points), ("penalties", rubric.penalties)):
        for short, criterion in criteria.items():
            worth = {"gates": "gate", "points": str(criterion.worth), "penalties": f"-{criterion.worth}"}[part]
            says = criterion_sentence(criterion)
            cells = {"Criterion": short, "What it asks": says, "Judged by": criterion.grader, "Worth": worth}
            yield _item(
                file,
                ("rubric", part, short),
                "criterion",
                short,
                subtitle=says,
                group=task.title,
                cells=cells,
                lane=part,
            )


ENTRY_PAGES: Mapping[str, Callable[[WorldSpec, WorldTimes], _Made]] = {
    "company": _company,
    "people": _people,
    "customers": _customers,
    "systems": _systems,
    "outages": _outages,
    "storylines": _storylines,
    "tasks": _tasks,
    "graders": _graders,
}
"""By the page's name."""
