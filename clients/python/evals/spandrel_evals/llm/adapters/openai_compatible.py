"""Plain HTTP to what speaks the chat completions of OpenAI: vLLM, Ollama, llama.cpp, gateways."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from typing import Any

from ...errors import ModelError, ModelRequestError, ModelTimeoutError, TransientModelError, quote
from ...limits import ANSWER_BYTES_MAX, CONCURRENCY_MAX
from ..contract import Adapter, ModelReply, ModelRequest
from ..status_errors import error_of_exception, error_of_status, is_key_accepted
from ..wire import openai_chat
from .loops import PerLoop, shared_verify


class _BadStatus(Exception):
    def __init__(self, status: int, text: str, headers: Mapping[str, str]) -> None:
        super().__init__(f"HTTP {status}: {text[:300]}")
        self.status = status
        self.text = text
        self.headers = headers


class OpenAICompatibleAdapter(Adapter):
    """Arguments: `base_url` (such as http://localhost:11434/v1), `api_key`, `headers`, `verify`."""

    def __init__(self, *, provider: str, model: str, given: Any, options: Mapping[str, Any]) -> None:
        import httpx

        arguments = {**options["both"], **options["sync"], **options["async"]}
        base_url = arguments.pop("base_url", None) or os.environ.get("OPENAI_BASE_URL")
        if not base_url:
            raise ValueError("openai-compatible needs base_url, such as http://localhost:11434/v1")
        key = arguments.pop("api_key", None) or os.environ.get("OPENAI_API_KEY")
        headers = {"content-type": "application/json", **(arguments.pop("headers", None) or {})}
        if key:
            headers.setdefault("authorization", f"Bearer {key}")
        self._model = model
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._models_url = f"{base_url.rstrip('/')}/models"
        self.address = str(base_url)
        limits = httpx.Limits(max_connections=CONCURRENCY_MAX, max_keepalive_connections=CONCURRENCY_MAX)
        shared = shared_verify({"headers": headers, "limits": limits, "timeout": None, **arguments})
        self._sync = httpx.Client(**shared)
        self._async = PerLoop(lambda: httpx.AsyncClient(**shared))

    def body(self, request: ModelRequest) -> dict[str, Any]:
        return openai_chat.build(self._model, request)

    def _content(self, request: ModelRequest) -> bytes:
        return json.dumps(self.body(request), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")

    def send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._sync.stream("POST", self._url, content=self._content(request), timeout=timeout) as response:
            received = bytearray()
            for chunk in response.iter_bytes():
                _grow(received, chunk)
                if deadline is not None and time.monotonic() > deadline:
                    raise ModelTimeoutError(f"{self._model} gave no complete answer within {timeout:g} s")
        return _parse(response, bytes(received))

    async def async_send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        with self._async.use() as client:
            async with client.stream("POST", self._url, content=self._content(request), timeout=timeout) as response:
                received = bytearray()
                async for chunk in response.aiter_bytes():
                    _grow(received, chunk)
        return _parse(response, bytes(received))

    async def check_key(self, timeout: float) -> bool | None:
        with self._async.use() as client:
            # The list may be long; the status is enough.
            async with client.stream("GET", self._models_url, timeout=timeout) as response:
                return is_key_accepted(response.status_code)

    def to_error(self, error: BaseException) -> ModelError:
        if isinstance(error, _BadStatus):
            return error_of_status(error.status, error.text, error.headers)
        return error_of_exception(error)

    def batch(self) -> Any:
        return None

    async def aclose(self) -> None:
        await self._async.aclose()


def _grow(received: bytearray, chunk: bytes) -> None:
    received += chunk
    if len(received) > ANSWER_BYTES_MAX:
        raise ModelRequestError(f"the answer is longer than {ANSWER_BYTES_MAX // 2**20} MiB; set max_tokens")


def _parse(response: Any, content: bytes) -> ModelReply:
    if response.status_code >= 400:
        raise _BadStatus(response.status_code, content[:2_000].decode("utf-8", "replace"), response.headers)
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise TransientModelError(f"half an answer, or no JSON, arrived: {error}") from None
    if not isinstance(data, dict):
        raise TransientModelError("the answer is no JSON object")
    if data.get("error") and not data.get("choices"):
        # Gateways answer so when the model behind them fails.
        raise TransientModelError(f"the vendor failed (HTTP {response.status_code}): {quote(json.dumps(data['error']), 300)}")
    return openai_chat.parse(data, response.headers)
