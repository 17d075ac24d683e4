"""Mustache templates without HTML escaping: variables, sections, inverted sections, comments, dotted names.

Names are looked up in dicts and lists only, never as attributes, so that no text of a row reaches the insides of Python.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Union

from ..errors import TemplateError, quote
from ..json_values import dump_json, is_missing
from ..limits import VALUE_DEPTH_MAX

_TAG = re.compile(r"\{\{\{\s*(?P<triple>.*?)\s*\}\}\}|\{\{(?P<kind>[#^/!>&=]?)\s*(?P<name>.*?)\s*\}\}", re.DOTALL)


class Variable(NamedTuple):
    name: str


class Section(NamedTuple):
    name: str
    parts: list[Any]
    is_inverted: bool


Part = Union[str, Variable, Section]


def parse(template: str) -> list[Part]:
    """Parts of a template. TemplateError for a section that is never closed, and for tags that have no meaning here."""
    root: list[Part] = []
    open_sections: list[tuple[str, int, list[Part]]] = []
    parts = root
    position = 0
    for found in _TAG.finditer(template):
        kind, name = found.group("kind") or "", found.group("triple") or found.group("name") or ""
        text = template[position : found.start()]
        position = found.end()
        is_alone = kind in ("#", "^", "/", "!") and _is_alone(template, found)
        if is_alone:
            # A tag that is alone on its line takes the line with it.
            text = text.rstrip(" \t")
            position = _after_line(template, position)
        if text:
            parts.append(text)
        if kind == "!":
            continue
        if kind in (">", "=") or not name:
            what = {"": "a tag without a name", ">": "a partial", "=": "a change of delimiters"}.get(kind, kind)
            raise TemplateError(f"line {_line(template, found.start())}: {what} is not supported: {quote(found.group())}")
        if kind in ("#", "^"):
            section = Section(name, [], kind == "^")
            parts.append(section)
            open_sections.append((name, found.start(), parts))
            if len(open_sections) > VALUE_DEPTH_MAX:
                raise TemplateError(f"sections are nested deeper than {VALUE_DEPTH_MAX} levels")
            parts = section.parts
        elif kind == "/":
            if not open_sections or open_sections[-1][0] != name:
                expected = f"{{{{/{open_sections[-1][0]}}}}}" if open_sections else "no closing tag"
                raise TemplateError(
                    f"line {_line(template, found.start())}: {quote(found.group())} closes nothing; expected {expected}"
                )
            parts = open_sections.pop()[2]
        else:
            parts.append(Variable(name))
    if open_sections:
        name, start, _ = open_sections[-1]
        raise TemplateError(f"line {_line(template, start)}: {{{{#{name}}}}} is never closed; add {{{{/{name}}}}}")
    if template[position:]:
        parts.append(template[position:])
    return root


def _is_alone(template: str, found: re.Match[str]) -> bool:
    before = template[template.rfind("\n", 0, found.start()) + 1 : found.start()]
    end = template.find("\n", found.end())
    after = template[found.end() : len(template) if end < 0 else end]
    return not before.strip() and not after.strip()


def _after_line(template: str, position: int) -> int:
    end = template.find("\n", position)
    return len(template) if end < 0 else end + 1


def _line(template: str, position: int) -> int:
    return template.count("\n", 0, position) + 1


def variables(parts: Sequence[Part]) -> dict[str, str]:
    """First parts of the names outside of sections, with `string` or `section`, in order."""
    found: dict[str, str] = {}
    for part in parts:
        if isinstance(part, str):
            continue
        if part.name == ".":
            continue
        first, dot, _ = part.name.partition(".")
        if isinstance(part, Section) or dot:
            found[first] = "section"
        else:
            found.setdefault(first, "string")
    return found


def render(parts: Sequence[Part], values: Mapping[str, Any]) -> str:
    pieces: list[str] = []
    _render(parts, [values], pieces, 0)
    return "".join(pieces)


def _render(parts: Sequence[Part], stack: list[Any], pieces: list[str], depth: int) -> None:
    for part in parts:
        if isinstance(part, str):
            pieces.append(part)
        elif isinstance(part, Variable):
            pieces.append(to_text(_look_up(part.name, stack)))
        else:
            value = _look_up(part.name, stack)
            if isinstance(value, Sequence) and not isinstance(value, str):
                if part.is_inverted:
                    if not value:
                        _render(part.parts, stack, pieces, depth + 1)
                    continue
                for one in value:
                    _render(part.parts, [*stack, one], pieces, depth + 1)
            elif bool(not _is_empty(value)) != part.is_inverted:
                _render(part.parts, stack if part.is_inverted else [*stack, value], pieces, depth + 1)


def _is_empty(value: Any) -> bool:
    return is_missing(value) or value is False or value == "" or (isinstance(value, Mapping) and not value)


def _look_up(name: str, stack: list[Any]) -> Any:
    if name == ".":
        return stack[-1]
    for context in reversed(stack):
        if isinstance(context, Mapping) and name in context:
            return context[name]
    first, *rest = name.split(".")
    for context in reversed(stack):
        if isinstance(context, Mapping) and first in context:
            value = context[first]
            for part in rest:
                if isinstance(value, Mapping) and part in value:
                    value = value[part]
                elif isinstance(value, Sequence) and not isinstance(value, str) and part.isdecimal() and int(part) < len(value):
                    value = value[int(part)]
                else:
                    return None
            return value
    return None


def to_text(value: Any) -> str:
    """A value inside a template: texts as they are, nothing for missing values, JSON for the rest."""
    if isinstance(value, str):
        return value
    return "" if is_missing(value) else dump_json(value)
