"""Finds how fast a model may be asked: one limiter for a model and address, over all evaluators, threads and event loops."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from ..limits import CONCURRENCY_DEFAULT_MAX, CONCURRENCY_START, RETRY_AFTER_SECONDS_MAX
from .found_rate import FoundRate
from .limit_headers import Allowance, read_allowances

# Pause after a refusal that states none; it doubles with each further one in a row.
_PAUSE_SECONDS = 0.25
_DOUBLINGS_MAX = 6
# Latencies: the newest ones count for a tenth.
_SMOOTHING = 0.1
# The best latency forgets, so that longer prompts later in a run do not look like a vendor that is overloaded.
_FORGETTING = 0.001
# Latency has risen, in comparison with the best one.
_SLOW_FACTOR = 3.0


class Waiter:
    __slots__ = ("wake", "is_woken")

    def __init__(self, wake: Callable[[], None]) -> None:
        self.wake = wake
        self.is_woken = False


class Limiter:
    """Admits requests. Concurrency rises while the latency holds and falls after timeouts; refusals set a rate."""

    def __init__(self, concurrency: int | None = None, rate: float | None = None) -> None:
        self._lock = threading.Lock()
        self._waiters: deque[Waiter] = deque()
        self.in_flight = 0
        self.concurrency_max = concurrency or CONCURRENCY_DEFAULT_MAX
        self.concurrency: float = concurrency or CONCURRENCY_START
        self._rate = FoundRate(rate)
        self._paused_until = 0.0
        self._refusals_in_row = 0
        self._best_latency: float | None = None
        self._latency = 0.0
        self._tokens_per_request = 0.0
        self._allowances: dict[str, Allowance] = {}

    def configure(self, concurrency: int | None) -> None:
        """A stated number is where concurrency starts, and its maximum. Without one, the maximum of an earlier run ends."""
        with self._lock:
            if concurrency:
                self.concurrency_max = concurrency
                self.concurrency = float(concurrency)
            else:
                self.concurrency_max = CONCURRENCY_DEFAULT_MAX
                self.concurrency = min(max(self.concurrency, float(CONCURRENCY_START)), float(CONCURRENCY_DEFAULT_MAX))
            self._wake_first()

    # Admission

    def _delay(self, now: float) -> float | None:
        """0 to go, seconds to wait, or None to wait for an answer."""
        if self.in_flight >= max(int(self.concurrency), 1):
            return None
        if now < self._paused_until:
            return self._paused_until - now
        wait = 0.0
        for one in self._allowances.values():
            amount = self._tokens_per_request if one.is_tokens else 1.0
            wait = max(wait, one.wait(now, amount))
        return max(wait, self._rate.next_at - now)

    def _admit(self, now: float) -> None:
        self.in_flight += 1
        self._rate.send(now)
        for one in self._allowances.values():
            one.spend(now, self._tokens_per_request if one.is_tokens else 1.0)

    def _try(self, waiter: Waiter | None) -> tuple[float | None, float | None]:
        """The time if admitted, and otherwise the delay."""
        now = time.monotonic()
        is_first = not self._waiters or self._waiters[0] is waiter
        if is_first:
            delay = self._delay(now)
            if delay == 0:
                if waiter is not None:
                    self._waiters.popleft()
                self._admit(now)
                self._wake_first()
                return now, 0
            return None, delay
        return None, None

    def _wake_first(self) -> None:
        if self._waiters and not self._waiters[0].is_woken:
            self._waiters[0].is_woken = True
            self._waiters[0].wake()

    async def acquire_async(self) -> float:
        """The time at which the request was admitted."""
        with self._lock:
            sent_at, delay = self._try(None)
            if sent_at is not None:
                return sent_at
            loop = asyncio.get_running_loop()
            event = asyncio.Event()
            waiter = Waiter(lambda: _set_from_anywhere(loop, event))
            self._waiters.append(waiter)
        try:
            while True:
                with self._lock:
                    sent_at, delay = self._try(waiter)
                    if sent_at is not None:
                        return sent_at
                    event.clear()
                    waiter.is_woken = False
                if delay is None:
                    await event.wait()
                elif delay < 0.002:
                    await asyncio.sleep(delay)
                else:
                    timer = loop.call_later(delay, event.set)
                    try:
                        await event.wait()
                    finally:
                        timer.cancel()
        except BaseException:
            self._leave(waiter)
            raise

    def acquire(self) -> float:
        """`acquire_async` for a thread."""
        with self._lock:
            sent_at, delay = self._try(None)
            if sent_at is not None:
                return sent_at
            event = threading.Event()
            waiter = Waiter(event.set)
            self._waiters.append(waiter)
        try:
            while True:
                with self._lock:
                    sent_at, delay = self._try(waiter)
                    if sent_at is not None:
                        return sent_at
                    event.clear()
                    waiter.is_woken = False
                event.wait(delay)
        except BaseException:
            self._leave(waiter)
            raise

    def _leave(self, waiter: Waiter) -> None:
        with self._lock:
            if waiter in self._waiters:
                self._waiters.remove(waiter)
            self._wake_first()

    # Results

    def succeeded(self, seconds: float, headers: Mapping[str, str] | None, tokens: int) -> None:
        now = time.monotonic()
        with self._lock:
            self.in_flight -= 1
            self._refusals_in_row = 0
            if tokens:
                self._tokens_per_request += (tokens - self._tokens_per_request) * (_SMOOTHING if self._tokens_per_request else 1)
            if headers:
                self._observe(headers, now)
            self._adapt(seconds)
            self._wake_first()

    def _adapt(self, seconds: float) -> None:
        self._latency += (seconds - self._latency) * (_SMOOTHING if self._latency else 1)
        if self._best_latency is None or self._latency < self._best_latency:
            self._best_latency = self._latency
        else:
            self._best_latency += (self._latency - self._best_latency) * _FORGETTING
        if self._latency > self._best_latency * _SLOW_FACTOR + 0.05:
            # More at a time would only wait longer.
            return
        if self.concurrency < self.concurrency_max and self.in_flight + 1 >= int(self.concurrency):
            self.concurrency = min(self.concurrency + 1.0, float(self.concurrency_max))

    def _observe(self, headers: Mapping[str, str], now: float) -> None:
        for name, allowance in read_allowances(headers, now).items():
            known = self._allowances.get(name)
            if known is None:
                self._allowances[name] = allowance
            else:
                known.update(allowance, self.in_flight, self._tokens_per_request)

    def refused_at(self, sent_at: float, retry_after: float | None, headers: Mapping[str, str] | None = None) -> None:
        """A request met a limit. One that was sent before the last refusal is part of it."""
        now = time.monotonic()
        with self._lock:
            self.in_flight -= 1
            if headers:
                self._observe(headers, now)
            is_new = not self._rate.is_late(sent_at)
            pause = min(retry_after, RETRY_AFTER_SECONDS_MAX) if retry_after else 0.0
            if not pause and is_new:
                pause = _PAUSE_SECONDS * 2 ** min(self._refusals_in_row, _DOUBLINGS_MAX)
            self._paused_until = max(self._paused_until, now + pause)
            self._refusals_in_row += is_new
            self._rate.refuse(sent_at, now, self._paused_until)
            self._wake_first()

    def failed(self, is_timeout: bool) -> None:
        with self._lock:
            self.in_flight -= 1
            if is_timeout:
                self.concurrency = max(self.concurrency * 0.7, 1.0)
            self._wake_first()


def _set_from_anywhere(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    try:
        running = asyncio.get_running_loop()
    except RuntimeError:
        running = None
    if running is loop:
        event.set()
    elif not loop.is_closed():
        loop.call_soon_threadsafe(event.set)


_limiters: dict[Any, Limiter] = {}
_registry_lock = threading.Lock()


def limiter_of(key: Any, rate: float | None = None) -> Limiter:
    """The limiter of a provider, model and address."""
    with _registry_lock:
        if key not in _limiters:
            _limiters[key] = Limiter(rate=rate)
        return _limiters[key]
