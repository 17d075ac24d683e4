"""Rows of a run while it goes on."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import Any

from .results import EvaluatedRow
from .run import Run

# Finished rows that a stream keeps for its reader.
_STREAM_ROWS = 256
# Rows that change threads together, because a change costs more than a row.
_ROWS_PER_CHANGE = 64


def async_evaluate_stream(data: Any, evaluators: Any, **options: Any) -> AsyncIterator[EvaluatedRow]:
    """Rows as they finish, which need not be their order. The run waits for a slow reader."""
    return _read_async(_Stream(data, evaluators, options))


def evaluate_stream(data: Any, evaluators: Any, **options: Any) -> Iterator[EvaluatedRow]:
    """Rows as they finish, from a loop in a thread of its own."""
    return _read(_Stream(data, evaluators, options))


class _Stream:
    """A run that begins with the first read."""

    def __init__(self, data: Any, evaluators: Any, options: dict[str, Any]) -> None:
        self._run = Run(data, evaluators, {**options, "keep_rows": False})
        self._queue: asyncio.Queue[EvaluatedRow | None] | None = None
        self._task: asyncio.Task[Any] | None = None
        self._is_over = False

    async def read(self, count_max: int = 1) -> list[EvaluatedRow]:
        """Rows that are ready, at least one. None at the end. Raises the error of the run after its last row."""
        if self._queue is None or self._task is None:
            self._queue = asyncio.Queue(_STREAM_ROWS)
            self._task = asyncio.create_task(self._produce(self._queue))
        found: list[EvaluatedRow] = []
        while not self._is_over and len(found) < count_max and not (found and self._queue.empty()):
            row = await self._queue.get()
            if row is None:
                self._is_over = True
            else:
                found.append(row)
        if not found:
            await self._task
        return found

    async def _produce(self, queue: asyncio.Queue[EvaluatedRow | None]) -> None:
        def sink(row: EvaluatedRow) -> Awaitable[None] | None:
            if queue.full():
                return queue.put(row)
            queue.put_nowait(row)
            return None

        try:
            await self._run.run(sink)
        finally:
            await queue.put(None)

    async def aclose(self) -> None:
        if self._task is None or self._queue is None or self._task.done():
            return
        self._task.cancel()
        # The run may wait for space in the queue.
        while not self._queue.empty():
            self._queue.get_nowait()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task


async def _read_async(stream: _Stream) -> AsyncIterator[EvaluatedRow]:
    try:
        while found := await stream.read():
            yield found[0]
    finally:
        await stream.aclose()


def _read(stream: _Stream) -> Iterator[EvaluatedRow]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="evaluate-stream", daemon=True)
    thread.start()
    try:
        while found := asyncio.run_coroutine_threadsafe(stream.read(_ROWS_PER_CHANGE), loop).result():
            yield from found
    finally:
        asyncio.run_coroutine_threadsafe(stream.aclose(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
