"""Functions as models, and the fake model."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from ...errors import ModelError
from ...fingerprints import function_digest
from ...json_values import dump_json
from ...threads import run_in_thread
from ..contract import JSON, SCHEMA, Adapter, ModelReply, ModelRequest
from ..status_errors import error_of_exception
from ..structured import words_for_json


class FunctionAdapter(Adapter):
    """A function that takes the messages, and the schema as its second parameter if it has one.

    It returns a text, an object, or a ModelReply. Without a second parameter the schema is asked for in words.
    """

    has_key = False
    has_timeout = False

    def __init__(self, *, provider: str, model: str, given: Any, options: Mapping[str, Any]) -> None:
        if not callable(given):
            raise ValueError("the provider function needs client=, a function that takes messages")
        self._function = given
        self._takes_schema = len(inspect.signature(given).parameters) > 1
        self._is_async = inspect.iscoroutinefunction(given) or inspect.iscoroutinefunction(getattr(given, "__call__", None))
        self.modes = (SCHEMA, JSON) if self._takes_schema else (JSON,)
        # Answers of one function must not be taken for those of another, which a cache tells apart by the address.
        self.address = function_digest(given)

    def _arguments(self, request: ModelRequest) -> tuple[Any, ...]:
        messages = request.messages
        if self._takes_schema:
            return (messages, request.schema)
        if request.schema is not None:
            messages = [{"role": "system", "content": words_for_json(request.schema)}, *messages]
        return (messages,)

    def send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        if self._is_async:
            raise ValueError("the function of this LLM is a coroutine function; use the async methods")
        return _to_reply(self._function(*self._arguments(request)))

    async def async_send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        if self._is_async:
            return _to_reply(await self._function(*self._arguments(request)))
        found = await run_in_thread(self._function, *self._arguments(request))
        # A plain function may return a coroutine.
        return _to_reply(await found if inspect.isawaitable(found) else found)

    def to_error(self, error: BaseException) -> ModelError:
        return error_of_exception(error)


def _to_reply(value: Any) -> ModelReply:
    if isinstance(value, ModelReply):
        return value
    if isinstance(value, Mapping):
        return ModelReply(text=dump_json(value), data=dict(value))
    return ModelReply(text=str(value))


class FakeAdapter(Adapter):
    """A FakeModel in this process."""

    modes = (SCHEMA,)
    is_local = True
    has_key = False

    def __init__(self, *, provider: str, model: str, given: Any, options: Mapping[str, Any]) -> None:
        from ...fake_model.model import FakeModel

        self._model = given if given is not None else FakeModel(**options["both"])
        self.address = f"fake-{self._model.seed}"
        # Delays and limits are of a remote model; then the limiter takes part.
        self.is_local = self._model.is_immediate

    def send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        return self._model.reply(request, timeout)

    async def async_send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        return await self._model.async_reply(request, timeout)

    def to_error(self, error: BaseException) -> ModelError:
        return error_of_exception(error)
