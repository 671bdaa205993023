"""Writing many intents at once, each by its handler, without what the engine does around every single one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from brownout.core.app_roles import WritesMany
from brownout.core.apps import Call, Intent, IntentHandler, IntentKind, VendorError
from brownout.core.instants import Instant

__all__ = ["writes_many"]


def writes_many(
    handlers: Mapping[IntentKind, IntentHandler], concerns: Callable[[Call, Intent, frozenset[str]], bool]
) -> WritesMany:
    """The role for an app whose rows hang on each other: a number is the last one and one, a state follows another.

    What a handler refuses leaves nothing behind, as it would when lived.
    """

    def write(call_at: Callable[[Instant], Call], deeds: Sequence[tuple[Instant, Intent]]) -> list[str]:
        made: dict[str, str] = {}
        paths = []
        for at, intent in deeds:
            call = call_at(at)
            known = made.get(intent.thing)
            if known == "":
                paths.append("")
                continue
            try:
                with call.rows.savepoint():
                    path = handlers[intent.kind](call, replace(intent, thing=known) if known else intent)
            except (VendorError, LookupError):
                path = ""
            assert isinstance(path, str), intent.key
            made[intent.key] = path
            paths.append(path)
        return paths

    return WritesMany(write, concerns)
