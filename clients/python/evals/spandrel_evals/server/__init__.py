"""To and from a Spandrel server: spans as rows, scores as annotations."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .annotations import fit_annotation_configs as fit_annotation_configs
    from .annotations import log_annotations as log_annotations
    from .spans import SpanRows as SpanRows
    from .spans import evaluate_spans as evaluate_spans

_LAZY = {
    "SpanRows": "spans",
    "evaluate_spans": "spans",
    "fit_annotation_configs": "annotations",
    "log_annotations": "annotations",
}
__all__ = sorted(_LAZY)


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
