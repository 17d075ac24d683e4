"""Drift: the same golden set again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..errors import InputError
from ..statistics.comparison import Difference, describe_difference
from .report import CalibrationReport, JudgedRow


class Drift(NamedTuple):
    """Change of a judge from one calibration to a later one on the same rows."""

    # Rows with a verdict in both.
    count: int
    # Share of rows with another verdict.
    changed: float
    # Change of the agreement with people, later minus earlier.
    agreement: Difference
    # Change of the rate of the positive label.
    rate: Difference
    sentence: str


def find_drift(earlier: CalibrationReport, later: CalibrationReport, *, seed: str | int = "drift") -> Drift:
    """Compares two calibrations of a judge on the same rows, of all parts: the same prompt, after a vendor changed the model.

    :raises InputError: if they have no row in common
    """
    before = _by_key(earlier.rows)
    pairs = [(before[each.labelled.key], each) for each in later.rows if each.is_pair and each.labelled.key in before]
    if not pairs:
        raise InputError("the calibrations have no row with a verdict in common; run both on the same golden set")
    positive = earlier.held_out.positive
    agreement = describe_difference(
        [float(b.label == b.labelled.label) - float(a.label == a.labelled.label) for a, b in pairs], is_binary=True, seed=seed
    )
    rate = describe_difference(
        [float(b.label == positive) - float(a.label == positive) for a, b in pairs],
        direction="neutral",
        is_binary=True,
        seed=seed,
    )
    changed = sum(a.label != b.label for a, b in pairs) / len(pairs)
    return Drift(len(pairs), changed, agreement, rate, _sentence(later.evaluator, positive, changed, agreement, rate))


def _by_key(rows: Sequence[JudgedRow]) -> dict[str, JudgedRow]:
    return {each.labelled.key: each for each in rows if each.is_pair}


def _sentence(name: str, positive: str, changed: float, agreement: Difference, rate: Difference) -> str:
    start = f"{name} gives another verdict on {changed:.1%} of {agreement.count} rows"
    parts = []
    for what, change in (("its agreement with people", agreement), (f"its share of {positive}", rate)):
        if change.mean is None or change.low is None or change.high is None:
            continue
        is_clear = (change.low > 0 or change.high < 0) and (change.p_value is None or change.p_value < 0.05)
        verb = ("rose" if change.mean > 0 else "fell") + " by" if is_clear else "did not clearly change:"
        amount = abs(change.mean) if is_clear else change.mean
        parts.append(f"{what} {verb} {amount * 100:.1f} points ({change.low * 100:.1f} to {change.high * 100:.1f})")
    return f"{start}; {'; '.join(parts)}." if parts else f"{start}."
