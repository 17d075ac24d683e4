"""Comparison of JSON values."""

from __future__ import annotations

import json
from typing import Any

from .limits import JSON_DISTANCE_VALUES_MAX


def parse_json(text: str) -> Any:
    """The value of a JSON text, without the extensions of ``json`` (NaN, Infinity).

    :raises ValueError: with the cause
    """
    try:
        return json.loads(text, parse_constant=_reject_constant)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def json_distance(expected: Any, output: Any, *, parse_strings: bool = True) -> int:
    """Number of differences: 1 for other types or other scalars, 1 for each key that only one object has, and the difference of
    the lengths of lists. Numbers are compared by value.

    :param parse_strings: texts are JSON
    :raises ValueError: if a text is no JSON, or the values are too large
    """
    if parse_strings:
        expected, output = _parsed("expected", expected), _parsed("output", output)
    pairs = [(expected, output)]
    distance = 0
    count = 0
    while pairs:
        wanted, value = pairs.pop()
        count += 1
        if isinstance(wanted, dict) and isinstance(value, dict):
            shared = 0
            for key, child in wanted.items():
                if key in value:
                    shared += 1
                    other = value[key]
                    # Equal texts are the usual case.
                    if type(child) is str and type(other) is str:
                        distance += child != other
                        count += 1
                    else:
                        pairs.append((child, other))
            distance += len(wanted) + len(value) - 2 * shared
        elif isinstance(wanted, (list, tuple)) and isinstance(value, (list, tuple)):
            distance += abs(len(wanted) - len(value))
            pairs.extend(zip(wanted, value, strict=False))
        elif not equal_scalars(wanted, value):
            distance += 1
        if count > JSON_DISTANCE_VALUES_MAX:
            raise ValueError(f"The values are too large to compare: they have more than {JSON_DISTANCE_VALUES_MAX:,} values")
    return distance


def equal_scalars(first: Any, second: Any) -> bool:
    """Equality as in JSON: ``True`` is not 1, and 1 is 1.0."""
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    return bool(first == second)


def _parsed(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return parse_json(value)
    except ValueError as error:
        raise ValueError(f"'{name}' is not valid JSON: {error}") from None


def canonical_json(value: Any) -> str:
    """The same text for equal values: sorted keys, and whole numbers without a fraction."""
    return json.dumps(_whole(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {str(key): _whole(child) for key, child in value.items()}
    if isinstance(value, (list, tuple)):
        return [_whole(child) for child in value]
    return value
