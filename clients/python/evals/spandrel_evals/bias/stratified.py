"""Comparison of two groups of rows with the same label of people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from ..statistics.distributions import Z_95, normal_cdf
from ..statistics.intervals import Interval

# Without a correction, false alarms are slightly over 5 % at some hundred rows; the usual one half costs more power than it needs.
_CONTINUITY = 0.25


class GroupedVerdict(NamedTuple):
    # The label of people.
    stratum: str
    # Whether the row is in the group that the judge may prefer.
    is_exposed: bool
    # 1 for a positive verdict, 0 for another one, between for a row that was judged several times.
    positive_share: float


class _Group:
    __slots__ = ("count", "squares", "sum")

    def __init__(self) -> None:
        self.count = 0
        self.sum = self.squares = 0.0

    def add(self, share: float) -> None:
        self.count += 1
        self.sum += share
        self.squares += share * share

    def variance(self) -> float:
        """With one positive and one negative row more."""
        count = self.count + 2
        return (self.squares + 1) / count - ((self.sum + 1) / count) ** 2


@dataclass(frozen=True)
class StratifiedDifference:
    effect: float
    interval: Interval
    p_value: float
    count: int


def stratified_difference(verdicts: Iterable[GroupedVerdict]) -> StratifiedDifference | None:
    """Difference of the rates of positive verdicts, exposed minus other rows, among rows that people call the same.

    Strata are pooled by Mantel and Haenszel; the p-value is that of Cochran, Mantel and Haenszel with a small correction,
    the interval has one positive and one negative row more in each group. None if no stratum has rows of both groups.
    Shares of rows that were judged several times vary less, so the same difference is clearer.
    """
    strata: dict[str, tuple[_Group, _Group]] = {}
    for stratum, is_exposed, share in verdicts:
        groups = strata.setdefault(stratum, (_Group(), _Group()))
        groups[not is_exposed].add(share)
    weights = effect = variance = surplus = spread = 0.0
    count = 0
    for group, other in strata.values():
        exposed, others = group.count, other.count
        if not exposed or not others:
            continue
        total = exposed + others
        count += total
        weight = exposed * others / total
        weights += weight
        effect += weight * (group.sum / exposed - other.sum / others)
        variance += weight**2 * (group.variance() / exposed + other.variance() / others)
        together, squares = group.sum + other.sum, group.squares + other.squares
        surplus += group.sum - exposed * together / total
        spread += exposed * others * (total * squares - together**2) / (total**2 * (total - 1))
    if not weights:
        return None
    effect /= weights
    half = Z_95 * sqrt(variance) / weights
    p_value = 2 * normal_cdf(-max(0.0, abs(surplus) - _CONTINUITY) / sqrt(spread)) if spread > 0 else 1.0
    return StratifiedDifference(effect, Interval(max(-1.0, effect - half), min(1.0, effect + half)), p_value, count)
