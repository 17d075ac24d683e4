"""Prompt versions of the server as templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import PhoenixTemplateMappingError, TemplateError, quote
from .template import PromptTemplate

_FORMATS = {"MUSTACHE": "mustache", "F_STRING": "f-string", "NONE": None}
_ROLES = {"USER": "user", "SYSTEM": "system", "DEVELOPER": "system", "AI": "assistant", "ASSISTANT": "assistant", "MODEL": "assistant"}


def prompt_to_template(prompt_version: Any) -> PromptTemplate:
    """The template of a stored prompt version, as a REST dict or the client's object.

    PhoenixTemplateMappingError for a type or format that does not fit, and for contents that are no texts.
    """
    stored = _to_dict(prompt_version)
    template = stored.get("template")
    form = str(stored.get("template_format") or "MUSTACHE").upper()
    if form not in _FORMATS:
        raise PhoenixTemplateMappingError(f"the template format is {quote(form)}; expected MUSTACHE, F_STRING or NONE")
    kind = str(stored.get("template_type") or "").upper()
    if isinstance(template, Mapping) and template.get("type") in ("chat", "string"):
        expected = "CHAT" if template["type"] == "chat" else "STR"
        if kind and not kind.startswith(expected):
            raise PhoenixTemplateMappingError(f"the template type is {kind}, but the template is {template['type']!r}")
        found: Any = template.get("messages") if template["type"] == "chat" else template.get("template")
    else:
        found = template
    if isinstance(found, str):
        messages: Any = [{"role": "user", "content": found}]
    elif isinstance(found, (list, tuple)) and found:
        messages = [_to_message(number, one) for number, one in enumerate(found)]
    else:
        raise PhoenixTemplateMappingError(f"the template is {quote(repr(template))}; expected a text or messages")
    try:
        if form == "NONE":
            return PromptTemplate(template=_escaped(messages), template_format="f-string")
        return PromptTemplate(template=messages, template_format=_FORMATS[form])
    except PhoenixTemplateMappingError:
        raise
    except TemplateError as error:
        raise PhoenixTemplateMappingError(str(error)) from None


phoenix_prompt_to_prompt_template = prompt_to_template


def _to_dict(version: Any) -> Mapping[str, Any]:
    if isinstance(version, Mapping):
        return version
    for name in ("_dumps", "to_dict", "model_dump"):
        dump = getattr(version, name, None)
        if callable(dump):
            found = dump()
            if isinstance(found, Mapping):
                return found
    fields = {name: getattr(version, f"_{name}", None) for name in ("template", "template_format", "template_type")}
    if fields["template"] is None:
        raise PhoenixTemplateMappingError(f"the prompt version is {type(version).__name__}; expected a dict or a PromptVersion")
    return fields


def _to_message(number: int, message: Any) -> dict[str, Any]:
    if not isinstance(message, Mapping):
        raise PhoenixTemplateMappingError(f"message {number} is {type(message).__name__}; expected a dict")
    role = _ROLES.get(str(message.get("role")).upper())
    if role is None:
        raise PhoenixTemplateMappingError(f"message {number} has the role {quote(message.get('role'))}; expected user, assistant or system")
    content = message.get("content")
    if isinstance(content, str):
        return {"role": role, "content": content}
    texts = []
    for part in content or ():
        if not isinstance(part, Mapping) or part.get("type") != "text" or not isinstance(part.get("text"), str):
            kind = part.get("type") if isinstance(part, Mapping) else type(part).__name__
            raise PhoenixTemplateMappingError(f"message {number} has a part of type {quote(kind)}; only texts can be used")
        texts.append(part["text"])
    return {"role": role, "content": "\n".join(texts)}


def _escaped(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Texts without variables, in a format that reads single braces."""
    return [{**one, "content": one["content"].replace("{", "{{").replace("}", "}}")} for one in messages]
