"""The client of Google (google-genai)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ...errors import ModelError
from ..contract import Adapter, ModelReply, ModelRequest
from ..status_errors import error_of_exception
from ..wire import google_generate
from .loops import PerLoop


class GoogleAdapter(Adapter):
    def __init__(self, *, provider: str, model: str, given: Any, options: Mapping[str, Any]) -> None:
        from google import genai

        self._model = model
        arguments = self._arguments({**options["both"], **options["sync"], **options["async"]})
        self._sync = genai.Client(**arguments)
        self._async = PerLoop(lambda: genai.Client(**arguments).aio)
        http_options = arguments.get("http_options")
        base = http_options.get("base_url") if isinstance(http_options, Mapping) else getattr(http_options, "base_url", None)
        self.address = str(base or provider)

    def _arguments(self, options: dict[str, Any]) -> dict[str, Any]:
        if not options.get("api_key") and not options.get("credentials"):
            key = os.environ.get("GOOGLE_GENERATIVE_AI_API_KEY") or os.environ.get("GOOGLE_API_KEY")
            if not key and not options.get("vertexai"):
                raise ValueError("google needs a key; set GOOGLE_GENERATIVE_AI_API_KEY or GOOGLE_API_KEY, or give api_key")
            if key:
                options["api_key"] = key
        return options

    def body(self, request: ModelRequest) -> dict[str, Any]:
        return google_generate.build(request)

    def _call(self, request: ModelRequest, timeout: float | None) -> dict[str, Any]:
        body = self.body(request)
        if timeout is not None:
            body["config"].setdefault("http_options", {"timeout": int(timeout * 1000)})
        return {"model": self._model, **body}

    def send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        return _parse(self._sync.models.generate_content(**self._call(request, timeout)))

    async def async_send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        return _parse(await self._async.get().models.generate_content(**self._call(request, timeout)))

    def to_error(self, error: BaseException) -> ModelError:
        return error_of_exception(error)

    async def aclose(self) -> None:
        await self._async.aclose()


class VertexAdapter(GoogleAdapter):
    def _arguments(self, options: dict[str, Any]) -> dict[str, Any]:
        return {"vertexai": True, **options}


def _parse(response: Any) -> ModelReply:
    http = getattr(response, "sdk_http_response", None)
    return google_generate.parse(response.model_dump(exclude_none=True), getattr(http, "headers", None))
