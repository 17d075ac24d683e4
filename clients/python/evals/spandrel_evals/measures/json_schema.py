"""Check of a JSON value against a JSON schema (draft 2020-12, without remote references and formats).

A keyword that is not known is an error, at any depth: a schema that is checked in part would let wrong values pass.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from .limits import SCHEMA_PROBLEMS_MAX

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
# The draft without unknown keywords. Names that start with `x-` are notes, and `strict` belongs to vendors. Keywords of earlier drafts
# are no longer checked by all validators.
_STRICT_DRAFT = {
    "$id": "urn:spandrel:strict",
    "$schema": _DRAFT,
    "$dynamicAnchor": "meta",
    "$ref": _DRAFT,
    "properties": {"strict": True, "dependencies": {"not": {}}, "$recursiveAnchor": {"not": {}}, "$recursiveRef": {"not": {}}},
    "patternProperties": {"^x-": True},
    "unevaluatedProperties": False,
}


def compile_schema(schema: Any) -> Callable[[Any], list[str]]:
    """A function that says why a value does not fit, in at most five problems with their places. Empty: it fits.

    :raises ValueError: if the schema cannot be used, or has a keyword that is not known
    """
    try:
        from jsonschema import Draft202012Validator
    except ModuleNotFoundError as error:
        raise ImportError(f"JSON schemas need a package: pip install 'spandrel-evals[json-schema]' ({error})") from error

    def first(validator: Any, value: Any, count: int) -> list[Any]:
        try:
            return list(itertools.islice(validator.iter_errors(value), count))
        except RecursionError:
            raise ValueError("The JSON schema refers to itself without an end, or is nested too deeply") from None
        except Exception as error:  # noqa: BLE001 - references that lead nowhere and patterns raise errors of other packages
            raise ValueError(f"The JSON schema cannot be used: {error}") from None

    for error in first(Draft202012Validator(_STRICT_DRAFT), schema, 1):
        raise ValueError(_describe(error))
    validator = Draft202012Validator(schema)
    # References and patterns that cannot be used show at once.
    first(validator, None, 1)
    return lambda value: [f"{problem.json_path}: {problem.message}" for problem in first(validator, value, SCHEMA_PROBLEMS_MAX)]


def _describe(error: Any) -> str:
    while error.context:
        error = error.context[0]
    keyword = None
    if error.validator == "unevaluatedProperties":
        keyword = error.message.partition("('")[2].partition("'")[0]
    elif error.validator == "not":
        keyword = error.path[-1]
    if keyword is not None:
        place = error.json_path.removesuffix(f".{keyword}")
        return f"The keyword {keyword!r} of JSON Schema is not supported (in {place}). Remove it, or use another validator."
    return f"{error.json_path} of the JSON schema: {error.message}"
