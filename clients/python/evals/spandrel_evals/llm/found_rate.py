"""The rate that a vendor takes when it states none. The TypeScript library has the same rule (found-rate.ts)."""

from __future__ import annotations

from collections import deque
from math import inf, sqrt

# Share of a measured rate with which requests go on: the rest fills the vendor's bucket, so that late requests find a token.
_HELD_SHARE = 0.97
# Requests that measure a rate: one more or less changes it by a tenth.
_MEASURED_REQUESTS = 10
# Until then, the rate starts with this share of what was accepted before, which came from a full bucket, …
_SEARCH_SHARE = 1 / 8
# … grows with each request that is accepted, …
_SEARCH_GROWTH, _SEARCH_GROWTH_MAX = 1.1, 1_000.0
# … and is lowered by this factor with each refusal.
_SEARCH_CUT = 0.5
# Shortest time between the first request and the first refusal that is reckoned with.
_FIRST_SECONDS = 0.05
# A measured rate holds for this time and this number of requests.
_HOLD_SECONDS, _HOLD_REQUESTS = 2.0, 50
# Then it grows with each step, which takes a second and this number of requests: slowly at first, later quickly.
_STEP_REQUESTS = 10
_SLOW_STEPS, _STEPS_MAX = 8.0, 60.0
_SLOW_GROWTH, _FAST_GROWTH = 1.02, 1.2
# Slots that are left out after a refusal, for at most this time.
_SKIPPED_SLOTS, _SKIPPED_SECONDS_MAX = 2.0, 1.0
# Requests of this time may be sent at once when a timer was late.
_LATE_SECONDS = 0.02
_REFUSAL_COUNT_MAX = 100
_RATE_MIN = 0.01


class FoundRate:
    """Each refusal says that the vendor's bucket is empty, so what was accepted from one refusal to another is what the vendor
    refills, whatever the size of the bucket.

    Times are seconds of one clock, rates requests a second. A rate that is given at the start counts as measured.
    """

    def __init__(self, rate: float | None = None) -> None:
        # Infinite until the first refusal, if none is given.
        self._rate = inf if rate is None else rate
        self._is_measured = rate is not None
        # When the next request may be sent.
        self.next_at = 0.0
        self._first_at: float | None = None
        # Requests that were sent and not refused, also those in flight.
        self._accepted = 0
        self._cut_at = -inf
        # From here on the rate grows.
        self._resumed_at = 0.0
        self._accepted_at_cut = 0
        # Times of refusals, and how many requests had been accepted by then.
        self._refusals: deque[list[float]] = deque(maxlen=_REFUSAL_COUNT_MAX)

    def at(self, now: float) -> float:
        if self._rate == inf:
            return inf
        requests = max(0, self._accepted - self._accepted_at_cut)
        if not self._is_measured:
            return self._rate * min(_SEARCH_GROWTH_MAX, _SEARCH_GROWTH ** min(requests, 100))
        steps = min(now - self._resumed_at - _HOLD_SECONDS, (requests - _HOLD_REQUESTS) / _STEP_REQUESTS, _STEPS_MAX)
        slow = min(max(0.0, steps), _SLOW_STEPS)
        return self._rate * _SLOW_GROWTH**slow * _FAST_GROWTH ** max(0.0, steps - _SLOW_STEPS)

    def send(self, now: float) -> None:
        """Counts a request that is sent."""
        if self._first_at is None:
            self._first_at = now
            self._resumed_at = now
        self._accepted += 1
        if self._rate != inf:
            self.next_at = max(self.next_at, now - _LATE_SECONDS) + 1 / self.at(now)

    def is_late(self, sent_at: float) -> bool:
        """Whether the request was sent before the rate was lowered last, so that its refusal belongs to the same event."""
        return sent_at <= self._cut_at

    def refuse(self, sent_at: float, now: float, resume_at: float) -> None:
        """Lowers the rate, unless the refusal is late. `resume_at` is when requests go on, because the vendor said how long to wait."""
        self._accepted -= 1
        for refusal in self._refusals:
            if sent_at <= refusal[0]:
                refusal[1] -= 1
        if self.is_late(sent_at):
            self._accepted_at_cut -= 1
        else:
            self._cut(now)
        self._resumed_at = max(self._resumed_at, resume_at)
        self.next_at = max(self.next_at, resume_at + min(_SKIPPED_SLOTS / self._rate, _SKIPPED_SECONDS_MAX))

    def _cut(self, now: float) -> None:
        # The newest refusal from which on enough requests were accepted: an older one may be of another limit.
        reference = next((one for one in reversed(self._refusals) if self._accepted - one[1] >= _MEASURED_REQUESTS), None)
        if reference is not None:
            refilled = (self._accepted - reference[1]) / max(0.001, now - reference[0])
            # A small bucket is full most of the time, and then the vendor would have taken more; the present rate is too high.
            found = sqrt(refilled * self.at(now)) if self._is_measured else refilled
            self._rate = _HELD_SHARE * found
        elif self._rate != inf:
            self._rate = self.at(now) * _SEARCH_CUT
        else:
            passed = max(_FIRST_SECONDS, now - (now if self._first_at is None else self._first_at))
            self._rate = _SEARCH_SHARE * max(1, self._accepted) / passed
        self._rate = max(self._rate, _RATE_MIN)
        self._is_measured = reference is not None
        self._cut_at = now
        self._accepted_at_cut = self._accepted
        self._refusals.append([now, self._accepted])
