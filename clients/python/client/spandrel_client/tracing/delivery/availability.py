"""Whether the server answers, when to try again, and what to tell people about it."""

from __future__ import annotations

import random
import time

from ... import limits
from .losses import logger
from .sending import Outcome

_random = random.SystemRandom()
# A server that asks for longer pauses is tried all the same.
_RETRY_AFTER_MAX = limits.TRACE_RETRY_SECONDS_MAX * 4


class Availability:
    """`next_attempt` is a time of the monotonic clock. Its owner changes it with a lock."""

    def __init__(self, shown: str, kept_in: str) -> None:
        self._shown = shown
        self._kept_in = kept_in
        self._attempt = 0
        self._has_told = False
        self.is_away = False
        self.next_attempt = 0.0

    def answered(self) -> None:
        self.is_away, self._attempt, self.next_attempt = False, 0, 0.0

    def missed(self, outcome: Outcome) -> None:
        """Plans the next attempt: after the pause that the server asks for, or twice the last one with jitter."""
        self.is_away = True
        self._attempt += 1
        longest = min(limits.TRACE_RETRY_SECONDS_MAX, limits.TRACE_RETRY_SECONDS_BASE * 2 ** min(self._attempt, 10))
        pause = outcome.retry_after if outcome.retry_after is not None else _random.uniform(longest / 2, longest)
        self.next_attempt = time.monotonic() + min(pause, _RETRY_AFTER_MAX)

    def tell_away(self, outcome: Outcome) -> None:
        """Says once why spans wait."""
        if not self._has_told:
            self._has_told = True
            logger.warning("Spans are kept in %s and sent later: %s.", self._kept_in, outcome.detail)

    def tell_back(self) -> None:
        """Says once that they do not wait any more."""
        if self._has_told:
            self._has_told = False
            logger.warning("%s takes spans again.", self._shown)
