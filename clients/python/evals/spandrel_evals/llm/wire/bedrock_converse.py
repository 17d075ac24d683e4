"""Converse of Amazon Bedrock."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from ...errors import InputError
from ..contract import JSON, TOOL, TOOL_NAME, ModelReply, ModelRequest, Usage
from ..messages import text_of
from ..structured import words_for_json

_INFERENCE = {
    "max_tokens": "maxTokens",
    "max_completion_tokens": "maxTokens",
    "temperature": "temperature",
    "top_p": "topP",
    "stop": "stopSequences",
}


def build(model: str, request: ModelRequest) -> dict[str, Any]:
    system = [{"text": text_of(message)} for message in request.messages if message["role"] == "system"]
    messages = [
        {"role": message["role"], "content": _to_parts(message["content"])}
        for message in request.messages
        if message["role"] != "system"
    ]
    body: dict[str, Any] = {"modelId": model, "messages": messages}
    inference = {_INFERENCE[name]: value for name, value in request.parameters.items() if name in _INFERENCE}
    body |= {name: value for name, value in request.parameters.items() if name not in _INFERENCE}
    if inference:
        body["inferenceConfig"] = inference
    if request.schema is not None and request.mode == TOOL:
        tool = {"name": TOOL_NAME, "description": "Takes the answer", "inputSchema": {"json": request.schema}}
        body["toolConfig"] = {"tools": [{"toolSpec": tool}], "toolChoice": {"tool": {"name": TOOL_NAME}}}
    elif request.schema is not None and request.mode == JSON:
        system.insert(0, {"text": words_for_json(request.schema)})
    if system:
        body["system"] = system
    return body


def _to_parts(content: Any) -> list[dict[str, Any]]:
    return [{"text": content}] if isinstance(content, str) else [_to_part(part) for part in content]


def _to_part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return {"text": part["text"]}
    if not part.get("data"):
        raise InputError(f"Bedrock takes no URL of a {part['type']}; give its data and media_type")
    form = part["media_type"].rpartition("/")[2]
    source = {"bytes": base64.b64decode(part["data"])}
    if part["type"] == "image":
        return {"image": {"format": form, "source": source}}
    return {"document": {"format": form, "name": part.get("name") or "document", "source": source}}


def parse(data: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> ModelReply:
    message = (data.get("output") or {}).get("message") or {}
    reply = ModelReply(headers=headers, stop_reason=data.get("stopReason"))
    for part in message.get("content") or ():
        if "text" in part:
            reply.text += part["text"]
        elif "toolUse" in part and part["toolUse"].get("name") == TOOL_NAME:
            reply.data = part["toolUse"].get("input")
    usage = data.get("usage")
    if usage:
        cached = int(usage.get("cacheReadInputTokens") or 0)
        prompt = int(usage.get("inputTokens") or 0) + cached
        reply.usage = Usage(prompt, int(usage.get("outputTokens") or 0), cached)
    return reply
