"""How many tasks run at a time: all at first, fewer after rate limits and timeouts, more again while calls succeed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

_WINDOW_SECONDS = 5.0
_COLLAPSE_SECONDS = 30.0


class Gate:
    """Lets at most `limit` tasks run. The limit moves between 1 and `maximum`."""

    def __init__(self, maximum: int) -> None:
        self.maximum = max(1, maximum)
        self.limit = self.maximum
        self._running = 0
        self._changed = asyncio.Event()
        self._window = time.monotonic()
        self._is_clean = True
        self._last_slow = -_COLLAPSE_SECONDS
        self._pause_until = 0.0

    async def enter(self) -> None:
        while True:
            pause = self._pause_until - time.monotonic()
            if pause <= 0 and self._running < self.limit:
                self._running += 1
                return
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), pause if pause > 0 else 1.0)
            except asyncio.TimeoutError:
                self._grow()

    def leave(self) -> None:
        self._running -= 1
        self._grow()
        self._changed.set()

    def slow_down(self, seconds: float | None = None) -> None:
        """A rate limit or a timeout: half as many, or one after a second within 30 s; none until the pause is over."""
        now = time.monotonic()
        self.limit = 1 if now - self._last_slow < _COLLAPSE_SECONDS and self.limit <= 2 else max(1, self.limit // 2)
        self._last_slow = now
        self._is_clean = False
        if seconds is not None:
            self._pause_until = max(self._pause_until, now + min(seconds, 60.0))

    def _grow(self) -> None:
        now = time.monotonic()
        if now - self._window < _WINDOW_SECONDS:
            return
        if self._is_clean and self.limit < self.maximum:
            self.limit += 1
        self._window, self._is_clean = now, True


def is_rate_limit(error: BaseException, kinds: tuple[type[BaseException], ...]) -> bool:
    """Whether an error of a task says that a model's limit was met."""
    if kinds and isinstance(error, kinds):
        return True
    status = getattr(error, "status_code", None) or getattr(getattr(error, "response", None), "status_code", None)
    return status in (429, 529) or type(error).__name__ == "RateLimitError"


def wanted_pause(error: BaseException) -> float | None:
    """Seconds that a provider asks for in the headers of an error."""
    headers: Any = getattr(getattr(error, "response", None), "headers", None)
    if not isinstance(headers, Mapping) and not hasattr(headers, "get"):
        return None
    for name in ("retry-after", "x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"):
        seconds = _seconds(str(headers.get(name) or ""))
        if seconds is not None:
            return seconds
    return None


def _seconds(text: str) -> float | None:
    """`20`, `1.5s`, `120ms`, `1m30s`."""
    import re

    found = re.findall(r"([\d.]+)(ms|s|m|h)?", text.strip())
    if not found or "".join(a + b for a, b in found) != text.strip():
        return None
    scale = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0}
    try:
        return sum(float(number) * scale[unit] for number, unit in found)
    except ValueError:
        return None
