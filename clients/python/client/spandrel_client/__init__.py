"""Client of Spandrel, a server that observes and evaluates LLM applications.

Names are loaded on first use, so that the import itself costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .client import AsyncClient as AsyncClient
    from .client import Client as Client
    from .exceptions import SpandrelError as SpandrelError
    from .types.prompts import PromptVersion as PromptVersion
    from .types.spans import SpanQuery as SpanQuery

_LAZY = {
    "Client": "client",
    "AsyncClient": "client",
    "SpandrelError": "exceptions",
    "PromptVersion": "types.prompts",
    "SpanQuery": "types.spans",
}
_MODULES = ("client", "datasets", "exceptions", "experiments", "helpers", "prompts", "resources", "types")
__all__ = ["AsyncClient", "Client", "PromptVersion", "SpandrelError", "SpanQuery", "__version__"]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
