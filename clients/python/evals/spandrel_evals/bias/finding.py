"""What a bias check found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..statistics.comparison import mid_p_sign_test
from ..statistics.intervals import Interval, paired_share_interval

Status = Literal["found", "not found", "skipped"]
# A report raises a false alarm in at most this share of cases, over all of its checks.
FALSE_ALARM_MAX = 0.05


@dataclass(frozen=True)
class Finding:
    """Result of one check. The effect and its 95 % interval are shares from -1 to 1; None without rows."""

    check: str
    status: Status
    count: int
    effect: float | None
    low: float | None
    high: float | None
    p_value: float | None
    sentence: str
    # Two-sided, corrected for the number of checks (Holm).
    adjusted_p_value: float | None = None


def skipped(check: str, reason: str) -> Finding:
    return Finding(check, "skipped", 0, None, None, None, None, f"Not checked: {reason}.")


def paired_finding(check: str, ups: int, downs: int, count: int, up: str, down: str, none: str) -> Finding:
    """A change of yes/no verdicts from one variant of a row to another: ``ups`` became positive, ``downs`` negative.

    :param up: what it means when the rate rises, as a sentence without its end
    :param none: the sentence without a clear change
    """
    interval = paired_share_interval(ups, downs, count)
    if interval is None:
        return skipped(check, "no row has a verdict in both variants")
    return difference_finding(check, (ups - downs) / count, interval, mid_p_sign_test(ups, downs), count, up, down, none)


def difference_finding(
    check: str, effect: float, interval: Interval, p_value: float, count: int, up: str, down: str, none: str
) -> Finding:
    size = f"{effect * 100:+.1f} points ({interval.low * 100:.1f} to {interval.high * 100:.1f}), n = {count:,}"
    is_found = p_value < FALSE_ALARM_MAX
    sentence = f"{up if effect > 0 else down}: {size}." if is_found else f"{none}: {size}."
    # `correct_findings` decides again with the other checks in view.
    return Finding(check, "found" if is_found else "not found", count, effect, interval.low, interval.high, p_value, sentence)


def correct_findings(findings: Sequence[Finding]) -> list[Finding]:
    """The findings with p-values corrected for their number (Holm 1979), and those that are not clear any more."""
    tested = sorted((each.p_value, index) for index, each in enumerate(findings) if each.p_value is not None)
    corrected = list(findings)
    largest = 0.0
    for rank, (p_value, index) in enumerate(tested):
        largest = max(largest, min(1.0, p_value * (len(tested) - rank)))
        finding = replace(findings[index], adjusted_p_value=largest)
        if finding.status == "found" and largest >= FALSE_ALARM_MAX:
            note = f" Among {len(tested)} checks, one such effect may be chance."
            finding = replace(finding, status="not found", sentence=finding.sentence + note)
        corrected[index] = finding
    return corrected
