"""Which outages hold, and what they do to a request. The one fault plan that dispatch consults."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import cast

from pydantic import BaseModel, ValidationError

from brownout.core.errors import BrokenPlugin, PluginError
from brownout.core.faults import ActiveOutage, Fault, FaultMode, ModeWords, Request
from brownout.core.instants import Instant
from brownout.core.plugins import load_plugin
from brownout.core.seeds import Stream
from worlds.package import Outage

__all__ = ["FaultPlan", "load_mode", "words_of"]


def load_mode(name: str) -> FaultMode:
    """The fault mode of that name.

    Raises:
        UnknownPlugin: there is none.
    """
    return cast(FaultMode, load_plugin("faults", name))


def words_of(mode: str) -> ModeWords:
    """How people speak of a fault mode; of one that says nothing, or is not installed, by its name: `packet_loss`, "packet loss"."""
    called = mode.replace("_", " ")
    try:
        found: object = getattr(load_mode(mode), "words", None)
    except PluginError:
        found = None
    return found if isinstance(found, ModeWords) else ModeWords(called, called.capitalize())


class FaultPlan:
    """The world's outages, with their settings validated once."""

    def __init__(self, outages: tuple[Outage, ...]) -> None:
        self.outages: Mapping[str, Outage] = {outage.name: outage for outage in outages}
        self._modes: dict[str, tuple[FaultMode, BaseModel]] = {}
        for outage in outages:
            mode = load_mode(outage.mode)
            try:
                self._modes[outage.name] = (mode, mode.parameters.model_validate(outage.settings))
            except ValidationError as error:
                raise BrokenPlugin(f"outage {outage.name}: {error.errors()[0]['msg']}") from error

    def active(self, name: str, since: Instant) -> ActiveOutage:
        """An outage that began at `since`."""
        outage = self.outages[name]
        _, parameters = self._modes[name]
        return ActiveOutage(name, outage.target, outage.mode, since, since + outage.lasts, parameters)

    def decide(self, request: Request, active: Mapping[str, Instant], vendor: str, stream: Stream) -> Fault | None:
        """What the outages that hold now do to a request; the first to break it decides."""
        for name, since in active.items():
            outage = self.outages[name]
            if outage.target not in (vendor, request.app) or not _is_in_scope(outage, request):
                continue
            mode, _ = self._modes[name]
            fault = mode.apply(request, self.active(name, since), stream.child(name))
            if fault is not None:
                return fault
        return None

    def health(self, name: str, since: Instant) -> Mapping[str, int]:
        """Figures of the broken thing while the outage lasts."""
        return self._modes[name][0].health(self.active(name, since))


def _is_in_scope(outage: Outage, request: Request) -> bool:
    if outage.operations and not any(fnmatchcase(request.operation, pattern) for pattern in outage.operations):
        return False
    return not outage.people or request.person in outage.people
