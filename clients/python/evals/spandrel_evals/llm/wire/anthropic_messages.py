"""Messages of Anthropic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..contract import JSON, TOOL, TOOL_NAME, ModelReply, ModelRequest, Usage
from ..messages import text_of
from ..structured import words_for_json

_MAX_TOKENS = 4096


def build(model: str, request: ModelRequest) -> dict[str, Any]:
    system = [text_of(message) for message in request.messages if message["role"] == "system"]
    messages = [
        {"role": message["role"], "content": _to_content(message["content"])}
        for message in request.messages
        if message["role"] != "system"
    ]
    body: dict[str, Any] = {"model": model, "max_tokens": _MAX_TOKENS, "messages": messages, **request.parameters}
    if request.schema is not None and request.mode == TOOL:
        body["tools"] = [{"name": TOOL_NAME, "description": "Takes the answer", "input_schema": request.schema}]
        body["tool_choice"] = {"type": "tool", "name": TOOL_NAME}
    elif request.schema is not None and request.mode == JSON:
        system.insert(0, words_for_json(request.schema))
    if system:
        body["system"] = "\n\n".join(system)
    return body


def _to_content(content: Any) -> Any:
    return content if isinstance(content, str) else [_to_part(part) for part in content]


def _to_part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return dict(part)
    kind = "image" if part["type"] == "image" else "document"
    if part.get("url"):
        return {"type": kind, "source": {"type": "url", "url": part["url"]}}
    return {"type": kind, "source": {"type": "base64", "media_type": part["media_type"], "data": part["data"]}}


def parse(data: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> ModelReply:
    reply = ModelReply(model=data.get("model"), headers=headers, stop_reason=data.get("stop_reason"))
    for part in data.get("content") or ():
        if part.get("type") == "text":
            reply.text += part.get("text") or ""
        elif part.get("type") == "tool_use" and part.get("name") == TOOL_NAME:
            reply.data = part.get("input")
    usage = data.get("usage")
    if usage:
        cached = int(usage.get("cache_read_input_tokens") or 0)
        written = int(usage.get("cache_creation_input_tokens") or 0)
        prompt = int(usage.get("input_tokens") or 0) + cached + written
        reply.usage = Usage(prompt, int(usage.get("output_tokens") or 0), cached)
    return reply
