"""Clients whose connections belong to an event loop, a few for each loop.

The time that a pool of httpx takes for a request grows with its connections, so one client serves only a few at a time.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

# Requests at a time of one client, until there are as many clients as are allowed.
_REQUESTS_PER_CLIENT = 4
_CLIENTS_MAX = 32


class _Client:
    __slots__ = ("client", "in_flight")

    def __init__(self, client: Any) -> None:
        self.client = client
        self.in_flight = 0


class PerLoop:
    """Makes clients on first use in an event loop, and closes them with the run that made them."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._clients: weakref.WeakKeyDictionary[Any, list[_Client]] = weakref.WeakKeyDictionary()

    @contextmanager
    def use(self) -> Iterator[Any]:
        """A client for one request."""
        loop = asyncio.get_running_loop()
        clients = self._clients.get(loop)
        if clients is None:
            clients = self._clients[loop] = []
        # The first ones are filled first, so that few connections stay in use.
        chosen = next((one for one in clients if one.in_flight < _REQUESTS_PER_CLIENT), None)
        if chosen is None and len(clients) < _CLIENTS_MAX:
            chosen = _Client(self._make())
            clients.append(chosen)
        if chosen is None:
            chosen = min(clients, key=lambda one: one.in_flight)
        chosen.in_flight += 1
        try:
            yield chosen.client
        finally:
            chosen.in_flight -= 1

    async def aclose(self) -> None:
        """Closes the clients of this event loop, apart from those that another run is using. That run closes them."""
        loop = asyncio.get_running_loop()
        clients = self._clients.pop(loop, [])
        busy = [one for one in clients if one.in_flight]
        if busy:
            self._clients[loop] = busy
        for one in clients:
            if one.in_flight:
                continue
            close = getattr(one.client, "aclose", None) or getattr(one.client, "close", None)
            closed = close() if close is not None else None
            if hasattr(closed, "__await__"):
                await closed


class OwnLoop:
    """An event loop that lives as long as the process, in a thread of its own: for clients that keep connections over several runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0

    async def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """The result of a coroutine, with the context variables of the caller. It is cancelled with the caller."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, self._running()))

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            # A process that was forked has no threads.
            if self._loop is None or self._process != os.getpid():
                self._loop = asyncio.new_event_loop()
                self._process = os.getpid()
                threading.Thread(target=self._loop.run_forever, name="model client", daemon=True).start()
            return self._loop


def sharing(module: str, make: Callable[..., Any], options: dict[str, Any]) -> Callable[[], Any]:
    """A maker of clients of a vendor's module that share one SSL context, unless they are given an HTTP client."""
    default = getattr(importlib.import_module(module), "DefaultAsyncHttpxClient", None)
    if default is None or "http_client" in options:
        return make
    context = shared_verify({})["verify"]
    return lambda: make(http_client=default(verify=context))


def shared_verify(options: dict[str, Any]) -> dict[str, Any]:
    """The options with one SSL context for all clients, which takes 20 ms to make."""
    if "verify" in options or "transport" in options:
        return options
    import ssl

    try:
        import certifi

        context = ssl.create_default_context(cafile=certifi.where())
    except ImportError:
        context = ssl.create_default_context()
    return {**options, "verify": context}
