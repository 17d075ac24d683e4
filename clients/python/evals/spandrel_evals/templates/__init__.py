"""Templates of prompts."""

from __future__ import annotations

from typing import Any

__all__ = ["PromptTemplate", "prompt_to_template"]


def __getattr__(name: str) -> Any:
    if name == "PromptTemplate":
        from .template import PromptTemplate

        return PromptTemplate
    if name == "prompt_to_template":
        from .stored_prompt import prompt_to_template

        return prompt_to_template
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
