"""PromptTemplate, where code for other evaluation libraries imports it."""

from ..templates.template import PromptTemplate

__all__ = ["PromptTemplate"]
