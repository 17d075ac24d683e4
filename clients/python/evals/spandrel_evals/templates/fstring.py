"""Templates with single braces. Names are keys of the variables; attributes and calls do not exist here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Union

from ..errors import TemplateError, quote
from .mustache import Variable, to_text

Part = Union[str, Variable]
_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
# What looks like a variable: words with dots and indexes. `{"a": 1}` and `{3}` are text.
_NAME = re.compile(r"[^\W\d][\w-]*(?:\.[\w-]+|\[[^\[\]]*\])*")


def parse(template: str) -> list[Part]:
    """Parts of a template. TemplateError for a name that reaches for attributes."""
    parts: list[Part] = []
    position = 0
    for found in _TOKEN.finditer(template):
        if found.start() > position:
            parts.append(template[position : found.start()])
        position = found.end()
        token, name = found.group(), found.group(1)
        if token in ("{{", "}}"):
            parts.append(token[0])
        elif name is None:
            parts.append(token)
        elif re.search(r"(?:^|[.\[])__|^\d+\s*[.\[]", name.strip()):
            raise TemplateError(f"{quote(token)} is refused: a template reads the fields of a row, no attributes")
        elif _NAME.fullmatch(name.strip()):
            parts.append(Variable(name.strip()))
        else:
            parts.append(token)
    if template[position:]:
        parts.append(template[position:])
    return parts


def variables(parts: Sequence[Part]) -> dict[str, str]:
    return {part.name: "string" for part in parts if isinstance(part, Variable)}


def render(parts: Sequence[Part], values: Mapping[str, Any]) -> str:
    return "".join(part if isinstance(part, str) else to_text(_look_up(part.name, values)) for part in parts)


def _look_up(name: str, values: Mapping[str, Any]) -> Any:
    if name in values:
        return values[name]
    value: Any = values
    for part in re.findall(r"[^.\[\]]+", name):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, (list, tuple)) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            raise TemplateError(f"the template needs {name!r}; the row has {', '.join(map(str, values)) or 'nothing'}")
    return value
