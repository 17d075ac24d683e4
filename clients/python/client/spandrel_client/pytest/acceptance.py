"""Criteria of acceptance: the bound of a mean's confidence interval against a threshold."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from .bounds import interval

_TEXT = re.compile(r"^\s*(?P<name>.+?)\s*(?P<sign>>=|<=)\s*(?P<threshold>[-+0-9.eE]+)\s*$")


@dataclass(frozen=True)
class Criterion:
    """The lower bound of the mean of `name` is at least the threshold; with `is_maximum`, the upper bound at most."""

    name: str
    threshold: float
    is_maximum: bool = False

    def __str__(self) -> str:
        return f"{self.name} {'<=' if self.is_maximum else '>='} {self.threshold:g}"


@dataclass(frozen=True)
class Verdict:
    """Whether a criterion holds in a dataset, and why in one line."""

    dataset: str
    criterion: Criterion
    is_met: bool
    text: str


def parse_criterion(text: str) -> Criterion:
    """`correct >= 0.8` or `cost <= 0.1`. ValueError for anything else."""
    found = _TEXT.match(text)
    try:
        threshold = float(found["threshold"]) if found else math.nan
    except ValueError:
        threshold = math.nan
    if found is None or not math.isfinite(threshold):
        raise ValueError(f"{text!r}; expected a name, >= or <=, and a number, such as 'correct >= 0.8'")
    return Criterion(found["name"], threshold, found["sign"] == "<=")


@dataclass(frozen=True)
class Scores:
    """Scores of one evaluation in one dataset: a value for each example, the mean of its repetitions."""

    values: Sequence[float]
    low: float | None
    high: float | None

    @property
    def mean(self) -> float:
        return fmean(self.values)

    def __str__(self) -> str:
        bounds = f" ({self.low:.3f} to {self.high:.3f})" if self.low is not None and self.high is not None else ""
        return f"{self.mean:.3f}{bounds} over {len(self.values)} example{'s' if len(self.values) != 1 else ''}"


def summarize(scores: Mapping[str, Sequence[float]], confidence: float) -> Scores:
    """`scores` by example. Repetitions of an example are not independent, so each example counts once."""
    values = [fmean(repetitions) for repetitions in scores.values()]
    # The repetitions of a single example are all that there is.
    if len(values) == 1:
        values = list(next(iter(scores.values())))
    low, high = interval(values, confidence) or (None, None)
    return Scores(values, low, high)


def judge(dataset: str, criterion: Criterion, scores: Scores | None, confidence: float) -> Verdict:
    """Whether the bound holds. No scores, or too few for an interval, do not meet a criterion."""
    if scores is None:
        return Verdict(dataset, criterion, False, f"{criterion}: no test has a score of this name")
    bound = scores.high if criterion.is_maximum else scores.low
    if bound is None:
        return Verdict(dataset, criterion, False, f"{criterion}: one example has no interval; expected at least 2")
    is_met = bound <= criterion.threshold if criterion.is_maximum else bound >= criterion.threshold
    side = "upper" if criterion.is_maximum else "lower"
    text = f"{criterion}: the {side} bound at {confidence:.0%} confidence is {bound:.3f} (mean {scores})"
    return Verdict(dataset, criterion, is_met, text)
