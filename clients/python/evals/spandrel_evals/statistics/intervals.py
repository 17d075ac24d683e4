"""95 % intervals of shares, means and other statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import fsum, sqrt
from typing import NamedTuple

from .distributions import Z_95, beta_quantile, normal_cdf, normal_quantile, t_quantile
from .seeded_random import random_floats

# Samples of the bootstrap of a mean. Twice as many change an interval by less than 2 % of its width.
REPLICATES = 2_000


class Interval(NamedTuple):
    low: float
    high: float


class Estimate(NamedTuple):
    """A value with its 95 % interval. All are None where the value does not exist, such as a share of nothing."""

    value: float | None
    low: float | None
    high: float | None

    def __str__(self) -> str:
        return "unknown" if self.value is None else f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


UNKNOWN = Estimate(None, None, None)


def wilson_interval(successes: float, count: float) -> Interval | None:
    """Interval of a share (Wilson 1927). None without trials."""
    if count == 0:
        return None
    share = successes / count
    square = Z_95 * Z_95
    center = (share + square / (2 * count)) / (1 + square / count)
    half = Z_95 / (1 + square / count) * sqrt(share * (1 - share) / count + square / (4 * count * count))
    return Interval(0.0 if successes == 0 else center - half, 1.0 if successes == count else center + half)


@lru_cache(maxsize=4_096)
def jeffreys_interval(successes: int, count: int) -> Interval:
    """Interval of a share by Jeffreys's prior, from 0 and to 1 where all trials agree. From 0 to 1 without trials."""
    a, b = successes + 0.5, count - successes + 0.5
    return Interval(
        0.0 if successes == 0 else beta_quantile(0.025, a, b),
        1.0 if successes == count else beta_quantile(0.975, a, b),
    )


def share_of(successes: int, count: int) -> Estimate:
    interval = wilson_interval(successes, count)
    return UNKNOWN if interval is None else Estimate(successes / count, *interval)


def paired_share_interval(wins: int, losses: int, count: int) -> Interval | None:
    """Interval of the mean difference of pairs of yes/no values (Bonett and Price 2012)."""
    if count == 0:
        return None
    total = count + 2
    up, down = (wins + 1) / total, (losses + 1) / total
    half = Z_95 * sqrt((up + down - (up - down) ** 2) / total)
    return Interval(max(-1.0, up - down - half), min(1.0, up - down + half))


class Moments(NamedTuple):
    count: int
    mean: float
    # With n - 1. 0 for fewer than two values.
    deviation: float
    # Third central moment over the third power of the deviation with n.
    skewness: float


def moments_of(values: Sequence[float]) -> Moments:
    count = len(values)
    mean = fsum(values) / count if count else 0.0
    squares = fsum((value - mean) ** 2 for value in values)
    cubes = fsum((value - mean) ** 3 for value in values)
    deviation = sqrt(squares / (count - 1)) if count > 1 else 0.0
    # Equal values differ from their mean by a rounding error.
    if deviation <= 1e-12 * abs(mean) or squares == 0:
        return Moments(count, mean, 0.0, 0.0)
    return Moments(count, mean, deviation, cubes / count / (squares / count) ** 1.5)


def student_interval(moments: Moments) -> Interval | None:
    """Interval of a mean by Student's t distribution. None for fewer than two values."""
    if moments.count < 2:
        return None
    half = t_quantile(0.975, moments.count - 1) * moments.deviation / sqrt(moments.count)
    return Interval(moments.mean - half, moments.mean + half)


def bootstrap_interval(values: Sequence[float], seed: str | int, replicates: int = REPLICATES) -> Interval | None:
    """Interval of a mean by the bootstrap: bias-corrected and accelerated (Efron 1987), with percentiles expanded for small
    samples (Hesterberg 2015), whose plain percentiles cover too little."""
    count, mean, deviation, skewness = moments_of(values)
    if count < 2:
        return None
    if deviation == 0:
        return Interval(mean, mean)
    draw = random_floats(seed)
    means = []
    for _ in range(replicates):
        total = 0.0
        for _ in range(count):
            total += values[int(draw() * count)]
        means.append(total / count)
    means.sort()
    below = sum(1.0 if each < mean else 0.5 if each == mean else 0.0 for each in means)
    # All replicates may be on one side.
    bias = normal_quantile(min(max(below, 1), replicates - 1) / replicates)
    acceleration = skewness / (6 * sqrt(count))
    reach = t_quantile(0.975, count - 1) * sqrt(count / (count - 1))

    def at(z: float) -> float:
        shifted = bias + z
        return percentile(means, normal_cdf(bias + shifted / max(1 - acceleration * shifted, 0.1)))

    return Interval(at(-reach), at(reach))


def bootstrap_statistic(
    count: int, statistic: Callable[[list[int]], float | None], seed: str | int, replicates: int = 1_000
) -> Interval | None:
    """Percentile interval of a statistic of the rows with the given indices.

    :param statistic: a number, or None where it does not exist; None if that is so for more than half of the replicates
    """
    if count == 0:
        return None
    draw = random_floats(seed)
    found = []
    for _ in range(replicates):
        value = statistic([int(draw() * count) for _ in range(count)])
        if value is not None:
            found.append(value)
    if len(found) * 2 < replicates:
        return None
    found.sort()
    return Interval(percentile(found, 0.025), percentile(found, 0.975))


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of a sorted list is, interpolated."""
    place = share * (len(ordered) + 1) - 1
    below = min(max(int(place // 1), 0), len(ordered) - 1)
    above = min(below + 1, len(ordered) - 1)
    weight = min(max(place - below, 0.0), 1.0)
    return ordered[below] * (1 - weight) + ordered[above] * weight
