"""The client of Anthropic."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

from ...errors import ModelError
from ..contract import JSON, TOOL, Adapter, ModelReply, ModelRequest
from ..status_errors import error_of_exception
from ..wire import anthropic_messages
from .loops import PerLoop


class AnthropicAdapter(Adapter):
    modes = (TOOL, JSON)

    def __init__(self, *, provider: str, model: str, given: Any, options: Mapping[str, Any]) -> None:
        import anthropic

        self._model = model
        both = {"max_retries": 0, **options["both"]}
        self._sync = anthropic.Anthropic(**both, **options["sync"])
        make = functools.partial(anthropic.AsyncAnthropic, **both, **options["async"])
        make()
        self._async = PerLoop(make)
        self.address = str(self._sync.base_url)

    def body(self, request: ModelRequest) -> dict[str, Any]:
        return anthropic_messages.build(self._model, request)

    def send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        raw = self._sync.messages.with_raw_response.create(**self.body(request), timeout=timeout)
        return anthropic_messages.parse(json.loads(raw.http_response.content), raw.headers)

    async def async_send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        raw = await self._async.get().messages.with_raw_response.create(**self.body(request), timeout=timeout)
        return anthropic_messages.parse(json.loads(raw.http_response.content), raw.headers)

    def to_error(self, error: BaseException) -> ModelError:
        return error_of_exception(error)

    def batch(self) -> Any:
        from ...runner.batches.anthropic import AnthropicBatches

        return AnthropicBatches(self._sync, anthropic_messages.parse)

    async def aclose(self) -> None:
        await self._async.aclose()
