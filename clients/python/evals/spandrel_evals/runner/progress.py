"""Progress of a run: rate, errors, cost, time left. One line that is rewritten on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any

_TERMINAL_SECONDS = 0.2
_PLAIN_SECONDS = 10.0


class Progress:
    def __init__(self, total: int | None, stream: Any = None, is_shown: bool = True) -> None:
        self._total = total
        self._stream = stream or sys.stderr
        self._is_shown = is_shown
        self._is_terminal = bool(getattr(self._stream, "isatty", lambda: False)())
        self._started = self._shown_at = time.monotonic()
        self._period = _TERMINAL_SECONDS if self._is_terminal else _PLAIN_SECONDS
        self._has_shown = False

    def update(self, summary: Any) -> None:
        now = time.monotonic()
        if self._is_shown and now - self._shown_at >= self._period:
            self._shown_at = now
            self._show(self.line(summary, now))

    def line(self, summary: Any, now: float | None = None) -> str:
        passed = (time.monotonic() if now is None else now) - self._started
        fresh = max(summary.rows - summary.restored, 0)
        rate = fresh / passed if passed > 0 else 0.0
        of = f" of {self._total:,}" if self._total is not None else ""
        parts = [f"{summary.rows:,}{of} rows", f"{rate:,.1f}/s", f"{summary.errors:,} errors"]
        if summary.cost is not None:
            parts.append(f"${summary.cost:.2f}")
        if self._total is not None and rate > 0 and self._total > summary.rows:
            left = int((self._total - summary.rows) / rate)
            parts.append(f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left")
        return "  ".join(parts)

    def finish(self, summary: Any) -> None:
        if self._is_shown and (self._is_terminal or self._has_shown):
            self._show(self.line(summary))
            if self._is_terminal:
                print(file=self._stream, flush=True)

    def _show(self, line: str) -> None:
        self._has_shown = True
        try:
            print(f"\r{line}\x1b[K" if self._is_terminal else line, end="" if self._is_terminal else "\n", file=self._stream, flush=True)
        except (OSError, ValueError):
            # A closed stream must not end a run.
            self._is_shown = False
