"""What an account may do in the ops products: watch the services, change what runs, respond when it breaks."""

from collections.abc import Mapping

from brownout.core.apps import Operation
from tools.ops import (
    alert_operations,
    change_operations,
    cross_service_operations,
    incident_operations,
    monitoring_operations,
    on_call_operations,
    silence_operations,
    status_page_operations,
)

__all__ = ["operations"]

operations: Mapping[str, Operation] = {
    **monitoring_operations.operations,
    **cross_service_operations.operations,
    **change_operations.operations,
    **alert_operations.operations,
    **on_call_operations.operations,
    **silence_operations.operations,
    **incident_operations.operations,
    **status_page_operations.operations,
}
