"""Score, the result of an evaluation, and the one table that turns what an evaluator returns into a score."""

from __future__ import annotations

import json
import math
import numbers
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Union

from .errors import ResultError, quote
from .json_values import to_json_value

KindType = Literal["llm", "code", "human", "heuristic"]
DirectionType = Literal["maximize", "minimize", "neutral"]
EvalInput = dict[str, Any]
ToolSchema = Union[dict[str, Any], None]

KINDS = ("llm", "code", "human")
DIRECTIONS = ("maximize", "minimize", "neutral")
# A text with more words than this is an explanation, not a label.
_LABEL_WORD_COUNT_MAX = 3


def check_kind(kind: str | None, source: str | None = None) -> str | None:
    """The kind in its stored form. ValueError for an unknown one, or for `kind` and `source` that differ."""
    if source is not None:
        warnings.warn("source is deprecated; use kind", DeprecationWarning, stacklevel=3)
        if kind is not None and kind != source:
            raise ValueError(f"kind is {kind!r} and source is {source!r}; give kind alone")
        kind = source
    if kind == "heuristic":
        warnings.warn("the kind heuristic is deprecated; use code", DeprecationWarning, stacklevel=3)
        return "code"
    if kind is not None and kind not in KINDS:
        raise ValueError(f"kind is {quote(kind)}; expected one of {', '.join(KINDS)}")
    return kind


def check_direction(direction: str) -> str:
    if direction not in DIRECTIONS:
        raise ValueError(f"direction is {quote(direction)}; expected one of {', '.join(DIRECTIONS)}")
    return direction


@dataclass(frozen=True, init=False, eq=True)
class Score:
    """One result of an evaluation. `direction` says which scores are better."""

    name: str | None
    score: float | int | None
    label: str | None
    explanation: str | None
    metadata: dict[str, Any] = field(hash=False)
    kind: str | None
    direction: str

    def __init__(
        self,
        *,
        name: str | None = None,
        score: float | int | None = None,
        label: str | None = None,
        explanation: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        kind: str | None = None,
        direction: str = "maximize",
        source: str | None = None,
    ) -> None:
        if source is not None or (kind is not None and kind not in KINDS):
            kind = check_kind(kind, source)
        if direction not in DIRECTIONS:
            check_direction(direction)
        self.__dict__.update(
            name=name,
            score=score,
            label=label,
            explanation=explanation,
            metadata={} if metadata is None else dict(metadata),
            kind=kind,
            direction=direction,
        )

    @property
    def source(self) -> str | None:
        """Deprecated: `kind`."""
        warnings.warn("source is deprecated; use kind", DeprecationWarning, stacklevel=2)
        return self.kind

    def replace(self, **changes: Any) -> Score:
        """A copy with other fields."""
        return Score(**{**self.__dict__, **changes})

    def to_dict(self) -> dict[str, Any]:
        """The fields that are not None."""
        return {key: value for key, value in self.__dict__.items() if value is not None}

    def pretty_print(self, indent: int = 2) -> None:
        """Prints the score as JSON."""
        print(json.dumps(to_json_value(self.to_dict()), indent=indent, ensure_ascii=False))


def to_score(value: Any, *, name: str | None, kind: str | None = None, direction: str = "maximize") -> Score:
    """The score of what an evaluator returned, by the table in the README. ResultError for anything else, also for None."""
    if isinstance(value, Score):
        number = None if value.score is None else _number(value.score)
        return value.replace(name=name, kind=kind, direction=direction, score=number)
    fields = _fields(value)
    return Score(name=name, kind=kind, direction=direction, **fields)


def check_scores(value: Any) -> list[Score]:
    """What an evaluator returned, if it is a list of scores with finite numbers. ResultError otherwise."""
    if isinstance(value, Score) or not isinstance(value, (list, tuple)):
        raise ResultError(f"the evaluator returned {type(value).__name__}; expected a list of scores")
    for one in value:
        if not isinstance(one, Score):
            raise ResultError(f"the evaluator returned a list with {type(one).__name__}; expected scores")
        number = one.score
        if number is not None and not (type(number) in (int, float) and math.isfinite(number)):
            _number(number)
    return value if isinstance(value, list) else list(value)


def _fields(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        found = {key: value[key] for key in ("score", "label", "explanation") if value.get(key) is not None}
        if "score" in found:
            found["score"] = _number(found["score"])
        for key in ("label", "explanation"):
            if key in found and not isinstance(found[key], str):
                found[key] = str(found[key])
        if isinstance(value.get("metadata"), Mapping):
            found["metadata"] = dict(value["metadata"])
        return found
    if isinstance(value, tuple):
        if not value:
            raise ResultError("the evaluator returned an empty tuple; expected a score, a label or an explanation in it")
        merged: dict[str, Any] = {}
        for one in value:
            merged.update(_of_score(one) if isinstance(one, Score) else _fields(one))
        return merged
    return _scalar(value)


def _of_score(value: Score) -> dict[str, Any]:
    return {key: one for key in ("score", "label", "explanation") if (one := getattr(value, key)) is not None}


def _scalar(value: Any) -> dict[str, Any]:
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return {"score": 1.0 if value else 0.0, "label": str(bool(value))}
    if isinstance(value, numbers.Real):
        return {"score": _number(value)}
    if isinstance(value, str):
        return {"label": value} if len(value.split()) <= _LABEL_WORD_COUNT_MAX else {"explanation": value}
    raise ResultError(
        f"the evaluator returned {type(value).__name__}; expected a Score, a bool, a number, a text, a dict with score, label "
        "or explanation, or a tuple of them"
    )


def _number(value: Any) -> float | int:
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return 1.0 if value else 0.0
    if not isinstance(value, numbers.Real):
        raise ResultError(f"the score is {quote(value)} ({type(value).__name__}); expected a number")
    number = int(value) if isinstance(value, numbers.Integral) else float(value)
    if not math.isfinite(number):
        raise ResultError(f"the score is {number}; expected a finite number")
    return number
