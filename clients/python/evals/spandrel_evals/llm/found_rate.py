"""The rate at which a vendor answers that does not state its limits, found from what it refuses.

The TypeScript library has the same rule. Vendors fill a bucket at a steady rate. What was accepted before the first refusal came
from a full bucket and says little; between two refusals the bucket is empty at both ends, so what was accepted in between is the
rate.
"""

from __future__ import annotations

from collections import deque

_RATE_MIN = 0.1
# Share of the measured rate that is asked for, so that the bucket fills a little.
_HELD_SHARE = 0.97
# After the first refusal: a rate that is surely too low, and the seconds in which it doubles until the next refusal.
_FIRST_DIVISOR = 8.0
_FIRST_SECONDS_MIN = 0.05
_DOUBLING_SECONDS = 0.25
# Seconds between two refusals that can be measured, and for which a refusal is remembered beside the last one.
_MEASURED_SECONDS_MIN = 0.2
_REMEMBERED_SECONDS = 10.0
# Growth in a second: none at first, slow, and quick when the limit must have been raised.
_STEADY_SECONDS = 2.0
_SLOW_SECONDS, _SLOW_GROWTH = 8.0, 1.02
_QUICK_SECONDS_MAX, _QUICK_GROWTH = 60.0, 1.2


class FoundRate:
    """Requests a second. Times are those of a monotonic clock."""

    def __init__(self, rate: float | None = None) -> None:
        self._rate = rate
        self._at = 0.0
        self._is_searching = False
        # Times of refusals, and how many requests had been accepted by then.
        self._refusals: deque[list[float]] = deque(maxlen=100)

    def current(self, now: float) -> float | None:
        """None as long as nothing was refused, and no rate was given at the start."""
        if self._rate is None:
            return None
        passed = max(now - self._at, 0.0)
        if self._is_searching:
            return self._rate * 2 ** min(passed / _DOUBLING_SECONDS, 60.0)
        slow = min(max(passed - _STEADY_SECONDS, 0.0), _SLOW_SECONDS)
        quick = min(max(passed - _STEADY_SECONDS - _SLOW_SECONDS, 0.0), _QUICK_SECONDS_MAX)
        return self._rate * _SLOW_GROWTH**slow * _QUICK_GROWTH**quick

    def start(self, now: float) -> None:
        """The first request. A rate that was given grows from here."""
        self._at = now

    def refuse(self, now: float, accepted: int, seconds: float, resumes_at: float) -> bool:
        """A refusal, after which requests are sent again at `resumes_at`. Whether the rate was measured.

        :param accepted: requests so far that were not refused
        :param seconds: since the first request
        """
        known = self.current(now)
        is_first = not self._refusals
        while len(self._refusals) > 1 and self._refusals[0][0] < now - _REMEMBERED_SECONDS:
            self._refusals.popleft()
        passed = now - self._refusals[0][0] if self._refusals else 0.0
        is_measured = passed >= _MEASURED_SECONDS_MIN
        if is_measured:
            rate = _HELD_SHARE * (accepted - self._refusals[0][1]) / passed
        elif known is None:
            rate = accepted / (_FIRST_DIVISOR * max(seconds, _FIRST_SECONDS_MIN))
        else:
            rate = known / 2
            self._refusals.clear()
        # Without a measurement the search begins, or goes on from the lower rate.
        self._is_searching = not is_measured and (is_first or self._is_searching)
        self._rate = max(rate, _RATE_MIN)
        self._at = resumes_at
        self._refusals.append([now, accepted])
        return is_measured

    def refuse_late(self, count: int) -> None:
        """A request that was in flight at the last `count` refusals was refused too, so it had not been accepted."""
        for known in list(self._refusals)[-count:]:
            known[1] -= 1
