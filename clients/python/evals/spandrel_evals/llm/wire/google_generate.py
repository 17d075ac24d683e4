"""generateContent of Google."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..contract import JSON, SCHEMA, TOOL, TOOL_NAME, ModelReply, ModelRequest, Usage
from ..messages import text_of
from ..structured import words_for_json

# What generateContent calls the parameters that other vendors have too.
_NAMES = {"max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens", "stop": "stop_sequences"}


def build(request: ModelRequest) -> dict[str, Any]:
    """`{contents, config}`, in the names of google-genai."""
    system = [text_of(message) for message in request.messages if message["role"] == "system"]
    contents = [
        {"role": "model" if message["role"] == "assistant" else "user", "parts": _to_parts(message["content"])}
        for message in request.messages
        if message["role"] != "system"
    ]
    config: dict[str, Any] = {_NAMES.get(name, name): value for name, value in request.parameters.items()}
    if request.schema is not None:
        if request.mode == SCHEMA:
            config |= {"response_mime_type": "application/json", "response_json_schema": request.schema}
        elif request.mode == TOOL:
            declaration = {"name": TOOL_NAME, "description": "Takes the answer", "parameters_json_schema": request.schema}
            config["tools"] = [{"function_declarations": [declaration]}]
            config["tool_config"] = {"function_calling_config": {"mode": "ANY", "allowed_function_names": [TOOL_NAME]}}
        elif request.mode == JSON:
            config["response_mime_type"] = "application/json"
            system.insert(0, words_for_json(request.schema))
    if request.logprobs:
        config |= {"response_logprobs": True, "logprobs": 5}
    if system:
        config["system_instruction"] = "\n\n".join(system)
    return {"contents": contents, "config": config}


def _to_parts(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"text": content}]
    return [_to_part(part) for part in content]


def _to_part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return {"text": part["text"]}
    if part.get("url"):
        default = "image/jpeg" if part["type"] == "image" else "application/pdf"
        return {"file_data": {"file_uri": part["url"], "mime_type": part.get("media_type") or default}}
    return {"inline_data": {"data": part["data"], "mime_type": part["media_type"]}}


def parse(data: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> ModelReply:
    """The answer, in the names of google-genai (`usage_metadata`)."""
    candidates = data.get("candidates") or [{}]
    candidate = candidates[0]
    reply = ModelReply(model=data.get("model_version"), headers=headers)
    reply.stop_reason = str(getattr(candidate.get("finish_reason"), "value", candidate.get("finish_reason") or "")) or None
    for part in (candidate.get("content") or {}).get("parts") or ():
        if part.get("text") and not part.get("thought"):
            reply.text += part["text"]
        call = part.get("function_call")
        if call and call.get("name") == TOOL_NAME:
            reply.data = dict(call.get("args") or {})
    usage = data.get("usage_metadata")
    if usage:
        output = int(usage.get("candidates_token_count") or 0) + int(usage.get("thoughts_token_count") or 0)
        cached = int(usage.get("cached_content_token_count") or 0)
        reply.usage = Usage(int(usage.get("prompt_token_count") or 0), output, cached)
    reply.logprobs = _logprobs(candidate.get("logprobs_result"))
    return reply


def _logprobs(result: Any) -> list[dict[str, Any]] | None:
    if not result or not result.get("chosen_candidates"):
        return None
    tops = result.get("top_candidates") or []
    found = []
    for number, one in enumerate(result["chosen_candidates"]):
        others = tops[number].get("candidates") if number < len(tops) else None
        top = [{"token": other.get("token"), "logprob": other.get("log_probability")} for other in others or ()]
        found.append({"token": one.get("token"), "logprob": one.get("log_probability"), "top_logprobs": top})
    return found
