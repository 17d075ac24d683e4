"""Chat completions of OpenAI, and of everything that speaks the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..contract import JSON, SCHEMA, TOOL, TOOL_NAME, ModelReply, ModelRequest, Usage
from ..structured import strict_schema, words_for_json

# Models that know only the roles user and assistant.
_WITHOUT_SYSTEM = ("o1-mini", "o1-preview")
# Alternatives of each token; OpenAI gives at most 20.
_TOP_LOGPROBS = 20


def system_role(model: str) -> str:
    """The role that carries system messages."""
    name = model.rpartition("/")[2]
    if name.startswith(_WITHOUT_SYSTEM):
        return "user"
    is_reasoning = len(name) > 1 and name[0] == "o" and name[1].isdigit()
    return "developer" if is_reasoning else "system"


def build(model: str, request: ModelRequest) -> dict[str, Any]:
    """The body of a request."""
    messages = [_to_message(message, model) for message in request.messages]
    body: dict[str, Any] = {"model": model, "messages": messages, **request.parameters}
    if request.schema is not None:
        if request.mode == SCHEMA:
            schema = {"name": TOOL_NAME, "schema": strict_schema(request.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif request.mode == TOOL:
            function = {"name": TOOL_NAME, "description": "Takes the answer", "parameters": request.schema}
            body["tools"] = [{"type": "function", "function": function}]
            body["tool_choice"] = {"type": "function", "function": {"name": TOOL_NAME}}
        elif request.mode == JSON:
            role = system_role(model)
            body["messages"] = [{"role": role, "content": words_for_json(request.schema)}, *messages]
    if request.logprobs:
        body.setdefault("logprobs", True)
        body.setdefault("top_logprobs", _TOP_LOGPROBS)
    return body


def _to_message(message: Mapping[str, Any], model: str) -> dict[str, Any]:
    if message["role"] == "system":
        message = {**message, "role": system_role(model)}
    content = message.get("content")
    if not isinstance(content, list) or message.get("tool_calls"):
        return dict(message)
    return {**message, "content": [_to_part(part) for part in content]}


def _to_part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return dict(part)
    url = part.get("url") or f"data:{part['media_type']};base64,{part['data']}"
    if part["type"] == "image":
        return {"type": "image_url", "image_url": {"url": url}}
    return {"type": "file", "file": {"filename": part.get("name") or "file", "file_data": url}}


def parse(data: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> ModelReply:
    """The answer. An answer without a choice is an empty one."""
    choices = data.get("choices") or [{}]
    choice = choices[0] if isinstance(choices[0], Mapping) else {}
    message = choice.get("message") or {}
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    reply = ModelReply(text=content or message.get("refusal") or "", model=data.get("model"), headers=headers)
    reply.stop_reason = choice.get("finish_reason")
    for call in message.get("tool_calls") or ():
        function = call.get("function") or {}
        if function.get("name") == TOOL_NAME:
            reply.data = _parse_arguments(function.get("arguments"))
            break
    logprobs = choice.get("logprobs") or {}
    reply.logprobs = logprobs.get("content") or None
    usage = data.get("usage")
    if usage:
        cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
        reply.usage = Usage(int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0), int(cached))
    return reply


def _parse_arguments(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
