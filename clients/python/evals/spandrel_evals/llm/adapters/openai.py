"""The client of OpenAI, also for Azure."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from ...errors import ModelError
from ..contract import Adapter, ModelReply, ModelRequest
from ..status_errors import error_of_exception, is_key_accepted
from ..wire import openai_chat
from .loops import PerLoop, sharing


class OpenAIAdapter(Adapter):
    def __init__(self, *, provider: str, model: str, given: Any, options: Mapping[str, Any]) -> None:
        self._model = model
        sync_class, async_class = self._classes()
        both = {"max_retries": 0, **options["both"]}
        self._sync = sync_class(**both, **options["sync"])
        make = sharing(sync_class.__module__.partition(".")[0], functools.partial(async_class, **both, **options["async"]), {**both, **options["async"]})
        # Made once here so that a wrong argument shows at once.
        make()
        self._async = PerLoop(make)
        self.address = str(self._sync.base_url)

    def _classes(self) -> tuple[Any, Any]:
        import openai

        return openai.OpenAI, openai.AsyncOpenAI

    def body(self, request: ModelRequest) -> dict[str, Any]:
        return openai_chat.build(self._model, request)

    def send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        raw = self._sync.chat.completions.with_raw_response.create(**self.body(request), timeout=timeout)
        return openai_chat.parse(_json(raw), raw.headers)

    async def async_send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        with self._async.use() as client:
            raw = await client.chat.completions.with_raw_response.create(**self.body(request), timeout=timeout)
        return openai_chat.parse(_json(raw), raw.headers)

    async def check_key(self, timeout: float) -> bool | None:
        with self._async.use() as client:
            try:
                async with client.models.with_streaming_response.list(timeout=timeout) as response:
                    return is_key_accepted(response.status_code)
            except Exception as error:
                return is_key_accepted(getattr(error, "status_code", None) or 0)

    def to_error(self, error: BaseException) -> ModelError:
        return error_of_exception(error)

    def batch(self) -> Any:
        from ...runner.batches.openai import OpenAIBatches

        return OpenAIBatches(self._sync, "/v1/chat/completions", openai_chat.parse)

    async def aclose(self) -> None:
        await self._async.aclose()


class AzureAdapter(OpenAIAdapter):
    def _classes(self) -> tuple[Any, Any]:
        import openai

        return openai.AzureOpenAI, openai.AsyncAzureOpenAI

    async def check_key(self, timeout: float) -> bool | None:
        # Its lists are of deployments, which keys of one deployment may not read.
        return None


def _json(raw: Any) -> Any:
    """The body without the vendor's model classes, which cost more than the request."""
    import json

    return json.loads(raw.http_response.content)


