"""Perform the effects of calls: one driver blocks, the other awaits."""

from __future__ import annotations

import asyncio
import contextlib
import io
from typing import Any, TypeVar, Union

import httpx

from .calls import Effect, Read, Send, Sleep, Steps
from .retry import Transport

R = TypeVar("R")


class SyncDriver:
    """Its connections are closed with it, after the client and all handles of datasets, unless they are the caller's."""

    is_async = False

    def __init__(self, http: httpx.Client, transport: Transport) -> None:
        self.http = http
        self.transport = transport
        self.owns_http = False

    def __del__(self) -> None:
        if self.owns_http:
            self.http.close()

    def run(self, steps: Steps[R]) -> R:
        """Performs the effects one after another; returns what the steps return."""
        send, value = steps.send, None
        try:
            while True:
                effect: Effect = send(value)
                try:
                    send, value = steps.send, self._perform(effect)
                except Exception as error:  # noqa: BLE001 - it is thrown into the steps, which raise it or go on
                    send, value = steps.throw, error
        except StopIteration as end:
            return end.value
        finally:
            steps.close()

    def _perform(self, effect: Effect) -> Any:
        if isinstance(effect, Send):
            return self.http.send(effect.request, stream=effect.is_stream)
        if isinstance(effect, Sleep):
            return self.transport.closed.wait(effect.seconds)
        return _read(effect)


def _read(effect: Read) -> Any:
    with contextlib.closing(effect.response) as response:
        return effect.reader(io.BufferedReader(ChunkFile(response.iter_bytes(65536).__next__), 1 << 17))


class AsyncDriver:
    is_async = True

    def __init__(self, http: httpx.AsyncClient, transport: Transport) -> None:
        self.http = http
        self.transport = transport

    async def run(self, steps: Steps[R]) -> R:
        """Performs the effects one after another; returns what the steps return."""
        send, value = steps.send, None
        try:
            while True:
                effect: Effect = send(value)
                try:
                    send, value = steps.send, await self._perform(effect)
                except Exception as error:  # noqa: BLE001 - it is thrown into the steps, which raise it or go on
                    send, value = steps.throw, error
        except StopIteration as end:
            return end.value
        finally:
            steps.close()

    async def _perform(self, effect: Effect) -> Any:
        if isinstance(effect, Send):
            return await self.http.send(effect.request, stream=effect.is_stream)
        if isinstance(effect, Sleep):
            return await asyncio.sleep(effect.seconds)
        return await self._read(effect)

    async def _read(self, effect: Read) -> Any:
        """Readers block, so they run in a thread, which asks the event loop for each chunk."""
        loop = asyncio.get_running_loop()
        chunks = effect.response.aiter_bytes(65536)

        async def next_chunk() -> bytes:
            return await anext(chunks, b"")

        def read() -> bytes:
            chunk = asyncio.run_coroutine_threadsafe(next_chunk(), loop).result()
            if not chunk:
                raise StopIteration
            return chunk

        try:
            return await asyncio.to_thread(lambda: effect.reader(io.BufferedReader(ChunkFile(read), 1 << 17)))
        finally:
            await effect.response.aclose()


Driver = Union[SyncDriver, AsyncDriver]


class ChunkFile(io.RawIOBase):
    """A file over chunks of bytes; `read_chunk` raises StopIteration at the end."""

    def __init__(self, read_chunk: Any) -> None:
        self._read_chunk = read_chunk
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            try:
                self._rest = memoryview(self._read_chunk())
            except StopIteration:
                return 0
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count
