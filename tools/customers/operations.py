"""What an account may do in the register and in the support inbox, after HubSpot's CRM and Conversations APIs."""

from collections.abc import Mapping

from brownout.core.apps import Operation
from tools.customers import inbox_operations, register_operations

__all__ = ["operations"]

operations: Mapping[str, Operation] = {**register_operations.operations, **inbox_operations.operations}
