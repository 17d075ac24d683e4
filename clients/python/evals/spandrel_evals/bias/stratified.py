"""Comparison of two groups of rows with the same label of people."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

from ..statistics.distributions import Z_95, normal_cdf
from ..statistics.intervals import Interval


class GroupedVerdict(NamedTuple):
    # The label of people.
    stratum: str
    # Whether the row is in the group that the judge may prefer.
    is_exposed: bool
    is_positive: bool


class StratifiedDifference(NamedTuple):
    effect: float
    interval: Interval
    p_value: float
    count: int


def stratified_difference(verdicts: Iterable[GroupedVerdict]) -> StratifiedDifference | None:
    """Difference of the rates of positive verdicts, exposed minus other rows, among rows that people call the same.

    Strata are pooled by Mantel and Haenszel; the p-value is that of Cochran, Mantel and Haenszel with a correction for continuity,
    the interval has one positive and one negative row more in each group. None if no stratum has rows of both groups.
    """
    strata: dict[str, list[int]] = {}
    for stratum, is_exposed, is_positive in verdicts:
        cell = strata.setdefault(stratum, [0, 0, 0, 0])
        cell[2 * (not is_exposed)] += is_positive
        cell[2 * (not is_exposed) + 1] += 1
    weights = effect = variance = surplus = spread = 0.0
    count = 0
    for positives, exposed, other_positives, others in strata.values():
        if not exposed or not others:
            continue
        total = exposed + others
        count += total
        weight = exposed * others / total
        weights += weight
        effect += weight * (positives / exposed - other_positives / others)
        share, other_share = (positives + 1) / (exposed + 2), (other_positives + 1) / (others + 2)
        variance += weight**2 * (share * (1 - share) / exposed + other_share * (1 - other_share) / others)
        all_positives = positives + other_positives
        surplus += positives - exposed * all_positives / total
        if total > 1:
            spread += exposed * others * all_positives * (total - all_positives) / (total**2 * (total - 1))
    if not weights:
        return None
    effect /= weights
    half = Z_95 * sqrt(variance) / weights
    p_value = 2 * normal_cdf(-max(0.0, abs(surplus) - 0.5) / sqrt(spread)) if spread else 1.0
    return StratifiedDifference(effect, Interval(max(-1.0, effect - half), min(1.0, effect + half)), p_value, count)
