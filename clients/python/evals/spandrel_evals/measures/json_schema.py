"""Check of a JSON value against a JSON schema (draft 2020-12, without remote references, formats and vocabularies).

A keyword that is not known is an error, at any depth: a schema that is checked in part would let wrong values pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from .json_values import canonical_json, equal_scalars
from .limits import SCHEMA_DEPTH_MAX, SCHEMA_PROBLEMS_MAX

Check = Callable[["_Checker", Any, Any, Mapping[str, Any], str], Iterator[str]]


def check_schema(schema: Any) -> None:
    """:raises ValueError: if some part of the schema is no schema, or has a keyword that is not known"""
    waiting = [(schema, 0)]
    while waiting:
        part, depth = waiting.pop()
        if isinstance(part, bool):
            continue
        if not isinstance(part, Mapping):
            raise ValueError(f"A JSON schema must be an object or a boolean, received {type(part).__name__}")
        if depth > SCHEMA_DEPTH_MAX:
            raise ValueError("The JSON schema is nested too deeply")
        for keyword, argument in part.items():
            if keyword not in _RULES and keyword not in _DESCRIPTIONS and not str(keyword).startswith("x-"):
                raise ValueError(f"The keyword {keyword!r} of JSON Schema is not supported. Remove it, or use another validator.")
            waiting.extend((inner, depth + 1) for inner in _inner_schemas(keyword, argument))


def _inner_schemas(keyword: str, argument: Any) -> list[Any]:
    if keyword in _SCHEMA_MAPS and isinstance(argument, Mapping):
        return list(argument.values())
    if keyword in _SCHEMA_LISTS and isinstance(argument, list):
        return argument
    return [argument] if keyword in _SCHEMAS else []


def schema_problems(value: Any, schema: Any) -> list[str]:
    """Why the value does not fit, at most five problems with their places. Empty: it fits.

    :param schema: a schema that `check_schema` accepts
    :raises ValueError: if the schema cannot be used
    """
    problems = []
    for problem in _Checker(schema).check(value, schema, "$", 0):
        problems.append(problem)
        if len(problems) == SCHEMA_PROBLEMS_MAX:
            break
    return problems


class _Checker:
    def __init__(self, root: Any) -> None:
        self.root = root
        self.depth = 0

    def check(self, value: Any, schema: Any, path: str, depth: int) -> Iterator[str]:
        if schema is True:
            return
        if schema is False:
            yield f"{path}: no value is allowed"
            return
        if not isinstance(schema, Mapping):
            raise ValueError(f"A JSON schema must be an object, received {type(schema).__name__}")
        if depth > SCHEMA_DEPTH_MAX:
            raise ValueError("The JSON schema refers to itself without an end, or is nested too deeply")
        self.depth = depth
        for keyword, argument in schema.items():
            rule = _RULES.get(keyword)
            if rule is not None:
                self.depth = depth
                yield from rule(self, value, argument, schema, path)

    def inner(self, value: Any, schema: Any, path: str) -> Iterator[str]:
        return self.check(value, schema, path, self.depth + 1)

    def fits(self, value: Any, schema: Any, path: str) -> bool:
        depth = self.depth
        try:
            return next(self.inner(value, schema, path), None) is None
        finally:
            self.depth = depth


def _is_integer(value: Any) -> bool:
    return _is_number(value) and (isinstance(value, int) or value.is_integer())


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": _is_integer,
    "number": _is_number,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def _type(_: _Checker, value: Any, argument: Any, __: Mapping[str, Any], path: str) -> Iterator[str]:
    names = [argument] if isinstance(argument, str) else argument
    unknown = next((name for name in names if name not in _TYPES), None)
    if unknown is not None:
        raise ValueError(f"The JSON schema has the unknown type {unknown!r}")
    if not any(_TYPES[name](value) for name in names):
        yield f"{path}: expected {' or '.join(names)}"


def _equal(first: Any, second: Any) -> bool:
    if isinstance(first, (dict, list)) or isinstance(second, (dict, list)):
        return type(first) is type(second) and canonical_json(first) == canonical_json(second)
    return equal_scalars(first, second)


def _enum(_: _Checker, value: Any, argument: Any, __: Mapping[str, Any], path: str) -> Iterator[str]:
    if not any(_equal(value, each) for each in argument):
        yield f"{path}: expected one of {', '.join(map(canonical_json, argument))}"


def _const(_: _Checker, value: Any, argument: Any, __: Mapping[str, Any], path: str) -> Iterator[str]:
    if not _equal(value, argument):
        yield f"{path}: expected {canonical_json(argument)}"


def _bound(is_kind: Callable[[Any], bool], fits: Callable[[Any, Any], bool], words: str) -> Check:
    def rule(_: _Checker, value: Any, argument: Any, __: Mapping[str, Any], path: str) -> Iterator[str]:
        if is_kind(value) and not fits(value, argument):
            yield f"{path}: expected {words} {argument}"

    return rule


def _is_multiple(value: float, divisor: float) -> bool:
    quotient = value / divisor
    return abs(quotient - round(quotient)) <= 1e-9 * max(1.0, abs(quotient))


def _pattern(_: _Checker, value: Any, argument: Any, __: Mapping[str, Any], path: str) -> Iterator[str]:
    if isinstance(value, str) and not _search(argument, value):
        yield f"{path}: expected a match of {argument}"


def _search(pattern: str, text: str) -> bool:
    try:
        return re.search(pattern, text) is not None
    except re.error as error:
        raise ValueError(f"The JSON schema has a bad pattern {pattern!r}: {error}") from None


def _object(checker: _Checker, value: Any, _: Any, schema: Mapping[str, Any], path: str) -> Iterator[str]:
    """``properties``, ``patternProperties`` and ``additionalProperties``, at the first of these keywords."""
    if not isinstance(value, dict):
        return
    properties = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    other = schema.get("additionalProperties", True)
    depth = checker.depth
    for key, child in value.items():
        schemas = [properties[key]] if key in properties else []
        schemas += [each for pattern, each in patterns.items() if _search(pattern, key)]
        for each in schemas or [other]:
            checker.depth = depth
            if each is False and not schemas:
                yield f"{path}: the key {key!r} is not allowed"
            else:
                yield from checker.inner(child, each, f"{path}.{key}")


def _only_first(keyword: str) -> Check:
    keywords = ("properties", "patternProperties", "additionalProperties")

    def rule(checker: _Checker, value: Any, argument: Any, schema: Mapping[str, Any], path: str) -> Iterator[str]:
        if next(each for each in keywords if each in schema) == keyword:
            yield from _object(checker, value, argument, schema, path)

    return rule


def _required(_: _Checker, value: Any, argument: Any, __: Mapping[str, Any], path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key in argument:
            if key not in value:
                yield f"{path}: the key {key!r} is missing"


def _dependent(_: _Checker, value: Any, argument: Any, __: Mapping[str, Any], path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, needed in argument.items():
            for other in needed if key in value else ():
                if other not in value:
                    yield f"{path}: the key {other!r} is missing, which {key!r} needs"


def _property_names(checker: _Checker, value: Any, argument: Any, _: Mapping[str, Any], path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key in value:
            yield from checker.inner(key, argument, f"{path}, key {key!r}")


def _items(checker: _Checker, value: Any, argument: Any, schema: Mapping[str, Any], path: str) -> Iterator[str]:
    if isinstance(value, list):
        start = len(schema.get("prefixItems", ()))
        depth = checker.depth
        for index, child in enumerate(value[start:], start):
            checker.depth = depth
            yield from checker.inner(child, argument, f"{path}[{index}]")


def _prefix_items(checker: _Checker, value: Any, argument: Any, _: Mapping[str, Any], path: str) -> Iterator[str]:
    if isinstance(value, list):
        depth = checker.depth
        for index, (child, each) in enumerate(zip(value, argument, strict=False)):
            checker.depth = depth
            yield from checker.inner(child, each, f"{path}[{index}]")


def _contains(checker: _Checker, value: Any, argument: Any, schema: Mapping[str, Any], path: str) -> Iterator[str]:
    if isinstance(value, list):
        count = sum(checker.fits(child, argument, path) for child in value)
        if not schema.get("minContains", 1) <= count <= schema.get("maxContains", len(value)):
            yield f"{path}: {count} items fit 'contains'"


def _unique(_: _Checker, value: Any, argument: Any, __: Mapping[str, Any], path: str) -> Iterator[str]:
    if argument and isinstance(value, list) and len({canonical_json(child) for child in value}) < len(value):
        yield f"{path}: expected different items"


def _all_of(checker: _Checker, value: Any, argument: Any, _: Mapping[str, Any], path: str) -> Iterator[str]:
    depth = checker.depth
    for each in argument:
        checker.depth = depth
        yield from checker.inner(value, each, path)


def _any_of(checker: _Checker, value: Any, argument: Any, _: Mapping[str, Any], path: str) -> Iterator[str]:
    if not any(checker.fits(value, each, path) for each in argument):
        yield f"{path}: fits none of the schemas of 'anyOf'"


def _one_of(checker: _Checker, value: Any, argument: Any, _: Mapping[str, Any], path: str) -> Iterator[str]:
    count = sum(checker.fits(value, each, path) for each in argument)
    if count != 1:
        yield f"{path}: fits {count} of the schemas of 'oneOf' instead of one"


def _not(checker: _Checker, value: Any, argument: Any, _: Mapping[str, Any], path: str) -> Iterator[str]:
    if checker.fits(value, argument, path):
        yield f"{path}: fits the schema of 'not'"


def _if(checker: _Checker, value: Any, argument: Any, schema: Mapping[str, Any], path: str) -> Iterator[str]:
    yield from checker.inner(value, schema.get("then" if checker.fits(value, argument, path) else "else", True), path)


def _ref(checker: _Checker, value: Any, argument: Any, _: Mapping[str, Any], path: str) -> Iterator[str]:
    if not isinstance(argument, str) or not (argument == "#" or argument.startswith("#/")):
        raise ValueError(f"The JSON schema has the reference {argument!r}; expected one within itself, such as #/$defs/name")
    target = checker.root
    for part in argument.split("/")[1:]:
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(target, list) and key.isdecimal() and int(key) < len(target):
            target = target[int(key)]
        elif isinstance(target, Mapping) and key in target:
            target = target[key]
        else:
            raise ValueError(f"The JSON schema has no {argument}")
    yield from checker.inner(value, target, path)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


# Keywords without an effect of their own.
_DESCRIPTIONS = frozenset(
    ("$schema", "$id", "$comment", "$defs", "definitions", "$anchor", "title", "description", "default", "examples")
    + ("deprecated", "readOnly", "writeOnly", "format", "contentEncoding", "contentMediaType", "strict")
    + ("then", "else", "minContains", "maxContains")
)
# Keywords whose argument is a schema, or has schemas in it.
_SCHEMAS = frozenset(("items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"))
_SCHEMA_LISTS = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
_SCHEMA_MAPS = frozenset(("properties", "patternProperties", "$defs", "definitions"))

_RULES: dict[str, Check] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "minimum": _bound(_is_number, lambda value, least: value >= least, "at least"),
    "maximum": _bound(_is_number, lambda value, most: value <= most, "at most"),
    "exclusiveMinimum": _bound(_is_number, lambda value, least: value > least, "more than"),
    "exclusiveMaximum": _bound(_is_number, lambda value, most: value < most, "less than"),
    "multipleOf": _bound(_is_number, _is_multiple, "a multiple of"),
    "minLength": _bound(_is_text, lambda value, least: len(value) >= least, "a length of at least"),
    "maxLength": _bound(_is_text, lambda value, most: len(value) <= most, "a length of at most"),
    "pattern": _pattern,
    "minItems": _bound(_is_list, lambda value, least: len(value) >= least, "a number of items of at least"),
    "maxItems": _bound(_is_list, lambda value, most: len(value) <= most, "a number of items of at most"),
    "minProperties": _bound(_is_object, lambda value, least: len(value) >= least, "a number of keys of at least"),
    "maxProperties": _bound(_is_object, lambda value, most: len(value) <= most, "a number of keys of at most"),
    "uniqueItems": _unique,
    "properties": _only_first("properties"),
    "patternProperties": _only_first("patternProperties"),
    "additionalProperties": _only_first("additionalProperties"),
    "required": _required,
    "dependentRequired": _dependent,
    "propertyNames": _property_names,
    "items": _items,
    "prefixItems": _prefix_items,
    "contains": _contains,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    "$ref": _ref,
}
