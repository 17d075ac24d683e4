"""The first answer of a model: until there is one, a run sends one request, so that a wrong key is rejected once."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from ..errors import CredentialError, ModelError
from ..limits import FIRST_ANSWER_SECONDS_MAX


class FirstAnswer:
    """Holds back the requests of a run to one model, for at most half a second.

    The first request goes alone. The others follow when it has any answer but a rejected key, when the vendor's list of models
    could be read with the key, or when the time is over. A key that this list rejects keeps them back until the first answer: some
    keys may ask a model and not list them. A model that has answered in this process is not held back again.
    """

    def __init__(self, llm: Any) -> None:
        self._llm = llm
        self._is_open = bool(llm.has_answered)
        self._is_asking = False
        self._is_key_rejected = False
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._check: asyncio.Task[None] | None = None

    async def enter(self) -> bool:
        """Waits until a request may be sent. True for the one that is sent alone, which must be followed by `leave`."""
        while not self._is_open:
            if not self._is_asking:
                self._is_asking = True
                self._begin()
                return True
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            try:
                await future
            except asyncio.CancelledError:
                if future.done() and not future.cancelled():
                    # It was its turn.
                    self._wake(1)
                raise
        return False

    def _begin(self) -> None:
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(FIRST_ANSWER_SECONDS_MAX, self._end_of_time)
            self._check = loop.create_task(self._check_key())

    def leave(self, error: BaseException | None = None) -> None:
        """The request that was alone has an answer, or none: then the next one goes alone."""
        self._is_asking = False
        if error is None or (isinstance(error, ModelError) and not isinstance(error, CredentialError)):
            self._open()
        else:
            self._wake(1)

    def _end_of_time(self) -> None:
        if not self._is_key_rejected:
            self._open()

    async def _check_key(self) -> None:
        try:
            is_accepted = await self._llm.adapter().check_key(FIRST_ANSWER_SECONDS_MAX)
        except Exception:  # The first request will tell.
            return
        if is_accepted:
            self._open()
        self._is_key_rejected = is_accepted is False

    def _open(self) -> None:
        self._is_open = True
        self._wake(len(self._waiting))

    def _wake(self, count: int) -> None:
        while self._waiting and count:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)
                count -= 1

    async def aclose(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._check is not None:
            self._check.cancel()
            await asyncio.gather(self._check, return_exceptions=True)
