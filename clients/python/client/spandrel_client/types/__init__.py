"""Types that code of the public client imports from here."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .prompts import PromptVersion as PromptVersion


class NotGiven:
    """Marks an argument that was not given, where None has a meaning."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()
__all__ = ["NOT_GIVEN", "NotGiven", "PromptVersion"]


def __getattr__(name: str) -> Any:
    if name == "PromptVersion":
        return importlib.import_module(".prompts", __name__).PromptVersion
    raise AttributeError(name)
