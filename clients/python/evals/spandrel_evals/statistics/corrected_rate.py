"""Rates with the errors of a judge taken out."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, sqrt
from typing import Literal, NamedTuple

from .distributions import Z_95
from .intervals import Estimate, Interval, jeffreys_interval, share_of

Method = Literal["rogan_gladen", "prediction_powered"]
METHODS: tuple[Method, ...] = ("rogan_gladen", "prediction_powered")


class JudgeNearChanceError(ValueError):
    """The judge is not clearly better than chance, so its rate says nothing about the true one."""


class Calibration(NamedTuple):
    """Counts of a judge's labels on rows that people have labelled."""

    true_positives: int
    false_negatives: int
    true_negatives: int
    false_positives: int

    @property
    def positives(self) -> int:
        return self.true_positives + self.false_negatives

    @property
    def negatives(self) -> int:
        return self.true_negatives + self.false_positives

    @property
    def count(self) -> int:
        return self.positives + self.negatives


class CorrectedRate(NamedTuple):
    rate: float
    low: float
    high: float
    # The judge's own rate, with an interval that knows nothing of its errors.
    naive: Estimate
    method: Method


def corrected_rate(
    positives: int, count: int, calibration: Calibration, method: Method = "rogan_gladen"
) -> CorrectedRate:
    """Share of rows that people would call positive, with a 95 % interval that counts the error of both samples.

    :param positives: rows that the judge calls positive, of ``count`` rows **without** labels of people
    :param method: ``rogan_gladen`` needs the judge to err as often on both samples, and allows labelled rows that were chosen by
        their label. ``prediction_powered`` needs labelled rows that are a random sample of all rows; its interval is shorter.
    :raises JudgeNearChanceError: if sensitivity + specificity may be 1
    """
    if method not in METHODS:
        raise ValueError(f"The method must be one of {', '.join(METHODS)}, received {method!r}")
    if min(calibration) < 0 or not 0 <= positives <= count or count == 0:
        raise ValueError(f"Expected counts of rows, received {positives} of {count} and {tuple(calibration)}")
    check_better_than_chance(calibration)
    estimate = rogan_gladen if method == "rogan_gladen" else prediction_powered
    rate, interval = estimate(positives, count, calibration)
    return CorrectedRate(rate, *interval, share_of(positives, count), method)


def check_better_than_chance(calibration: Calibration) -> None:
    """:raises JudgeNearChanceError: with the counts and the next step"""
    if not calibration.positives or not calibration.negatives:
        missing = "positive" if not calibration.positives else "negative"
        raise JudgeNearChanceError(
            f"People gave no {missing} label, so the errors of the judge on such rows are unknown: label more rows"
        )
    quality, error = youden(calibration)
    if quality - Z_95 * error <= 0:
        people = share_of(calibration.positives, calibration.count)
        raise JudgeNearChanceError(
            f"The judge is not clearly better than chance: sensitivity + specificity - 1 is {quality:.2f}"
            f" ± {Z_95 * error:.2f}. Improve the judge, label more rows, or use the labels of people alone: {people}"
        )


def youden(calibration: Calibration) -> tuple[float, float]:
    """Sensitivity + specificity - 1 and its standard error, with one row more in each cell."""
    sensitivity = (calibration.true_positives + 1) / (calibration.positives + 2)
    specificity = (calibration.true_negatives + 1) / (calibration.negatives + 2)
    variance = sensitivity * (1 - sensitivity) / (calibration.positives + 2)
    variance += specificity * (1 - specificity) / (calibration.negatives + 2)
    return sensitivity + specificity - 1, sqrt(variance)


class _Share(NamedTuple):
    """A share with Jeffreys's interval around its posterior mean."""

    value: float
    low: float
    high: float

    @property
    def below(self) -> float:
        return self.value - self.low

    @property
    def above(self) -> float:
        return self.high - self.value


def _estimate(successes: int, count: int) -> _Share:
    return _Share((successes + 0.5) / (count + 1), *jeffreys_interval(successes, count))


def rogan_gladen(positives: int, count: int, calibration: Calibration) -> tuple[float, Interval]:
    """Rogan and Gladen (1978): the rate at which the judge would give its labels, given its sensitivity and specificity.

    The interval contains each rate that fits the three shares: the difference of the judge's rate to the one that would follow
    has an interval from their intervals (MOVER, Zou and Donner 2008), which must contain 0. That is Fieller's method without
    its symmetric intervals, which cover too little for shares near 0 and 1.
    """
    sensitivity = _estimate(calibration.true_positives, calibration.positives)
    specificity = _estimate(calibration.true_negatives, calibration.negatives)
    share = _estimate(positives, count)

    def difference(rate: float) -> float:
        return share.value - rate * sensitivity.value - (1 - rate) * (1 - specificity.value)

    def lower(rate: float) -> float:
        spread = (share.below, rate * sensitivity.above, (1 - rate) * specificity.below)
        return difference(rate) - hypot(*spread)

    def upper(rate: float) -> float:
        spread = (share.above, rate * sensitivity.below, (1 - rate) * specificity.above)
        return difference(rate) + hypot(*spread)

    # Both fall with the rate, because the judge is better than chance.
    interval = Interval(find_zero(lower, 0.0, 1.0), find_zero(upper, 0.0, 1.0))
    plain = calibration.true_positives / calibration.positives + calibration.true_negatives / calibration.negatives - 1
    excess = positives / count + calibration.true_negatives / calibration.negatives - 1
    point = _clip(excess / plain) if plain > 0 else _clip((interval.low + interval.high) / 2)
    return point, _containing(interval, point)


def prediction_powered(positives: int, count: int, calibration: Calibration) -> tuple[float, Interval]:
    """Prediction-powered rate with the tuned weight of PPI++ (Angelopoulos, Duchi and Zrnic 2023).

    For yes/no labels that is the share of people's positives among the judge's positives, and among its negatives, weighted by
    the judge's rate on all rows. The interval follows from Jeffreys's intervals of these three shares (MOVER), because the
    normal one covers too little for small samples and for rates near 0 and 1.
    """
    found = calibration.true_positives + calibration.false_positives
    missed = calibration.true_negatives + calibration.false_negatives
    share = _estimate(positives + found, count + calibration.count)
    hits = _estimate(calibration.true_positives, found)
    misses = _estimate(calibration.false_negatives, missed)
    rate = share.value * hits.value + (1 - share.value) * misses.value
    weight = hits.value - misses.value
    below, above = (share.below, share.above) if weight >= 0 else (share.above, share.below)
    interval = Interval(
        _clip(rate - hypot(share.value * hits.below, (1 - share.value) * misses.below, weight * below)),
        _clip(rate + hypot(share.value * hits.above, (1 - share.value) * misses.above, weight * above)),
    )
    plain = (positives + found) / (count + calibration.count)
    point = plain * _share(calibration.true_positives, found) + (1 - plain) * _share(calibration.false_negatives, missed)
    return point, _containing(interval, point)


def find_zero(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is 0, by bisection; the end of the range that is nearest to it if there is no such place."""
    if falling(low) <= 0:
        return low
    if falling(high) >= 0:
        return high
    for _ in range(60):
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _containing(interval: Interval, point: float) -> Interval:
    """The estimate has no prior, so it may be just outside."""
    return Interval(min(interval.low, point), max(interval.high, point))


def _share(successes: int, count: int) -> float:
    """Without trials nothing is known, so it is one half."""
    return successes / count if count else 0.5


def _clip(value: float) -> float:
    return max(0.0, min(1.0, value))
