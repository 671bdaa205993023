"""A package opened to run many sessions of it in one process."""

from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from brownout.background.days import Days
from brownout.background.kept_days import KeptDays
from brownout.background.life_sources import read_life
from brownout.background.timeline import Timeline
from brownout.core.errors import PackageError, SessionClosed
from brownout.core.instants import Instant
from brownout.core.trajectory import Event
from brownout.core.values import canonical
from brownout.engine.commit_verdicts import Proofs
from brownout.engine.outages import FaultPlan
from brownout.engine.preview import LivedHistory, Preview
from brownout.engine.session import Session
from brownout.engine.shared_state import SharedState, tools_digest
from brownout.engine.simulation_setting import Setting, load_app, read_people
from brownout.store import Base, Pool, PoolStats, Start
from worlds.package import Package, open_package

__all__ = ["World"]


class World:
    """An open package. Sessions share its base file and its connections; they share nothing else.

    with World(open_package(path)) as world:
        session = world.open_session("find-the-change", seed=0)
    """

    def __init__(self, package: Package | Path, *, hot: int = 64) -> None:
        """Open a package.

        Args:
            hot: how many sessions may be worked on at the same time without being swapped.

        Raises:
            PackageError: the package is damaged or needs apps that are not installed as they were.
        """
        self.package = open_package(package) if isinstance(package, Path) else package
        self._starts: dict[str, Start] = {}
        self._history: LivedHistory | None = None
        self._pool: Pool | None = Pool(Base(self.package.base), hot=hot)
        try:
            self._open(self._pool)
        except BaseException:
            self.close()
            raise

    def _open(self, pool: Pool) -> None:
        """Read what all sessions share.

        Raises:
            PackageError: the package is damaged or needs apps that are not installed as they were.
        """
        manifest = self.package.manifest
        apps = {name: load_app(name) for name in manifest.apps}
        store = pool.open()
        try:
            people = read_people(store.rows)
        finally:
            store.close()
        self.setting = Setting(
            world=manifest.world,
            folder=self.package.folder,
            seed=manifest.seed,
            zone=manifest.zone,
            turn_cost=manifest.turn_cost,
            apps=apps,
            people=people,
            outages=tuple(self.package.outages),
            services=self.package.services,
            phrases=self.package.phrases,
        )
        proofs = Proofs(self.setting, self.package.verdicts)
        plan = FaultPlan(self.setting.outages)
        self.shared = SharedState(self.setting, self.package, plan, tools_digest(self.setting), proofs, self._days())
        self._check_tools()

    def _days(self) -> Timeline | None:
        """Everyday life; what its days are drawn from is opened for those that the package does not keep."""
        package = self.package
        if not package.has_life:
            return None
        manifest = package.manifest
        return KeptDays(
            manifest.calendar,
            manifest.zone,
            package.kept_day,
            lambda: Days(read_life(package.life)),
        )

    def _check_tools(self) -> None:
        """An agent must see the tools the package was built with: a drifted schema is another task."""
        for name, app in self.setting.apps.items():
            frozen = {tool.name: tool for tool in self.package.tools(name)}
            for operation in app.operations.values():
                tool = frozen.pop(operation.name, None)
                if tool is None or canonical(tool.input_schema) != canonical(operation.schema):
                    raise PackageError(
                        f"{self.package.folder}: tool {operation.name} is not as it was when the package was built; "
                        f"build the world again, or install the version of {name} it was built with"
                    )
            if frozen:
                raise PackageError(
                    f"{self.package.folder}: the installed {name} lacks {', '.join(frozen)}; build the world again"
                )

    def open_session(self, task: str, *, seed: int = 0, sink: Callable[[Event], None] | None = None) -> Session:
        """A private copy of the world at a task's start.

        Args:
            seed: of the session; the same seed and calls give the same episode.
            sink: is given every event as it happens; without one they are kept in `session.events`.

        Raises:
            UnknownTask: the package has no such task.
            SessionClosed: this world was closed.
        """
        if self._pool is None:
            raise SessionClosed("this world was closed; open it again")
        record = self.package.task(task)
        if task not in self._starts:
            self._starts[task] = self._pool.start(self.package.start(task) or b"")
        store = self._pool.open(self._starts[task])
        return Session(self.shared, record, store, seed=seed, sink=sink)

    def preview(self, *, near: Instant | None = None, kept: Path | None = None, keeps: bool = True) -> Preview:
        """The company to look at, at any moment of its calendar. What one preview has lived through, all of them have.

        Args:
            near: where it begins, or as close before it as is possible at once; None begins with the calendar.
            kept: a folder in which some moments are kept, so that the next process need not live up to them; it must be of this
                package and this code alone. The first preview's counts.
            keeps: moments are put into that folder; else those are used that another process puts there.
        """
        self._history = self._history or LivedHistory(self.shared, kept, keeps=keeps)
        return Preview(self._history, near)

    @property
    def stats(self) -> PoolStats:
        """What the pool of connections does and holds now.

        Raises:
            SessionClosed: this world was closed.
        """
        if self._pool is None:
            raise SessionClosed("this world was closed; open it again")
        return self._pool.stats

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._pool is None

    def close(self) -> None:
        """Close every session, every preview and the base file; a second close is harmless."""
        if self._history is not None:
            self._history.close()
            self._history = None
        if self._pool is not None:
            self._pool.close()
            self._pool.base.close()
            self._pool = None

    def __enter__(self) -> "World":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
