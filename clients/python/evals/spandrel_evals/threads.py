"""Threads for functions that block.

A run has a pool of its own: the pool of the caller's event loop may be small, and belongs to the caller.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

_pool: contextvars.ContextVar[Executor | None] = contextvars.ContextVar("spandrel_evals_pool", default=None)


@contextmanager
def using_pool(pool: Executor) -> Iterator[None]:
    """Functions that are run inside, and in tasks that are made inside, use the pool."""
    token = _pool.set(pool)
    try:
        yield
    finally:
        _pool.reset(token)


async def run_in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a function that blocks, with the context variables of the caller."""
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(_pool.get(), lambda: context.run(function, *arguments))
