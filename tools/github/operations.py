"""What an account may do in GitHub: look at code, change it on branches, and bring it in by pull requests."""

from collections.abc import Mapping

from brownout.core.apps import Operation
from tools.github import commit_operations, pull_operations, push_operations, repository_operations, review_operations

__all__ = ["operations"]

operations: Mapping[str, Operation] = {
    **repository_operations.operations,
    **commit_operations.operations,
    **push_operations.operations,
    **pull_operations.operations,
    **review_operations.operations,
}
