"""Collects the requests of a run into batches, and waits for their answers."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from ...errors import InputError, ModelRequestError, ModelTimeoutError, TransientModelError
from ...limits import BATCH_IDLE_SECONDS, BATCH_POLL_SECONDS, BATCH_REQUEST_COUNT_MAX, BATCH_SECONDS_MAX
from ...llm.contract import ModelReply, ModelRequest


class BatchCollector:
    """Requests wait until no new one arrives for a moment, or until a batch is full. Repairs go into the next batch."""

    def __init__(self, checkpoint: Any = None, *, poll_seconds: float = BATCH_POLL_SECONDS, idle_seconds: float = BATCH_IDLE_SECONDS) -> None:
        self.window = BATCH_REQUEST_COUNT_MAX
        self._poll = poll_seconds
        self._idle = idle_seconds
        self._waiting: dict[int, tuple[Any, list[tuple[ModelRequest, asyncio.Future[ModelReply]]]]] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def send(self, llm: Any, request: ModelRequest) -> ModelReply:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[ModelReply] = loop.create_future()
        _, requests = self._waiting.setdefault(id(llm), (llm, []))
        requests.append((request, future))
        timer = self._timers.pop(id(llm), None)
        if timer is not None:
            timer.cancel()
        if len(requests) >= BATCH_REQUEST_COUNT_MAX:
            self._flush(id(llm))
        else:
            self._timers[id(llm)] = loop.call_later(self._idle, self._flush, id(llm))
        return await future

    def _flush(self, key: int) -> None:
        self._timers.pop(key, None)
        llm, requests = self._waiting.pop(key, (None, []))
        if requests:
            task = asyncio.get_running_loop().create_task(self._run(llm, requests))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _run(self, llm: Any, requests: list[tuple[ModelRequest, asyncio.Future[ModelReply]]]) -> None:
        adapter = llm.adapter()
        batches = adapter.batch()
        try:
            if batches is None:
                raise InputError(f"{llm.provider} has no batch interface; leave batch out")
            bodies = {f"request-{number}": adapter.body(request) for number, (request, _) in enumerate(requests)}
            name = await asyncio.to_thread(batches.create, bodies)
            deadline = time.monotonic() + BATCH_SECONDS_MAX
            pause = min(self._poll, 0.2)
            while not await asyncio.to_thread(batches.has_ended, name):
                if time.monotonic() > deadline:
                    raise ModelTimeoutError(f"the batch {name} has not ended within {BATCH_SECONDS_MAX / 3600:g} hours")
                await asyncio.sleep(pause)
                pause = min(pause * 1.5, self._poll)
            answers = await asyncio.to_thread(batches.results, name)
            for number, (_, future) in enumerate(requests):
                _resolve(future, answers.get(f"request-{number}"), name)
        except Exception as failed:
            error = failed if isinstance(failed, (InputError, ModelTimeoutError)) else adapter.to_error(failed)
            for _, future in requests:
                if not future.done():
                    future.set_exception(error)

    async def aclose(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _resolve(future: asyncio.Future[ModelReply], answer: Any, name: str) -> None:
    if future.done():
        return
    if isinstance(answer, ModelReply):
        future.set_result(answer)
    elif answer is None:
        future.set_exception(TransientModelError(f"the batch {name} has no answer to a request"))
    else:
        future.set_exception(ModelRequestError(f"the batch {name} could not answer a request: {answer}"))
