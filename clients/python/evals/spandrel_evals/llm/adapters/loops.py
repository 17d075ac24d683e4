"""Clients whose connections belong to an event loop: one for each loop."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable
from typing import Any


class PerLoop:
    """Makes a client on first use in an event loop, and closes it with the run that made it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._clients: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()

    def get(self) -> Any:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = self._clients[loop] = self._make()
        return client

    async def aclose(self) -> None:
        client = self._clients.pop(asyncio.get_running_loop(), None)
        close = getattr(client, "aclose", None) or getattr(client, "close", None)
        if close is not None:
            closed = close()
            if hasattr(closed, "__await__"):
                await closed
