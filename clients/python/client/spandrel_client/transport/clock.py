"""Whether the clock of this machine agrees with that of the server, by the header `date` of its answers."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping

from ..limits import CLOCK_SKEW_SECONDS_MAX

ADVICE = "turn on time synchronization on the machine that is wrong"


def clock_skew(headers: Mapping[str, str]) -> float | None:
    """Seconds by which this machine is ahead of the server, negative if it is behind. None when no time is stated."""
    # An answer from a cache has the time of its first request.
    if "date" not in headers or "age" in headers:
        return None
    try:
        return time.time() - email.utils.parsedate_to_datetime(headers["date"]).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None


def clock_problem(headers: Mapping[str, str], server: str) -> str | None:
    """What is wrong, expected and received, in one clause. None when the clocks agree or the server states no time."""
    skew = clock_skew(headers)
    if skew is None or abs(skew) <= CLOCK_SKEW_SECONDS_MAX:
        return None
    minutes = round(abs(skew) / 60)
    amount = f"{minutes} minutes" if minutes < 120 else f"{round(minutes / 60)} hours"
    return (
        f"the clock of this machine is {amount} {'ahead of' if skew > 0 else 'behind'} that of {server}; "
        f"expected at most {CLOCK_SKEW_SECONDS_MAX // 60} minutes"
    )
