"""Arguments of Anthropic's messages."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..frames.values import to_json_value
from .openai import ROLES, result_text
from .version import FormattedPrompt, not_storable

if TYPE_CHECKING:
    from .version import PromptVersion

PARAMETERS = ("max_tokens", "temperature", "top_p", "stop_sequences", "thinking", "output_config", "extra_body")
_FROM_OTHERS = {"max_output_tokens": "max_tokens", "max_completion_tokens": "max_tokens", "stop": "stop_sequences"}
_MAX_TOKENS_DEFAULT = 100
_CHOICES = {"zero_or_more": "auto", "one_or_more": "any", "specific_function": "tool"}
_DATA_URL = re.compile(r"data:([\w/+.-]+);base64,(.*)", re.DOTALL)


def write_arguments(version: PromptVersion, messages: Sequence[Mapping[str, Any]]) -> FormattedPrompt:
    """Keyword arguments of `messages.create`."""
    own = version.invocation_parameters
    renamed = {_FROM_OTHERS.get(name, name): value for name, value in own.items()}
    parameters = {name: renamed[name] for name in PARAMETERS if name in renamed}
    kwargs: dict[str, Any] = {"model": version.model_name, "max_tokens": _MAX_TOKENS_DEFAULT, **parameters}
    system, made = [], []
    for message in messages:
        if message["role"] in ("system", "developer"):
            system.extend(_blocks(message["content"]))
            continue
        role = "assistant" if ROLES.get(message["role"], message["role"]) == "assistant" else "user"
        content = message["content"]
        made.append({"role": role, "content": content if isinstance(content, str) else _collapse(_blocks(content))})
    if system:
        kwargs["system"] = system[0]["text"] if len(system) == 1 else system
    kwargs.update(_write_tools(version._data.get("tools")))
    if "response_format" in version._data:
        schema = version._data["response_format"]["json_schema"].get("schema", {"type": "object"})
        kwargs["output_config"] = {**kwargs.get("output_config", {}), "format": {"type": "json_schema", "schema": schema}}
    return FormattedPrompt(made, kwargs)


def _collapse(blocks: list[dict[str, Any]]) -> Any:
    return blocks[0]["text"] if len(blocks) == 1 and blocks[0]["type"] == "text" else blocks


def _blocks(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [_block(part) for part in content]


def _block(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return {"type": "text", "text": part["text"]}
    if part["type"] == "image":
        data = _DATA_URL.fullmatch(part["image"]["url"])
        source = (
            {"type": "base64", "media_type": data[1], "data": data[2]}
            if data
            else {"type": "url", "url": part["image"]["url"]}
        )
        return {"type": "image", "source": source}
    if part["type"] == "tool_call":
        call = part["tool_call"]
        return {"type": "tool_use", "id": part["tool_call_id"], "name": call["name"], "input": parse_arguments(call)}
    return {"type": "tool_result", "tool_use_id": part["tool_call_id"], "content": result_text(part["tool_result"])}


def parse_arguments(call: Mapping[str, Any]) -> Any:
    """Arguments of a tool call; an empty object if their text is not JSON."""
    try:
        return json.loads(call.get("arguments") or "{}")
    except ValueError:
        return {}


def _write_tools(tools: Mapping[str, Any] | None) -> dict[str, Any]:
    choice = (tools or {}).get("tool_choice") or {}
    if not tools or choice.get("type") == "none":
        return {}
    made: dict[str, Any] = {"tools": [_write_tool(tool) for tool in tools["tools"]]}
    if choice or tools.get("disable_parallel_tool_calls") is not None:
        made["tool_choice"] = {"type": _CHOICES[choice.get("type", "zero_or_more")]}
        if choice.get("function_name"):
            made["tool_choice"]["name"] = choice["function_name"]
        if tools.get("disable_parallel_tool_calls") is not None:
            made["tool_choice"]["disable_parallel_tool_use"] = tools["disable_parallel_tool_calls"]
    return made


def _write_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    if tool["type"] == "raw":
        return dict(tool["raw"])
    function = tool["function"]
    described = {"description": function["description"]} if function.get("description") else {}
    return {"name": function["name"], **described, "input_schema": function.get("parameters", {"type": "object"})}


def read_arguments(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parts of a version from keyword arguments of `messages.create`."""
    params = to_json_value(dict(params))
    if "model" not in params or "messages" not in params:
        raise ValueError("expected arguments with model and messages")
    messages = [{"role": "system", "content": _read_content(params["system"])}] if params.get("system") else []
    messages += [{"role": one["role"], "content": _read_content(one["content"])} for one in params["messages"]]
    parameters = {name: params[name] for name in PARAMETERS if params.get(name) is not None}
    parameters.setdefault("max_tokens", 1000)
    tools: dict[str, Any] | None = None
    if params.get("tools"):
        tools = {"type": "tools", "tools": [_read_tool(tool) for tool in params["tools"]]}
        choice = params.get("tool_choice")
        if choice:
            names = {value: key for key, value in _CHOICES.items()} | {"none": "none"}
            tools["tool_choice"] = {"type": names[choice["type"]]}
            if choice.get("name"):
                tools["tool_choice"]["function_name"] = choice["name"]
            if choice.get("disable_parallel_tool_use") is not None:
                tools["disable_parallel_tool_calls"] = choice["disable_parallel_tool_use"]
    return {"messages": messages, "model_name": params["model"], "parameters": parameters, "tools": tools}


def _read_content(content: Any) -> Any:
    return content if isinstance(content, str) else [_read_block(block) for block in content]


def _read_block(block: Mapping[str, Any]) -> dict[str, Any]:
    kind = block["type"]
    if kind == "text":
        return {"type": "text", "text": block["text"]}
    if kind == "image":
        source = block["source"]
        url = source.get("url") or f"data:{source['media_type']};base64,{source['data']}"
        return {"type": "image", "image": {"url": url}}
    if kind == "tool_use":
        call = {"type": "function", "name": block["name"], "arguments": json.dumps(block["input"], ensure_ascii=False)}
        return {"type": "tool_call", "tool_call_id": block["id"], "tool_call": call}
    if kind == "tool_result":
        content = block.get("content")
        if isinstance(content, list):
            if any(one["type"] != "text" for one in content):
                raise not_storable("a tool result that is no text")
            content = [one["text"] for one in content]
            content = content[0] if len(content) == 1 else content
        return {"type": "tool_result", "tool_call_id": block["tool_use_id"], "tool_result": content}
    raise not_storable(f"a content block of the type {kind!r}")


def _read_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    if tool.get("type", "custom") != "custom" or set(tool) - {"type", "name", "description", "input_schema"}:
        return {"type": "raw", "raw": dict(tool)}
    function: dict[str, Any] = {"name": tool["name"]}
    if tool.get("description"):
        function["description"] = tool["description"]
    return {"type": "function", "function": {**function, "parameters": tool.get("input_schema", {})}}
