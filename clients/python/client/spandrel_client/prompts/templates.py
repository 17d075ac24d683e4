"""Formatters of templates. A replacement is inserted as it is, and never read as a template."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter
from typing import Any, Protocol

from ..exceptions import TemplateFormatterError

_MUSTACHE = re.compile(r"(\\?)\{\{\s*(\w+)\s*\}\}")


class TemplateFormatter(Protocol):
    """Inserts variables into a template. TemplateFormatterError for a variable that is missing."""

    def format(self, template: str, /, *, variables: Mapping[str, Any]) -> str: ...


class MustacheFormatter:
    """`{{ name }}`; `\\{{ name }}` is left as it is."""

    def format(self, template: str, /, *, variables: Mapping[str, Any]) -> str:
        def replace(match: re.Match[str]) -> str:
            if match[1]:
                return match[0]
            return str(_value(variables, match[2]))

        return _MUSTACHE.sub(replace, template)


class FStringFormatter:
    """`{name}`; `{{` is a brace. Names have no attributes and no indexes."""

    def format(self, template: str, /, *, variables: Mapping[str, Any]) -> str:
        parts: list[str] = []
        try:
            for text, name, spec, conversion in Formatter().parse(template):
                parts.append(text)
                if name is None:
                    continue
                value = Formatter().convert_field(_value(variables, name), conversion)
                parts.append(format(value, spec or ""))
        except ValueError as error:
            if isinstance(error, TemplateFormatterError):
                raise
            raise TemplateFormatterError(f"the template is no format string: {error}") from None
        return "".join(parts)


class NoOpFormatter:
    """The template as it is."""

    def format(self, template: str, /, *, variables: Mapping[str, Any]) -> str:
        return template


FORMATTERS: dict[str, TemplateFormatter] = {
    "MUSTACHE": MustacheFormatter(),
    "F_STRING": FStringFormatter(),
    "NONE": NoOpFormatter(),
}


def _value(variables: Mapping[str, Any], name: str) -> Any:
    if name not in variables:
        known = ", ".join(variables) or "none"
        raise TemplateFormatterError(f"the template needs the variable {name!r}; the given ones are: {known}")
    return variables[name]
