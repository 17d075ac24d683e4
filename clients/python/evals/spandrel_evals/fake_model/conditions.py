"""Delays, limits and failures of the fake model, by seed."""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Sequence
from typing import NamedTuple


class Outcome(NamedTuple):
    """`kind`: answered, refused, failed, hang, half or endless."""

    kind: str
    delay: float = 0.0
    retry_after: float | None = None


class Conditions:
    """What happens to the next request.

    `requests_per_second` fills a bucket of `burst` requests (one second's unless given); `tokens_per_minute` likewise.
    `refusal_bursts` is `(every, seconds)`: from time to time everything is refused. Rates of failures are probabilities.
    """

    def __init__(
        self,
        *,
        latency: float | Sequence[float] = 0.0,
        requests_per_second: float | None = None,
        burst: float | None = None,
        tokens_per_minute: float | None = None,
        refusal_bursts: Sequence[float] | None = None,
        error_rate: float = 0.0,
        hang_rate: float = 0.0,
        half_rate: float = 0.0,
        endless_rate: float = 0.0,
        states_limits: bool = True,
        seed: int = 0,
    ) -> None:
        self._latency = latency
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._rate = requests_per_second
        self._burst = burst or (max(requests_per_second, 1.0) if requests_per_second else 0.0)
        self._level = self._burst
        self._token_rate = tokens_per_minute / 60 if tokens_per_minute else None
        self._token_burst = tokens_per_minute or 0.0
        self._token_level = self._token_burst
        self._at = time.monotonic()
        self._bursts = tuple(refusal_bursts) if refusal_bursts else None
        self._started: float | None = None
        self._failures = (("failed", error_rate), ("hang", hang_rate), ("half", half_rate), ("endless", endless_rate))
        self._states_limits = states_limits
        self.is_immediate = not latency and requests_per_second is None and tokens_per_minute is None and not refusal_bursts and not any(rate for _, rate in self._failures)

    def next(self, tokens: int) -> Outcome:
        with self._lock:
            now = time.monotonic()
            self._started = self._started or now
            passed, self._at = now - self._at, now
            if self._rate is not None:
                self._level = min(self._level + passed * self._rate, self._burst)
            if self._token_rate is not None:
                self._token_level = min(self._token_level + passed * self._token_rate, self._token_burst)
            if self._bursts is not None:
                every, seconds = self._bursts
                phase = (now - self._started) % every
                # The first burst is not at the start, so that a run gets going.
                if phase > every - seconds:
                    return Outcome("refused", retry_after=every - phase)
            if self._rate is not None and self._level < 1:
                return Outcome("refused", retry_after=max((1 - self._level) / self._rate, 0.01))
            if self._token_rate is not None and self._token_level < tokens:
                return Outcome("refused", retry_after=max((tokens - self._token_level) / self._token_rate, 0.01))
            if self._rate is not None:
                self._level -= 1
            if self._token_rate is not None:
                self._token_level -= tokens
            for kind, rate in self._failures:
                if rate and self._random.random() < rate:
                    return Outcome(kind, self._delay())
            return Outcome("answered", self._delay())

    def _delay(self) -> float:
        if isinstance(self._latency, (int, float)):
            return float(self._latency)
        median, sigma = self._latency
        return median * math.exp(self._random.gauss(0, sigma))

    def headers(self) -> dict[str, str]:
        """The limits, as OpenAI states them."""
        if not self._states_limits or (self._rate is None and self._token_rate is None):
            return {}
        found: dict[str, str] = {}
        with self._lock:
            passed = time.monotonic() - self._at
            if self._rate is not None:
                level = min(self._level + passed * self._rate, self._burst)
                found |= _headers("requests", self._burst, level, self._rate)
            if self._token_rate is not None:
                level = min(self._token_level + passed * self._token_rate, self._token_burst)
                found |= _headers("tokens", self._token_burst, level, self._token_rate)
        return found


def _headers(name: str, limit: float, level: float, rate: float) -> dict[str, str]:
    return {
        f"x-ratelimit-limit-{name}": f"{limit:g}",
        f"x-ratelimit-remaining-{name}": str(int(max(level, 0))),
        f"x-ratelimit-reset-{name}": f"{max(math.ceil((limit - int(max(level, 0))) / rate * 1000), 0)}ms",
    }
