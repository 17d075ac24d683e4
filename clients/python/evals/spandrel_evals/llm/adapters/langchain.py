"""Chat models of LangChain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import InputError, ModelError
from ..contract import JSON, SCHEMA, TOOL, TOOL_NAME, Adapter, ModelReply, ModelRequest, Usage
from ..status_errors import error_of_exception
from ..structured import words_for_json
from ..wire.openai_chat import _to_part
from .loops import OwnLoop


class LangChainAdapter(Adapter):
    """`client` may be a chat model; otherwise one is made for the provider."""

    def __init__(self, *, provider: str, model: str, given: Any, options: Mapping[str, Any]) -> None:
        self._chat = given if given is not None else _make(provider, model, {**options["both"], **options["sync"]})
        # Chat models share connections in the whole process, which break when the event loop of an earlier run has ended.
        self._loop = OwnLoop()
        self.address = str(getattr(self._chat, "openai_api_base", None) or getattr(self._chat, "anthropic_api_url", None) or "langchain")

    def send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        runnable, messages = self._prepare(request)
        return _parse(runnable.invoke(messages))

    async def async_send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        runnable, messages = self._prepare(request)
        return _parse(await self._loop.run(runnable.ainvoke(messages)))

    def _prepare(self, request: ModelRequest) -> tuple[Any, list[dict[str, Any]]]:
        messages = [_to_message(message) for message in request.messages]
        runnable = self._chat if request.schema is None else self._with_fields(request.parameters)
        if request.schema is not None and request.mode in (SCHEMA, TOOL):
            schema = {"title": TOOL_NAME, "description": "Takes the answer", **request.schema}
            method = "json_schema" if request.mode == SCHEMA else "function_calling"
            runnable = runnable.with_structured_output(schema, method=method, include_raw=True)
        elif request.schema is not None and request.mode == JSON:
            messages.insert(0, {"role": "system", "content": words_for_json(request.schema)})
        if request.parameters and request.schema is None:
            runnable = runnable.bind(**request.parameters)
        return runnable, messages

    def _with_fields(self, parameters: Mapping[str, Any]) -> Any:
        """The chat model with parameters as its fields: structured answers take no others."""
        known = getattr(type(self._chat), "model_fields", {})
        names = set(known) | {one.alias for one in known.values() if one.alias}
        unknown = next((name for name in parameters if name not in names), None)
        if unknown is not None:
            raise InputError(f"{type(self._chat).__name__} has no field {unknown!r} for objects; leave the parameter out")
        fields = {next(key for key, one in known.items() if name in (key, one.alias)): value for name, value in parameters.items()}
        return self._chat.model_copy(update=fields) if fields else self._chat

    def to_error(self, error: BaseException) -> ModelError:
        return error_of_exception(error)


def _make(provider: str, model: str, options: dict[str, Any]) -> Any:
    if provider == "openai":
        from langchain_openai import ChatOpenAI

        return ChatOpenAI(model=model, **{"max_retries": 0, **options})
    if provider == "anthropic":
        from langchain_anthropic import ChatAnthropic

        return ChatAnthropic(model=model, **{"max_retries": 0, **options})
    raise ValueError("the provider langchain needs client=, a chat model of LangChain")


def _to_message(message: Mapping[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    if not isinstance(content, list):
        return dict(message)
    return {**message, "content": [_to_part(part) for part in content]}


def _parse(answer: Any) -> ModelReply:
    data = None
    if isinstance(answer, Mapping):
        data, answer = answer.get("parsed"), answer.get("raw")
    content = getattr(answer, "content", "") or ""
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") if isinstance(part, Mapping) else str(part) for part in content)
    if data is None:
        for call in getattr(answer, "tool_calls", None) or ():
            if call.get("name") == TOOL_NAME:
                data = call.get("args")
    reply = ModelReply(text=content, data=data)
    metadata = getattr(answer, "response_metadata", None) or {}
    reply.logprobs = (metadata.get("logprobs") or {}).get("content")
    usage = getattr(answer, "usage_metadata", None)
    if usage:
        cached = (usage.get("input_token_details") or {}).get("cache_read") or 0
        reply.usage = Usage(int(usage.get("input_tokens") or 0), int(usage.get("output_tokens") or 0), int(cached))
    return reply
