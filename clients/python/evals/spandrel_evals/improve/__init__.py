"""A better judge: examples from disagreements, versions side by side, the best one on the server."""

from .compare import VersionComparison, VersionResult, compare_versions
from .examples import choose_examples
from .store import attach_judge, store_judge

__all__ = [
    "VersionComparison",
    "VersionResult",
    "attach_judge",
    "choose_examples",
    "compare_versions",
    "store_judge",
]
