"""Deliveries in forked children: spans of the parent are the parent's to send; threads and connections do not exist there."""

from __future__ import annotations

import os
import sys
import weakref
from typing import Any, Protocol

from ... import limits


class Forked(Protocol):
    def after_fork(self) -> None: ...

    def flush(self, timeout_seconds: float) -> bool: ...


_all: weakref.WeakSet[Any] = weakref.WeakSet()
_kept: list[Any] = []


def watch(one: Forked) -> None:
    """Calls `after_fork` in children, until `unwatch`."""
    _all.add(one)


def unwatch(one: Forked) -> None:
    _all.discard(one)


def keep(connection: Any) -> None:
    """Keeps a connection of the parent, so that its end here closes nothing."""
    _kept.append(connection)


def flush_at_exit(one: Forked) -> None:
    """In a child of multiprocessing, which ends without the functions of atexit: flushes when it ends."""
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        seconds = limits.TRACE_EXIT_SECONDS_MAX
        util.register_after_fork(one, lambda it: util.Finalize(it, it.flush, args=(seconds,), exitpriority=0))


def _in_child() -> None:
    for one in list(_all):
        one.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
