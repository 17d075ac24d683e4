"""Difference of two systems on the same rows."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import ceil, hypot, inf, sqrt
from typing import Literal, NamedTuple

from .corrected_rate import Calibration, check_better_than_chance, find_zero
from .distributions import Z_95, half_binomial_cdf, normal_cdf, t_cdf, t_quantile
from .intervals import (
    Interval,
    bootstrap_interval,
    jeffreys_interval,
    moments_of,
    paired_share_interval,
    student_interval,
)

Direction = Literal["maximize", "minimize", "neutral"]
Verdict = Literal["better", "worse", "unclear"]
DifferenceMethod = Literal["sign_test", "bootstrap", "normal", "clustered"]

# A sign test of fewer pairs cannot be significant at 5 %, whatever their differences, and fewer pairs have no interval.
PAIRS_MIN = 6
# Above it, the bootstrap and the normal approximation agree.
BOOTSTRAP_COUNT_MAX = 2_000
# In smaller samples, the bootstrap covers too little if most differences are 0, and Student's interval if they are skewed.
SMALL_SAMPLE = 50
_Z_POWER = 0.8416212335729143
_COUNT_NEEDED_MAX = 10_000_000


@dataclass(frozen=True)
class Difference:
    """System b minus system a, over rows that both have."""

    count: int
    mean: float | None
    low: float | None
    high: float | None
    method: DifferenceMethod
    # Two-sided. None for the bootstrap, which has none.
    p_value: float | None
    wins: int
    losses: int
    ties: int
    verdict: Verdict
    # Rows that would show a difference of this size with a probability of 80 %. None when it is clear.
    count_needed: int | None


def describe_difference(
    differences: Sequence[float],
    *,
    direction: Direction = "maximize",
    is_binary: bool = False,
    seed: str | int = "difference",
    bootstrap_count_max: int = BOOTSTRAP_COUNT_MAX,
) -> Difference:
    """The same numbers as in the comparison of experiments on the server.

    :param is_binary: both sides are 0 or 1
    """
    count, mean, deviation, _ = moments = moments_of(differences)
    up, down = _signs(differences)
    is_signs = is_binary and all(value in (-1, 0, 1) for value in differences)
    method: DifferenceMethod = "sign_test" if is_signs else "bootstrap" if count <= bootstrap_count_max else "normal"
    interval: Interval | None = None
    p_value: float | None = None
    if count:
        if method == "sign_test":
            p_value = sign_test(up, down)
        elif method == "normal":
            p_value = 2 * normal_cdf(-abs(mean) / (deviation / sqrt(count))) if deviation else float(mean == 0)
    if count >= PAIRS_MIN:
        student = student_interval(moments)
        if method == "sign_test":
            interval = paired_share_interval(up, down, count)
        elif method == "normal":
            interval = student
        else:
            interval = bootstrap_interval(differences, seed)
            if count < SMALL_SAMPLE and student and interval:
                interval = Interval(min(student.low, interval.low), max(student.high, interval.high))
    needed = _count_needed(count, mean, deviation)
    return _difference(count, mean, interval, method, p_value, up, down, direction, needed)


def sign_test(up: int, down: int) -> float:
    """Two-sided p-value of the exact sign test. Ties do not count."""
    return min(1.0, 2 * half_binomial_cdf(min(up, down), up + down))


def mid_p_sign_test(up: int, down: int) -> float:
    """Two-sided mid-p-value of the sign test: results as likely as the received one count half (Lancaster 1961).

    Under 5 % in less than 5 % of cases without a difference, by an exact sum over cases instead of by proof; it finds a difference as
    often as the best unbiased test does (docs/decisions/statistics.md).
    """
    few, count = min(up, down), up + down
    return min(1.0, half_binomial_cdf(few, count) + (half_binomial_cdf(few - 1, count) if few else 0.0))


class Row(NamedTuple):
    """Scores of both systems on one row. Rows of one session are not independent."""

    a: float
    b: float
    session: Hashable = None


class CorrectedDifference(NamedTuple):
    """A difference of rates with the errors of the judge taken out."""

    mean: float
    low: float
    high: float


class SystemComparison(NamedTuple):
    difference: Difference
    # None without a calibration.
    corrected: CorrectedDifference | None


def compare_systems(
    rows: Sequence[Row],
    *,
    calibration: Calibration | None = None,
    direction: Direction = "maximize",
    seed: str | int = "difference",
) -> SystemComparison:
    """Compares two systems that a judge has scored on the same rows.

    :param calibration: of the judge, if its scores are 0 and 1: the difference is divided by sensitivity + specificity - 1. The
        judge must err as often on both systems; a judge that likes long answers does not (see the bias checks).
    :raises JudgeNearChanceError: if sensitivity + specificity may be 1
    """
    is_binary = all(row.a in (0, 1) and row.b in (0, 1) for row in rows)
    if calibration is not None and not is_binary:
        raise ValueError("A calibration corrects scores of 0 and 1, received other scores")
    differences = [row.b - row.a for row in rows]
    if any(row.session is not None for row in rows):
        difference = _clustered(rows, differences, direction)
    else:
        difference = describe_difference(differences, direction=direction, is_binary=is_binary, seed=seed)
    if calibration is None or difference.mean is None or difference.low is None or difference.high is None:
        return SystemComparison(difference, None)
    return SystemComparison(difference, _correct(difference.mean, difference.low, difference.high, calibration))


def _clustered(rows: Sequence[Row], differences: Sequence[float], direction: Direction) -> Difference:
    """Sessions vary independently, rows do not: the variance of the mean is that of the sums of the sessions (Liang and Zeger
    1986), with Student's distribution for the number of sessions. A row without a session is one of its own."""
    sums: dict[Hashable, list[float]] = {}
    for index, (row, value) in enumerate(zip(rows, differences, strict=True)):
        cluster = sums.setdefault(("row", index) if row.session is None else ("session", row.session), [0.0, 0.0])
        cluster[0] += value
        cluster[1] += 1
    count, clusters = len(rows), len(sums)
    mean = sum(differences) / count
    interval, p_value, deviation = None, None, 0.0
    if clusters > 1 and count >= PAIRS_MIN:
        squares = sum((total - mean * number) ** 2 for total, number in sums.values())
        error = sqrt(clusters / (clusters - 1) * squares) / count
        deviation = error * sqrt(count)
        half = t_quantile(0.975, clusters - 1) * error
        interval = Interval(mean - half, mean + half)
        p_value = 2 * t_cdf(-abs(mean) / error, clusters - 1) if error else float(mean == 0)
    up, down = _signs(differences)
    needed = _count_needed(count, mean, deviation)
    return _difference(count, mean, interval, "clustered", p_value, up, down, direction, needed)


def _correct(mean: float, low: float, high: float, calibration: Calibration) -> CorrectedDifference:
    """Each difference that fits the judge's difference and its quality, as in ``rogan_gladen``."""
    check_better_than_chance(calibration)
    plain, below, above = 0.0, 0.0, 0.0
    quality = -1.0
    for hits, total in (
        (calibration.true_positives, calibration.positives),
        (calibration.true_negatives, calibration.negatives),
    ):
        least, most = jeffreys_interval(hits, total)
        value = (hits + 0.5) / (total + 1)
        quality += value
        plain += hits / total
        below = hypot(below, value - least)
        above = hypot(above, most - value)

    def lower(difference: float) -> float:
        return mean - difference * quality - hypot(mean - low, difference * (above if difference > 0 else below))

    def upper(difference: float) -> float:
        return mean - difference * quality + hypot(high - mean, difference * (below if difference > 0 else above))

    point = max(-1.0, min(1.0, mean / (plain - 1) if plain > 1 else mean / quality))
    return CorrectedDifference(point, min(find_zero(lower, -1.0, 1.0), point), max(find_zero(upper, -1.0, 1.0), point))


def _signs(differences: Sequence[float]) -> tuple[int, int]:
    # 0.3 - 0.1 - 0.2 is not 0.
    return sum(value > 1e-12 for value in differences), sum(value < -1e-12 for value in differences)


def _difference(
    count: int,
    mean: float,
    interval: Interval | None,
    method: DifferenceMethod,
    p_value: float | None,
    up: int,
    down: int,
    direction: Direction,
    needed: int | None,
) -> Difference:
    if direction not in ("maximize", "minimize", "neutral"):
        raise ValueError(f"The direction must be maximize, minimize or neutral, received {direction!r}")
    is_clear = (
        interval is not None
        and (interval.low > 0 or interval.high < 0)
        and (p_value is None or p_value < 0.05)
    )
    is_up = (mean > 0) == (direction != "minimize")
    verdict: Verdict = "unclear" if not is_clear or direction == "neutral" else "better" if is_up else "worse"
    low, high = interval or (None, None)
    wins, losses = (down, up) if direction == "minimize" else (up, down)
    return Difference(
        count,
        mean if count else None,
        low,
        high,
        method,
        p_value,
        wins,
        losses,
        count - up - down,
        verdict,
        None if is_clear else needed,
    )


def _count_needed(count: int, mean: float, deviation: float) -> int | None:
    if count == 0 or mean == 0:
        return None
    needed = ((Z_95 + _Z_POWER) * deviation / mean) ** 2
    at_least = max(ceil(needed) if needed < inf else _COUNT_NEEDED_MAX + 1, count + 1, PAIRS_MIN)
    return None if at_least > _COUNT_NEEDED_MAX else at_least
