"""A fault mode: the service serves nobody whose name begins with the wrong letter."""

from collections.abc import Mapping

from pydantic import BaseModel

from brownout.core.apps import Refusal
from brownout.core.faults import ActiveOutage, Fault, FaultMode, Request
from brownout.core.seeds import Stream


class Letter(BaseModel):
    letter: str = "w"


class _Sulking:
    name = "sulking"
    parameters = Letter

    def apply(self, request: Request, outage: ActiveOutage, stream: Stream) -> Fault | None:
        assert isinstance(outage.parameters, Letter)
        hits = request.person.startswith(outage.parameters.letter)
        return Fault(outage.name, refusal=Refusal("unavailable")) if hits else None

    def health(self, outage: ActiveOutage) -> Mapping[str, int]:
        return {"error_percent": 10}


SULKING: FaultMode = _Sulking()
