"""What a server shows soon after a write."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import httpx

SECONDS_MAX = 30

Found = TypeVar("Found")


def eventually(claim: Callable[[], Found]) -> Found:
    """Runs the claim until it holds: a write is readable soon, not at once."""
    deadline = time.monotonic() + SECONDS_MAX
    while True:
        try:
            return claim()
        except (AssertionError, httpx.HTTPStatusError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
