"""A model for tests: its answers, its errors and its delays are known. `python -m spandrel_evals.fake_model` serves it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .judge import FakeJudge as FakeJudge
    from .model import FakeModel as FakeModel
    from .server import FakeModelServer as FakeModelServer

_LAZY = {"FakeJudge": "judge", "FakeModel": "model", "FakeModelServer": "server"}
__all__ = sorted(_LAZY)


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
