"""Comparison of numbers, lists and vectors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import fsum, isfinite, sqrt
from typing import Any, NamedTuple

from .json_values import canonical_json
from .overlap import f_score

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


class ListOverlap(NamedTuple):
    precision: float
    recall: float
    f1: float
    jaccard: float


def list_overlap(expected: Sequence[Any], output: Sequence[Any]) -> ListOverlap:
    """Overlap of two lists in any order. An item that occurs twice counts twice; items are equal if their JSON is."""
    for name, value in (("expected", expected), ("output", output)):
        if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
            raise ValueError(f"'{name}' must be a list, received {type(value).__name__}")
    if not expected or not output:
        value = 1.0 if len(expected) == len(output) else 0.0
        return ListOverlap(value, value, value, value)
    wanted, found = Counter(map(canonical_json, expected)), Counter(map(canonical_json, output))
    common = sum((wanted & found).values())
    precision, recall = common / len(output), common / len(expected)
    return ListOverlap(precision, recall, f_score(precision, recall), common / sum((wanted | found).values()))


def numeric_difference(expected: Any, output: Any, *, relative: bool = False) -> float:
    """Distance of two numbers, which may be texts.

    :param relative: as a share of the expected number
    :raises ValueError: if a value is no finite number, or the expected number is 0 and another one is relative to it
    """
    wanted, value = _number("expected", expected), _number("output", output)
    difference = abs(wanted - value)
    if not relative or difference == 0:
        return difference
    if wanted == 0:
        raise ValueError("A difference relative to the expected number 0 does not exist: use relative=False")
    return difference / abs(wanted)


def _number(name: str, value: Any) -> float:
    if isinstance(value, str):
        number = float(value) if _NUMBER.fullmatch(value.strip()) else None
    else:
        number = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    if number is None or not isfinite(number):
        raise ValueError(f"'{name}' must be a finite number, received {value!r:.80}")
    return number


def cosine_similarity(first: Sequence[float], second: Sequence[float]) -> float:
    """Cosine of the angle between two vectors, from -1 to 1; 0 where one of them has no direction.

    :raises ValueError: if their lengths differ
    """
    if len(first) != len(second):
        raise ValueError(f"The vectors must have one length, received {len(first)} and {len(second)}")
    lengths = sqrt(fsum(x * x for x in first)) * sqrt(fsum(x * x for x in second))
    if lengths == 0:
        return 0.0
    return max(-1.0, min(1.0, fsum(x * y for x, y in zip(first, second, strict=True)) / lengths))
