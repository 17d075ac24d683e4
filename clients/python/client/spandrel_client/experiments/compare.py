"""Differences between two experiments on the same examples, with confidence intervals."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_RESAMPLES = 2_000
_SEED = 20260101
_EMPTY = "No evaluation has scores in both experiments."


@dataclass(frozen=True)
class Difference:
    """Of one evaluation name: the means of a and b, the mean of b - a over pairs, and its interval.

    `pair_count` counts the examples that both scored; an interval needs two of them and is None otherwise.
    """

    name: str
    mean_a: float
    mean_b: float
    difference: float
    interval: tuple[float, float] | None
    pair_count: int
    confidence: float = 0.95

    @property
    def is_significant(self) -> bool:
        """Whether the interval does not hold 0."""
        return self.interval is not None and (self.interval[0] > 0 or self.interval[1] < 0)


class Comparison(dict):  # type: ignore[type-arg]
    """Differences by evaluation name."""

    def __str__(self) -> str:
        return "\n".join(f"{one.name}: {_text(one)}" for one in self.values()) or _EMPTY

    def _repr_html_(self) -> str:
        from ..html import grid, table

        if not self:
            return table([("Comparison", _EMPTY)])
        confidence = next(iter(self.values())).confidence
        columns = ("evaluation", "first", "second", "difference", f"{100 * confidence:g} % confidence", "examples")
        return grid(columns, [_cells(one) for one in self.values()])


def compare(a: Mapping[str, Any], b: Mapping[str, Any], *, confidence: float = 0.95) -> Comparison:
    """Compares the scores of two RanExperiments example by example. Repetitions are averaged first.

    Intervals are bootstrap percentiles over the examples, with a seed of their own.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}; expected a number between 0 and 1")
    scores_a, scores_b = _scores(a), _scores(b)
    found = Comparison()
    for name in sorted(set(scores_a) & set(scores_b)):
        common = sorted(set(scores_a[name]) & set(scores_b[name]))
        if not common:
            continue
        pairs = [(scores_a[name][key], scores_b[name][key]) for key in common]
        differences = [after - before for before, after in pairs]
        found[name] = Difference(
            name=name,
            mean_a=_mean([before for before, _ in pairs]),
            mean_b=_mean([after for _, after in pairs]),
            difference=_mean(differences),
            interval=_interval(differences, confidence) if len(differences) > 1 else None,
            pair_count=len(pairs),
            confidence=confidence,
        )
    return found


def _scores(experiment: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Mean scores by evaluation name and example."""
    example_of = {run["id"]: run["dataset_example_id"] for run in experiment["task_runs"]}
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for evaluation in experiment["evaluation_runs"]:
        score = (evaluation.result or {}).get("score")
        if score is not None and math.isfinite(score) and evaluation.experiment_run_id in example_of:
            found[evaluation.name][example_of[evaluation.experiment_run_id]].append(score)
    return {name: {key: _mean(values) for key, values in by_example.items()} for name, by_example in found.items()}


def _interval(values: list[float], confidence: float) -> tuple[float, float]:
    generator = random.Random(_SEED)
    means = sorted(_mean(generator.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    tail = (1 - confidence) / 2
    return means[int(tail * _RESAMPLES)], means[min(_RESAMPLES - 1, int((1 - tail) * _RESAMPLES))]


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def _cells(one: Difference) -> tuple[Any, ...]:
    interval = "–" if one.interval is None else f"{one.interval[0]:+.3f} to {one.interval[1]:+.3f}"
    return one.name, one.mean_a, one.mean_b, f"{one.difference:+.3f}", interval, one.pair_count


def _text(one: Difference) -> str:
    if one.interval is None:
        interval = "no interval"
    else:
        interval = f"{100 * one.confidence:g} % confidence: {one.interval[0]:+.3f} to {one.interval[1]:+.3f}"
    return f"{one.mean_a:.3f} → {one.mean_b:.3f}, {one.difference:+.3f} ({interval}) over {one.pair_count} examples"
