"""What an account may do in the ops products: watch the services, change what runs, respond when it breaks."""

from collections.abc import Mapping

from brownout.core.apps import Operation
from tools.ops import changing, incidents, on_call, responding, searching, status_page, watching

__all__ = ["operations"]

operations: Mapping[str, Operation] = {
    **watching.operations,
    **searching.operations,
    **changing.operations,
    **responding.operations,
    **on_call.operations,
    **incidents.operations,
    **status_page.operations,
}
