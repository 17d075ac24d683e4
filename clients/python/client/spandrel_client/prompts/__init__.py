"""Prompts: versions, templates, and keyword arguments of vendors' packages."""

from .templates import FORMATTERS, FStringFormatter, MustacheFormatter, NoOpFormatter, TemplateFormatter
from .version import FormattedPrompt, PromptVersion

__all__ = [
    "FORMATTERS",
    "FStringFormatter",
    "FormattedPrompt",
    "MustacheFormatter",
    "NoOpFormatter",
    "PromptVersion",
    "TemplateFormatter",
]
