"""Arguments of Bedrock's `converse`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..frames.values import to_json_value
from .anthropic import _DATA_URL, parse_arguments
from .openai import ROLES
from .version import FormattedPrompt, not_storable, unsupported

if TYPE_CHECKING:
    from .version import PromptVersion

_PARAMETERS = {"max_tokens": "maxTokens", "temperature": "temperature", "top_p": "topP", "stop_sequences": "stopSequences"}
_FROM_OTHERS = {"max_output_tokens": "max_tokens", "max_completion_tokens": "max_tokens", "stop": "stop_sequences"}
_CHOICES = {"zero_or_more": "auto", "one_or_more": "any"}


def write_arguments(version: PromptVersion, messages: Sequence[Mapping[str, Any]]) -> FormattedPrompt:
    """Keyword arguments of `converse`."""
    own = {_FROM_OTHERS.get(name, name): value for name, value in version.invocation_parameters.items()}
    inference = {theirs: own[ours] for ours, theirs in _PARAMETERS.items() if ours in own}
    kwargs: dict[str, Any] = {"modelId": version.model_name}
    if inference:
        kwargs["inferenceConfig"] = inference
    system, made = [], []
    for message in messages:
        parts = message["content"]
        parts = [{"type": "text", "text": parts}] if isinstance(parts, str) else parts
        blocks = [_block(part) for part in parts]
        if message["role"] in ("system", "developer"):
            system.extend(blocks)
            continue
        role = "assistant" if ROLES.get(message["role"], message["role"]) == "assistant" else "user"
        made.append({"role": role, "content": blocks})
    if system:
        kwargs["system"] = system
    if "response_format" in version._data:
        raise unsupported("Bedrock's converse", "a response format")
    tools = _write_tools(version._data.get("tools"))
    return FormattedPrompt(made, {**kwargs, **({"toolConfig": tools} if tools else {})})


def _block(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return {"text": part["text"]}
    if part["type"] == "image":
        data = _DATA_URL.fullmatch(part["image"]["url"])
        if not data:
            raise unsupported("Bedrock's converse", "an image by its address")
        import base64

        return {"image": {"format": data[1].rpartition("/")[2], "source": {"bytes": base64.b64decode(data[2])}}}
    if part["type"] == "tool_call":
        call = part["tool_call"]
        use = {"toolUseId": part["tool_call_id"], "name": call["name"], "input": parse_arguments(call)}
        return {"toolUse": use}
    result = part["tool_result"]
    content = [{"text": result}] if isinstance(result, str) else [{"json": result}]
    return {"toolResult": {"toolUseId": part["tool_call_id"], "content": content}}


def _write_tools(tools: Mapping[str, Any] | None) -> dict[str, Any]:
    choice = (tools or {}).get("tool_choice") or {}
    if not tools or choice.get("type") == "none":
        return {}
    if tools.get("disable_parallel_tool_calls"):
        raise unsupported("Bedrock's converse", "disabled parallel tool calls")
    made: dict[str, Any] = {"tools": [_write_tool(tool) for tool in tools["tools"]]}
    if choice.get("type") == "specific_function":
        made["toolChoice"] = {"tool": {"name": choice["function_name"]}}
    elif choice:
        made["toolChoice"] = {_CHOICES[choice["type"]]: {}}
    return made


def _write_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    if tool["type"] == "raw":
        return dict(tool["raw"])
    function = tool["function"]
    described = {"description": function["description"]} if function.get("description") else {}
    schema = {"json": function.get("parameters", {"type": "object"})}
    return {"toolSpec": {"name": function["name"], **described, "inputSchema": schema}}


def read_arguments(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parts of a version from keyword arguments of `converse`."""
    params = to_json_value(dict(params))
    if "modelId" not in params or "messages" not in params:
        raise ValueError("expected arguments with modelId and messages")
    messages = [{"role": "system", "content": one["text"]} for one in params.get("system") or [] if "text" in one]
    for message in params["messages"]:
        messages.append({"role": message["role"], "content": [_read_block(one) for one in message["content"]]})
    inference = params.get("inferenceConfig") or {}
    parameters = {ours: inference[theirs] for ours, theirs in _PARAMETERS.items() if theirs in inference}
    config = params.get("toolConfig") or {}
    tools: dict[str, Any] | None = None
    if config.get("tools"):
        tools = {"type": "tools", "tools": [_read_tool(tool) for tool in config["tools"]]}
        choice = config.get("toolChoice") or {}
        if "tool" in choice:
            tools["tool_choice"] = {"type": "specific_function", "function_name": choice["tool"]["name"]}
        elif choice:
            tools["tool_choice"] = {"type": "one_or_more" if "any" in choice else "zero_or_more"}
    return {"messages": messages, "model_name": params["modelId"], "parameters": parameters, "tools": tools}


def _read_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    if "toolSpec" not in tool:
        return {"type": "raw", "raw": dict(tool)}
    given = tool["toolSpec"]
    function: dict[str, Any] = {"name": given["name"]}
    if given.get("description"):
        function["description"] = given["description"]
    return {"type": "function", "function": {**function, "parameters": given["inputSchema"].get("json", {})}}


def _read_block(block: Mapping[str, Any]) -> dict[str, Any]:
    if "text" in block:
        return {"type": "text", "text": block["text"]}
    if "image" in block:
        image = block["image"]
        return {"type": "image", "image": {"url": f"data:image/{image['format']};base64,{image['source']['bytes']}"}}
    if "toolUse" in block:
        use = block["toolUse"]
        call = {"type": "function", "name": use["name"], "arguments": json.dumps(use["input"], ensure_ascii=False)}
        return {"type": "tool_call", "tool_call_id": use["toolUseId"], "tool_call": call}
    if "toolResult" in block:
        result = block["toolResult"]
        values = [one.get("text", one.get("json")) for one in result["content"]]
        value = values[0] if len(values) == 1 else values
        return {"type": "tool_result", "tool_call_id": result["toolUseId"], "tool_result": value}
    raise not_storable(f"a content block with {', '.join(block)}")
