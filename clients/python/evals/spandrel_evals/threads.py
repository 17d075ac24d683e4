"""Threads for functions that block.

A run has a pool of its own: the pool of the caller's event loop may be small, and belongs to the caller.
"""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

class DaemonPool(Executor):
    """Up to `workers` threads, which do not keep the process alive: a function may never return."""

    def __init__(self, workers: int, name: str) -> None:
        self._workers = workers
        self._name = name
        self._tasks: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._lock = threading.Lock()
        self._count = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._tasks.put((future, lambda: fn(*args, **kwargs)))
        if not self._idle.acquire(blocking=False):
            with self._lock:
                if self._count < self._workers:
                    self._count += 1
                    threading.Thread(target=self._work, name=f"{self._name} {self._count}", daemon=True).start()
        return future

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            future, function = task
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function())
                except BaseException as error:
                    future.set_exception(error)
            # A result must not be kept until the next one.
            del task, future, function
            self._idle.release()

    def shutdown(self, wait: bool = False, *, cancel_futures: bool = True) -> None:
        """Cancels what has not begun. Threads end after what they are doing; nothing waits for them."""
        while not self._tasks.empty():
            try:
                task = self._tasks.get_nowait()
            except queue.Empty:
                break
            if task is not None:
                task[0].cancel()
        for _ in range(self._count):
            self._tasks.put(None)


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
