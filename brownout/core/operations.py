"""Makes an Operation of a plain function: its signature is the schema, its docstring the description."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, create_model

from brownout.core.apps import Operation, OutsideWork
from brownout.core.instants import SECOND, Duration
from brownout.core.tool_schemas import schema_of
from brownout.core.values import Json

__all__ = ["Operations"]

_LONGEST_TEXT: Final = 65_536
"""Characters of a text for which the operation states no bound of its own."""

F = TypeVar("F", bound=Callable[..., Json | OutsideWork])
_STRICT: Final = ConfigDict(extra="forbid", frozen=True, str_max_length=_LONGEST_TEXT)


class Operations(Mapping[str, Operation]):
    """An app's operations by name; used as a decorator while the app is being imported.

    operations = Operations("slack")

    @operations.read
    def list_channels(call: Call, limit: Annotated[int, Field(description="…", le=1000)] = 100) -> Json: ...
    """

    def __init__(self, app: str) -> None:
        self._app = app
        self._operations: dict[str, Operation] = {}

    def read(self, function: F) -> F:
        """Register a reading operation that costs no world time beyond its turn."""
        self._add(function, writes=False, cost=0)
        return function

    def write(
        self, *, harmless: bool = False, addition: bool = False, final: bool = False, cost: Duration = SECOND
    ) -> Callable[[F], F]:
        """Register a writing operation.

        Args:
            harmless: what it writes is never damage and nobody sees it: read marks, drafts.
            addition: what it writes is the actor's own text or artefact, which grants, approves and silences nothing: a
                comment, a ticket, a link, an acknowledgement. Where that depends on what is asked, its records write
                within `call.rows.adding()` instead. Whether an outsider reads it is told by the app's `utterance`.
            final: others feel at once what it does, so that taking it back does not undo it: a deploy, a grant, a payment.
        """

        def register(function: F) -> F:
            self._add(function, writes=True, harmless=harmless, addition=addition, final=final, cost=cost)
            return function

        return register

    def _add(
        self,
        function: Callable[..., Json | OutsideWork],
        *,
        writes: bool,
        cost: Duration,
        harmless: bool = False,
        addition: bool = False,
        final: bool = False,
    ) -> None:
        short = function.__name__
        name = f"{self._app}_{short}"
        text = inspect.cleandoc(function.__doc__ or "")
        if not text:
            raise TypeError(f"operation {name} needs a docstring: it is what an agent reads")
        hints = get_type_hints(function, include_extras=True)
        fields: dict[str, object] = {}
        for parameter in list(inspect.signature(function).parameters.values())[1:]:
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            fields[parameter.name] = (hints[parameter.name], default)
        title = "".join(part.title() for part in name.split("_"))
        model = cast(
            type[BaseModel],
            create_model(title, __config__=_STRICT, **fields),  # type: ignore[call-overload]
        )
        self._operations[name] = Operation(
            name=name,
            app=self._app,
            summary=text.splitlines()[0],
            description=text,
            arguments=model,
            run=function,
            writes=writes,
            harmless=harmless,
            addition=addition,
            final=final,
            cost=cost,
            schema=schema_of(model),
        )

    def __getitem__(self, name: str) -> Operation:
        return self._operations[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._operations)

    def __len__(self) -> int:
        return len(self._operations)
