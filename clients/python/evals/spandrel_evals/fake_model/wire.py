"""Requests and answers of the fake model in the forms of the vendors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ..json_values import dump_json
from ..llm.contract import TOOL_NAME, ModelReply, ModelRequest
from ..llm.structured import find_json


class Route(NamedTuple):
    read: Callable[[Any], ModelRequest]
    write: Callable[[ModelReply, ModelRequest, str], Any]
    error: Callable[[int, str], Any]
    model_of: Callable[[Any, str], str]


def find_route(method: str, path: str) -> Route | None:
    if method != "POST":
        return None
    for pattern, route in _ROUTES:
        if pattern.search(path):
            return route
    return None


def _texts(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text") or f"[{part.get('type', 'part')}]") for part in content or () if isinstance(part, dict))


def _request(messages: list[dict[str, Any]], schema: Any, mode: str | None, logprobs: bool = False, tool: str = TOOL_NAME) -> ModelRequest:
    """The parameters have the name of the tool that must be called."""
    if schema is None:
        # A schema may be asked for in words.
        for message in messages:
            _, found, rest = message["content"].partition("JSON schema:\n")
            if found and message["role"] == "system":
                schema, mode = find_json(rest), "json"
                break
    return ModelRequest(messages, {"tool": tool}, schema, mode, logprobs)


# OpenAI


def read_openai(data: Any) -> ModelRequest:
    messages = [
        {"role": "system" if one["role"] in ("system", "developer") else one["role"], "content": _texts(one.get("content"))}
        for one in data["messages"]
    ]
    form = data.get("response_format") or {}
    if form.get("type") == "json_schema":
        return _request(messages, form["json_schema"]["schema"], "schema", bool(data.get("logprobs")))
    if data.get("tools") and data.get("tool_choice"):
        function = data["tools"][0]["function"]
        return _request(messages, function["parameters"], "tool", bool(data.get("logprobs")), function["name"])
    return _request(messages, None, None, bool(data.get("logprobs")))


def write_openai(reply: ModelReply, request: ModelRequest, model: str) -> Any:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if request.mode == "tool" and reply.data is not None:
        function = {"name": request.parameters["tool"], "arguments": dump_json(reply.data)}
        message |= {"content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    if reply.logprobs:
        choice["logprobs"] = {"content": [{"bytes": None, **one, "top_logprobs": [{"bytes": None, **top} for top in one["top_logprobs"]]} for one in reply.logprobs], "refusal": None}
    usage = reply.usage
    counted = {"prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.completion_tokens, "total_tokens": usage.prompt_tokens + usage.completion_tokens} if usage else None
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": model, "choices": [choice], "usage": counted}


def error_openai(status: int, text: str) -> Any:
    return {"error": {"message": text, "type": "fake_error", "code": str(status), "param": None}}


# Anthropic


def read_anthropic(data: Any) -> ModelRequest:
    system = _texts(data.get("system") or "")
    messages = [{"role": "system", "content": system}] if system else []
    messages += [{"role": one["role"], "content": _texts(one["content"])} for one in data["messages"]]
    data["max_tokens"]  # noqa: B018 - required, as of the vendor
    if data.get("tools") and data.get("tool_choice"):
        return _request(messages, data["tools"][0]["input_schema"], "tool", tool=data["tools"][0]["name"])
    # The second name is that of the time before it was released, which LiteLLM sends.
    form = (data.get("output_config") or {}).get("format") or data.get("output_format") or {}
    return _request(messages, form.get("schema"), "schema" if form else None)


def write_anthropic(reply: ModelReply, request: ModelRequest, model: str) -> Any:
    content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}]
    if request.mode == "tool" and reply.data is not None:
        content = [{"type": "tool_use", "id": "toolu_1", "name": request.parameters["tool"], "input": reply.data}]
    usage = {"input_tokens": reply.usage.prompt_tokens, "output_tokens": reply.usage.completion_tokens} if reply.usage else {}
    stop = "tool_use" if request.mode == "tool" else "end_turn"
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": content, "stop_reason": stop, "stop_sequence": None, "usage": usage}


def error_anthropic(status: int, text: str) -> Any:
    kind = {401: "authentication_error", 429: "rate_limit_error", 400: "invalid_request_error"}.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": text}}


# Google


def read_google(data: Any) -> ModelRequest:
    system = data.get("systemInstruction") or data.get("system_instruction")
    messages = [{"role": "system", "content": _texts(system.get("parts"))}] if system else []
    for one in data["contents"]:
        role = "assistant" if one.get("role") == "model" else "user"
        messages.append({"role": role, "content": _texts(one["parts"])})
    config = data.get("generationConfig") or {}
    logprobs = bool(config.get("responseLogprobs"))
    schema = config.get("responseJsonSchema") or config.get("responseSchema")
    if schema:
        return _request(messages, schema, "schema", logprobs)
    for tool in data.get("tools") or ():
        for declaration in tool.get("functionDeclarations") or ():
            found = declaration.get("parametersJsonSchema") or declaration.get("parameters_json_schema") or declaration.get("parameters")
            return _request(messages, found, "tool", logprobs, declaration["name"])
    return _request(messages, None, None, logprobs)


def write_google(reply: ModelReply, request: ModelRequest, model: str) -> Any:
    part: dict[str, Any] = {"text": reply.text}
    if request.mode == "tool" and reply.data is not None:
        part = {"functionCall": {"name": request.parameters["tool"], "args": reply.data}}
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    if reply.logprobs:
        chosen = [{"token": one["token"], "logProbability": one["logprob"]} for one in reply.logprobs]
        tops = [{"candidates": [{"token": top["token"], "logProbability": top["logprob"]} for top in one["top_logprobs"]]} for one in reply.logprobs]
        candidate["logprobsResult"] = {"chosenCandidates": chosen, "topCandidates": tops}
    usage = {"promptTokenCount": reply.usage.prompt_tokens, "candidatesTokenCount": reply.usage.completion_tokens} if reply.usage else {}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": model}


def error_google(status: int, text: str) -> Any:
    name = {401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED", 400: "INVALID_ARGUMENT"}.get(status, "INTERNAL")
    return {"error": {"code": status, "message": text, "status": name}}


# Bedrock


def read_bedrock(data: Any) -> ModelRequest:
    system = _texts(data.get("system") or "")
    messages = [{"role": "system", "content": system}] if system else []
    messages += [{"role": one["role"], "content": _texts(one["content"])} for one in data["messages"]]
    tools = (data.get("toolConfig") or {}).get("tools") or ()
    for tool in tools:
        return _request(messages, tool["toolSpec"]["inputSchema"]["json"], "tool", tool=tool["toolSpec"]["name"])
    return _request(messages, None, None)


def write_bedrock(reply: ModelReply, request: ModelRequest, model: str) -> Any:
    content: list[dict[str, Any]] = [{"text": reply.text}]
    if request.mode == "tool" and reply.data is not None:
        content = [{"toolUse": {"toolUseId": "tool_1", "name": request.parameters["tool"], "input": reply.data}}]
    usage = {"inputTokens": reply.usage.prompt_tokens, "outputTokens": reply.usage.completion_tokens, "totalTokens": reply.usage.prompt_tokens + reply.usage.completion_tokens} if reply.usage else {}
    message = {"role": "assistant", "content": content}
    return {"output": {"message": message}, "stopReason": "end_turn", "usage": usage, "metrics": {"latencyMs": 1}}


def error_bedrock(status: int, text: str) -> Any:
    return {"message": text}


def _named(data: Any, path: str) -> str:
    return str(data.get("model") or "fake-model")


def _in_path(data: Any, path: str) -> str:
    found = re.search(r"/models?/([^/:]+)", path)
    return found.group(1) if found else "fake-model"


_ROUTES = (
    (re.compile(r"/chat/completions$"), Route(read_openai, write_openai, error_openai, _named)),
    (re.compile(r"^/v1/messages$"), Route(read_anthropic, write_anthropic, error_anthropic, _named)),
    (re.compile(r"/models/[^/]+:generateContent$"), Route(read_google, write_google, error_google, _in_path)),
    (re.compile(r"^/model/[^/]+/converse$"), Route(read_bedrock, write_bedrock, error_bedrock, _in_path)),
)
