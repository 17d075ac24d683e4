"""Spans that were dropped: counted, logged once for each reason, and given to `on_drop`."""

from __future__ import annotations

import logging
import os
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

logger = logging.getLogger("spandrel_client.tracing")


@dataclass(frozen=True)
class Dropped:
    """Spans that nobody will see. `reason` is one of the constants of this module, `detail` a sentence."""

    count: int
    reason: str
    detail: str


MEMORY_FULL = "memory full"
SPILL_FULL = "spill directory full"
TOO_OLD = "too old"
REJECTED = "rejected by the server"
NOT_ENCODED = "cannot be encoded"
DAMAGED = "damaged on disk"
AFTER_END = "ended after the tracer"

OnDrop = Callable[[Dropped], None]


class Losses:
    """Counts by reason. May be used from any thread."""

    def __init__(self, on_drop: OnDrop | None = None) -> None:
        self._on_drop = on_drop
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()

    def add(self, count: int, reason: str, detail: str) -> None:
        """Counts dropped spans. `on_drop` is called in this thread; what it raises is logged."""
        with self._lock:
            is_first = reason not in self._counts
            self._counts[reason] += count
        if is_first:
            logger.warning("Dropped %d span(s), %s: %s Further ones of this kind are only counted.", count, reason, detail)
        if self._on_drop is not None:
            try:
                self._on_drop(Dropped(count, reason, detail))
            except Exception as error:  # noqa: BLE001 - the program's own function must not end the delivery
                log_problem("on_drop raised", error)

    def forget(self) -> None:
        """In a forked child: another thread of the parent may have held the lock."""
        self._lock = threading.Lock()

    def counts(self) -> dict[str, int]:
        """Dropped spans by reason."""
        with self._lock:
            return dict(self._counts)


def log_problem(message: str, error: BaseException) -> None:
    """One line; the traceback only at the level DEBUG or with SPANDREL_DEBUG."""
    is_debugging = logger.isEnabledFor(logging.DEBUG) or bool(os.environ.get("SPANDREL_DEBUG"))
    logger.warning("%s: %s", message, type(error).__name__, exc_info=error if is_debugging else None)
