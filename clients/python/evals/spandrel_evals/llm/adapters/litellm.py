"""LiteLLM, which reaches many vendors in the form of OpenAI."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

from ...errors import ModelError
from ..contract import JSON, SCHEMA, TOOL, Adapter, ModelReply, ModelRequest
from ..status_errors import error_of_exception
from ..wire import openai_chat


class LiteLLMAdapter(Adapter):
    def __init__(self, *, provider: str, model: str, given: Any, options: Mapping[str, Any]) -> None:
        import litellm

        self._litellm = litellm
        self._model = model if provider == "litellm" or "/" in model else f"{_prefix(provider)}/{model}"
        self._options = {**options["both"], **options["sync"], **options["async"], "num_retries": 0, "max_retries": 0}
        if _looks_for_mcp_tools():
            # Its handler of MCP tools needs packages that LiteLLM does not install. Our tool is not one of them.
            self._options["_skip_mcp_handler"] = True
        self.address = str(self._options.get("api_base") or self._options.get("base_url") or "litellm")
        self.modes = self._known_modes()

    def _known_modes(self) -> tuple[str, ...]:
        try:
            known = self._litellm.get_supported_openai_params(model=self._model) or []
        except Exception:  # A model that LiteLLM's table does not have.
            return (SCHEMA, TOOL, JSON)
        return (TOOL, SCHEMA, JSON) if "tools" in known and "response_format" not in known else (SCHEMA, TOOL, JSON)

    def body(self, request: ModelRequest) -> dict[str, Any]:
        return openai_chat.build(self._model, request)

    def send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        return _parse(self._litellm.completion(**self._options, **self.body(request), timeout=timeout))

    async def async_send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        return _parse(await self._litellm.acompletion(**self._options, **self.body(request), timeout=timeout))

    def to_error(self, error: BaseException) -> ModelError:
        return error_of_exception(error)


def _looks_for_mcp_tools() -> bool:
    try:
        return importlib.util.find_spec("litellm.responses.mcp.chat_completions_handler") is not None
    except ImportError:
        return False


def _prefix(provider: str) -> str:
    return {"vertex": "vertex_ai", "google": "gemini"}.get(provider, provider)


def _parse(response: Any) -> ModelReply:
    hidden = getattr(response, "_response_headers", None)
    headers = hidden if isinstance(hidden, Mapping) else None
    return openai_chat.parse(response.model_dump(), headers)
