"""Families of models: those that one vendor has trained on the same data."""

from __future__ import annotations

import re

_FAMILIES = (
    ("OpenAI", r"\b(gpt|chatgpt|o[134])\b|davinci"),
    ("Anthropic", r"claude"),
    ("Google", r"gemini|gemma|palm"),
    ("Meta", r"llama"),
    ("Mistral", r"mistral|mixtral|codestral|magistral"),
    ("Alibaba", r"qwen|qwq"),
    ("DeepSeek", r"deepseek"),
    ("xAI", r"grok"),
    ("Amazon", r"\bnova\b|titan"),
    ("Cohere", r"command|cohere"),
    ("Microsoft", r"\bphi\b"),
)


def family_of(model: str) -> str | None:
    """The family of a model by its name, such as `Anthropic` for `us.anthropic.claude-…`. None if it is unknown.

    A name may have those of two families, such as a model that is distilled from another: the first one in the name counts.
    """
    text = re.sub(r"[_/:.]", "-", model.lower())
    found = [(match.start(), family) for family, pattern in _FAMILIES if (match := re.search(pattern, text))]
    return min(found)[1] if found else None
