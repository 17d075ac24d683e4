"""Confidence intervals of means of scores, for few values as tests have them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev


def interval(values: Sequence[float], confidence: float) -> tuple[float, float] | None:
    """Bounds of the mean. None for no value, and for one that is neither 0 nor 1.

    Wilson's interval where all values are 0 or 1, or are the same between 0 and 1: equal values say nothing of how far others
    spread. Otherwise Student's.
    """
    count = len(values)
    if count == 0:
        return None
    mean = fmean(values)
    is_binary = all(value in (0, 1) for value in values)
    if is_binary or count > 1 and 0 <= mean <= 1 and len(set(values)) == 1:
        return _wilson(mean, count, confidence)
    if count == 1:
        return None
    half = student_quantile((1 + confidence) / 2, count - 1) * stdev(values) / math.sqrt(count)
    return mean - half, mean + half


def _wilson(share: float, count: int, confidence: float) -> tuple[float, float]:
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = share + z * z / (2 * count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def student_quantile(probability: float, freedom: int) -> float:
    """Quantile of Student's distribution for a probability above a half: exact for 1 and 2, else to 4 digits."""
    if freedom == 1:
        return math.tan(math.pi * (probability - 0.5))
    if freedom == 2:
        rest = 4 * probability * (1 - probability)
        return 2 * (probability - 0.5) * math.sqrt(2 / rest)
    low, high = 0.0, 1.0
    while _student_cdf(high, freedom) < probability:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _student_cdf(middle, freedom) < probability else (low, middle)
    return (low + high) / 2


def _student_cdf(value: float, freedom: int) -> float:
    """For values from 0 on. The finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4, for whole degrees of freedom."""
    if freedom > 1_000:
        return NormalDist().cdf(value)
    angle = math.atan(value / math.sqrt(freedom))
    cosine = math.cos(angle) ** 2
    start = 1 if freedom % 2 == 0 else 2
    term = total = 1.0 if start == 1 else math.cos(angle)
    if freedom == 1:
        return 0.5 + angle / math.pi
    for number in range(start, freedom - 2, 2):
        term *= number / (number + 1) * cosine
        total += term
    share = math.sin(angle) * total if freedom % 2 == 0 else 2 / math.pi * (angle + math.sin(angle) * total)
    return (1 + share) / 2
