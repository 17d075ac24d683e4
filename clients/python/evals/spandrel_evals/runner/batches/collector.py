"""Collects the requests of a run into batches, and waits for their answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...errors import CredentialError, InputError, ModelError, ModelRequestError, ModelTimeoutError, RateLimitError, TransientModelError
from ...json_values import dump_json
from ...limits import (
    BATCH_BYTES_MAX,
    BATCH_IDLE_SECONDS,
    BATCH_POLL_SECONDS,
    BATCH_REQUEST_COUNT_MAX,
    BATCH_SECONDS_MAX,
    RETRIES_DEFAULT,
    RETRY_BASE_SECONDS,
    RETRY_DELAY_SECONDS_MAX,
)
from ...llm import calls
from ...llm.contract import ModelReply, ModelRequest
from ...threads import run_in_thread
from ..request_key import RequestKeys


@dataclass
class _Group:
    """Requests to one model that go into one batch, by their names."""

    llm: Any
    bodies: dict[str, Any] = field(default_factory=dict)
    futures: dict[str, asyncio.Future[ModelReply]] = field(default_factory=dict)
    size_bytes: int = 0
    timer: asyncio.TimerHandle | None = None


class BatchCollector:
    """Requests wait until no new one arrives for a moment, or until a batch is full. Repairs go into the next batch.

    With a checkpoint, a batch is written down as soon as the vendor has accepted it. A run that goes on collects the batches of
    the run before it. A batch whose process ends between its acceptance and this line, which is a few milliseconds, is sent again.
    """

    def __init__(self, checkpoint: Any = None, *, poll_seconds: float = BATCH_POLL_SECONDS, idle_seconds: float = BATCH_IDLE_SECONDS) -> None:
        self.window = BATCH_REQUEST_COUNT_MAX
        self._checkpoint = checkpoint
        self._poll = poll_seconds
        self._idle = idle_seconds
        self._keys = RequestKeys()
        self._groups: dict[int, _Group] = {}
        # Answers of batches of the run before.
        self._earlier: dict[str, asyncio.Task[dict[str, Any]]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    async def send(self, llm: Any, request: ModelRequest) -> ModelReply:
        if llm.adapter().batch() is None:
            raise InputError(f"{llm.provider} has no batch interface; leave batch out")
        digest = self._keys.of(llm, request, calls.settings().repetition).hex()[:40]
        name = f"{calls.current_slot()}-{digest}"
        batch = self._checkpoint.find_batch(name) if self._checkpoint is not None else None
        if batch is not None:
            answer = await self._find_earlier(llm, batch, name)
            if isinstance(answer, ModelReply):
                return answer
        return await self._add(llm, request, name)

    async def _find_earlier(self, llm: Any, batch: str, name: str) -> Any:
        """The answer from a batch of the run before. None if the vendor does not have it any more."""
        task = self._earlier.get(batch)
        if task is None:
            task = self._earlier[batch] = self._start(self._collect(llm, batch))
        try:
            return (await asyncio.shield(task)).get(name)
        except ModelError as error:
            if error.is_transient or (isinstance(error, CredentialError) and error.status != 404):
                raise
            return None

    async def _add(self, llm: Any, request: ModelRequest, name: str) -> ModelReply:
        body = llm.adapter().body(request)
        size = len(dump_json(body).encode("utf-8", "backslashreplace"))
        if size > BATCH_BYTES_MAX:
            raise InputError(f"a request has {size:,} bytes; a batch takes {BATCH_BYTES_MAX:,}: shorten the row, or leave batch out")
        group = self._groups.get(id(llm))
        if group is not None and group.size_bytes + size > BATCH_BYTES_MAX:
            self._flush(id(llm))
            group = None
        if group is None:
            group = self._groups[id(llm)] = _Group(llm)
        while name in group.bodies:
            name = f"{name}x"
        loop = asyncio.get_running_loop()
        future = group.futures[name] = loop.create_future()
        group.bodies[name] = body
        group.size_bytes += size
        if group.timer is not None:
            group.timer.cancel()
        if len(group.bodies) >= BATCH_REQUEST_COUNT_MAX:
            self._flush(id(llm))
        else:
            group.timer = loop.call_later(self._idle, self._flush, id(llm))
        return await future

    def _flush(self, key: int) -> None:
        group = self._groups.pop(key, None)
        if group is not None:
            if group.timer is not None:
                group.timer.cancel()
            self._start(self._run(group))

    def _start(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self, group: _Group) -> None:
        adapter = group.llm.adapter()
        try:
            # A batch that may have been accepted is not sent twice.
            batch = await self._ask(adapter, RateLimitError, adapter.batch().create, group.bodies)
            if self._checkpoint is not None:
                self._checkpoint.store_batch(batch, list(group.bodies))
                await run_in_thread(self._checkpoint.sync)
            group.bodies.clear()
            answers = await self._collect(group.llm, batch)
            for name, future in group.futures.items():
                _resolve(future, answers.get(name), batch)
        except Exception as failed:
            for future in group.futures.values():
                if not future.done():
                    future.set_exception(failed)

    async def _collect(self, llm: Any, batch: str) -> dict[str, Any]:
        """Answers of a batch, or texts of errors, by the names of the requests."""
        adapter = llm.adapter()
        batches = adapter.batch()
        deadline = time.monotonic() + BATCH_SECONDS_MAX
        pause = min(self._poll, 0.2)
        while not await self._ask(adapter, TransientModelError, batches.has_ended, batch):
            if time.monotonic() > deadline:
                raise ModelTimeoutError(f"the batch {batch} has not ended within {BATCH_SECONDS_MAX / 3600:g} hours")
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, self._poll)
        found: dict[str, Any] = await self._ask(adapter, TransientModelError, batches.results, batch)
        return found

    async def _ask(self, adapter: Any, passing: type[ModelError], function: Callable[..., Any], *arguments: Any) -> Any:
        """Asks the vendor, and asks again after errors of a kind that may pass."""
        for attempt in range(RETRIES_DEFAULT + 1):
            try:
                return await run_in_thread(function, *arguments)
            except Exception as failed:
                error = failed if isinstance(failed, ModelError) else adapter.to_error(failed)
                if not isinstance(error, passing) or attempt == RETRIES_DEFAULT:
                    raise error from (failed if error is not failed else None)
                asked = getattr(error, "retry_after", None) or 0.0
            await asyncio.sleep(max(asked, min(RETRY_BASE_SECONDS * 2**attempt, RETRY_DELAY_SECONDS_MAX)))

    async def aclose(self) -> None:
        for group in self._groups.values():
            if group.timer is not None:
                group.timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _resolve(future: asyncio.Future[ModelReply], answer: Any, batch: str) -> None:
    if future.done():
        return
    if isinstance(answer, ModelReply):
        future.set_result(answer)
    elif answer is None:
        future.set_exception(TransientModelError(f"the batch {batch} has no answer to a request"))
    else:
        future.set_exception(ModelRequestError(f"the batch {batch} could not answer a request: {answer}"))
