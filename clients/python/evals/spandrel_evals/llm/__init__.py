"""Models of all vendors behind one class."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..templates.template import PromptTemplate as PromptTemplate
    from .model import LLM as LLM
    from .providers import show_provider_availability as show_provider_availability

_LAZY = {
    "LLM": ".model",
    "PromptTemplate": "..templates.template",
    "show_provider_availability": ".providers",
}
__all__ = sorted(_LAZY)


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name], __name__), name)
    if name == "prompts":
        return importlib.import_module("..templates.template", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
