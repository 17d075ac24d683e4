"""The client of Anthropic."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

from ...errors import ModelError
from ..contract import JSON, TOOL, Adapter, ModelReply, ModelRequest
from ..status_errors import error_of_exception, is_key_accepted
from ..wire import anthropic_messages
from .loops import PerLoop, sharing


class AnthropicAdapter(Adapter):
    modes = (TOOL, JSON)

    def __init__(self, *, provider: str, model: str, given: Any, options: Mapping[str, Any]) -> None:
        import anthropic

        self._model = model
        both = {"max_retries": 0, **options["both"]}
        self._sync = anthropic.Anthropic(**both, **options["sync"])
        arguments = {**both, **options["async"]}
        make = sharing("anthropic", functools.partial(anthropic.AsyncAnthropic, **arguments), arguments)
        make()
        self._async = PerLoop(make)
        self.address = str(self._sync.base_url)

    def body(self, request: ModelRequest) -> dict[str, Any]:
        return anthropic_messages.build(self._model, request)

    def send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        raw = self._sync.messages.with_raw_response.create(**self.body(request), timeout=timeout)
        return anthropic_messages.parse(json.loads(raw.http_response.content), raw.headers)

    async def async_send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        with self._async.use() as client:
            raw = await client.messages.with_raw_response.create(**self.body(request), timeout=timeout)
        return anthropic_messages.parse(json.loads(raw.http_response.content), raw.headers)

    async def check_key(self, timeout: float) -> bool | None:
        with self._async.use() as client:
            try:
                async with client.models.with_streaming_response.list(limit=1, timeout=timeout) as response:
                    return is_key_accepted(response.status_code)
            except Exception as error:
                return is_key_accepted(getattr(error, "status_code", None) or 0)

    def to_error(self, error: BaseException) -> ModelError:
        return error_of_exception(error)

    def batch(self) -> Any:
        from ...runner.batches.anthropic import AnthropicBatches

        return AnthropicBatches(self._sync, anthropic_messages.parse)

    async def aclose(self) -> None:
        await self._async.aclose()
