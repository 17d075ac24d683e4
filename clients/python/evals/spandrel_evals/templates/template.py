"""PromptTemplate: a text or a list of messages with variables of a row."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import TemplateError, quote
from ..limits import TEMPLATE_CHARACTER_COUNT_MAX
from . import fstring, mustache

FORMATS = ("mustache", "f-string")
_FORMS: dict[str, Any] = {"mustache": mustache, "f-string": fstring}
_MUSTACHE = re.compile(r"\{\{[#^/&!{]?\s*[^\W\d][^{}]*\}\}")
_FSTRING = re.compile(r"(?<!\{)\{[^\W\d][\w.\[\]-]*\}(?!\})")


class PromptTemplate:
    """Messages with variables: `{{name}}` (mustache) or `{name}` (f-string).

    `template` is a text, which becomes one user message, or a list of `{role, content}`, whose content is a text or a list of
    parts: `{type: "text", text}`, or `{type: "image" | "file", ...}` with a variable for its data or URL.
    """

    def __init__(self, *, template: Any, template_format: str | None = None) -> None:
        messages = [{"role": "user", "content": template}] if isinstance(template, str) else template
        if isinstance(messages, Mapping) or not isinstance(messages, Sequence) or not messages:
            raise TemplateError(f"the template is {type(template).__name__}; expected a text or a list of messages")
        self._messages = [_check_message(number, message) for number, message in enumerate(messages)]
        texts = [text for message in self._messages for text in _texts(message["content"])]
        if sum(map(len, texts)) > TEMPLATE_CHARACTER_COUNT_MAX:
            raise TemplateError(f"the template has over {TEMPLATE_CHARACTER_COUNT_MAX} characters; put material into variables")
        if template_format is not None:
            template_format = str(getattr(template_format, "value", template_format)).lower().replace("_", "-")
            template_format = "f-string" if template_format == "fstring" else template_format
            if template_format not in FORMATS:
                raise TemplateError(f"the template format is {quote(template_format)}; expected {' or '.join(FORMATS)}")
        self._format = template_format or detect_format(texts)
        self._form = _FORMS[self._format]
        self._compiled = [(message["role"], self._compile(message["content"]), message) for message in self._messages]
        self._types: dict[str, str] = {}
        for text in texts:
            for name, kind in self._form.variables(self._form.parse(textwrap.dedent(text))).items():
                if kind == "section" or name not in self._types:
                    self._types[name] = kind

    @property
    def template(self) -> list[dict[str, Any]]:
        return self._messages

    @property
    def template_format(self) -> str:
        return self._format

    @property
    def variables(self) -> list[str]:
        """Names of the variables, in order."""
        return list(self._types)

    @property
    def variable_types(self) -> dict[str, str]:
        """`string`, or `section` for a variable that a section or a dotted name reads."""
        return dict(self._types)

    def render(self, variables: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Messages with the variables filled in. Values are never read as templates."""
        rendered = []
        for role, content, message in self._compiled:
            rendered.append({**message, "role": role, "content": self._fill(content, variables)})
        return rendered

    def _compile(self, content: Any) -> Any:
        if isinstance(content, str):
            # Dedented before the variables are filled in, so that a row cannot change it.
            return self._form.parse(textwrap.dedent(content).strip())
        return [{key: _Compiled(self._compile(value)) if isinstance(value, str) and key != "type" else value for key, value in part.items()} for part in content]

    def _fill(self, content: Any, variables: Mapping[str, Any]) -> Any:
        if content and isinstance(content[0], dict):
            return [
                {key: self._form.render(value.parts, variables) if isinstance(value, _Compiled) else value for key, value in part.items()}
                for part in content
            ]
        return self._form.render(content, variables)

    def __repr__(self) -> str:
        return f"PromptTemplate(variables={self.variables}, template_format={self._format!r})"


class _Compiled:
    __slots__ = ("parts",)

    def __init__(self, parts: Any) -> None:
        self.parts = parts


def to_template(given: Any) -> PromptTemplate:
    """The template itself, or one of a text or a message list."""
    return given if isinstance(given, PromptTemplate) else PromptTemplate(template=given)


def detect_format(texts: Sequence[str]) -> str:
    """`f-string` if there are single braces with names and no double ones, else `mustache`."""
    if any(_MUSTACHE.search(text) for text in texts):
        return "mustache"
    if any(_FSTRING.search(text) for text in texts) or any(re.search(r"\{\d+\.__", text) for text in texts):
        return "f-string"
    return "mustache"


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [value for part in content for key, value in part.items() if key != "type" and isinstance(value, str)]


def _check_message(number: int, message: Any) -> dict[str, Any]:
    if hasattr(message, "model_dump"):
        message = message.model_dump(exclude_none=True)
    if not isinstance(message, Mapping) or "role" not in message or "content" not in message:
        raise TemplateError(f"message {number} of the template is {quote(message)}; expected a dict with role and content")
    content = message["content"]
    if isinstance(content, str):
        return {**message, "role": str(getattr(message["role"], "value", message["role"]))}
    if not isinstance(content, Sequence):
        raise TemplateError(f"the content of message {number} is {type(content).__name__}; expected a text or a list of parts")
    parts = []
    for part in content:
        kind = part.get("type") if isinstance(part, Mapping) else None
        if kind not in ("text", "image", "file"):
            raise TemplateError(f"message {number} has a part of type {quote(kind)}; expected text, image or file")
        if kind == "text" and not isinstance(part.get("text"), str):
            raise TemplateError(f"message {number} has a text part without text")
        parts.append(dict(part))
    if not parts:
        raise TemplateError(f"message {number} of the template is empty")
    return {**message, "role": str(message["role"]), "content": parts}
