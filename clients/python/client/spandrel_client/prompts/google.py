"""Arguments of Google's `generate_content`."""

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

PARAMETERS = (
    *("temperature", "presence_penalty", "frequency_penalty", "top_p", "top_k", "max_output_tokens"),
    *("stop_sequences", "thinking_config"),
)
_FROM_OTHERS = {"max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens", "stop": "stop_sequences"}
_MODES = {"none": "NONE", "zero_or_more": "AUTO", "one_or_more": "ANY", "specific_function": "ANY"}


def write_arguments(version: PromptVersion, messages: Sequence[Mapping[str, Any]]) -> FormattedPrompt:
    """Keyword arguments `model`, `contents` and `config` of `models.generate_content`."""
    renamed = {_FROM_OTHERS.get(name, name): value for name, value in version.invocation_parameters.items()}
    config: dict[str, Any] = {name: renamed[name] for name in PARAMETERS if name in renamed}
    system: list[str] = []
    contents: list[Any] = []
    names: dict[str, str] = {}
    for message in messages:
        parts = message["content"]
        parts = [{"type": "text", "text": parts}] if isinstance(parts, str) else parts
        if message["role"] in ("system", "developer"):
            system.extend(part["text"] for part in parts if part["type"] == "text")
            continue
        role = "model" if ROLES.get(message["role"], message["role"]) == "assistant" else "user"
        contents.append({"role": role, "parts": [_part(part, names) for part in parts]})
    if system:
        config["system_instruction"] = "\n\n".join(system)
    config.update(_write_tools(version._data.get("tools")))
    if "response_format" in version._data:
        config["response_mime_type"] = "application/json"
        config["response_json_schema"] = version._data["response_format"]["json_schema"].get("schema", {})
    kwargs: dict[str, Any] = {"model": version.model_name, **({"config": config} if config else {})}
    return FormattedPrompt(contents, kwargs, "contents")


def _part(part: Mapping[str, Any], names: dict[str, str]) -> dict[str, Any]:
    if part["type"] == "text":
        return {"text": part["text"]}
    if part["type"] == "image":
        data = _DATA_URL.fullmatch(part["image"]["url"])
        if data:
            return {"inline_data": {"mime_type": data[1], "data": data[2]}}
        return {"file_data": {"file_uri": part["image"]["url"]}}
    if part["type"] == "tool_call":
        call = part["tool_call"]
        names[part["tool_call_id"]] = call["name"]
        return {"function_call": {"id": part["tool_call_id"], "name": call["name"], "args": parse_arguments(call)}}
    result = part["tool_result"]
    response = result if isinstance(result, dict) else {"result": result}
    name = names.get(part["tool_call_id"], part["tool_call_id"])
    return {"function_response": {"id": part["tool_call_id"], "name": name, "response": response}}


def _write_tools(tools: Mapping[str, Any] | None) -> dict[str, Any]:
    if not tools:
        return {}
    declarations, raw = [], []
    for tool in tools["tools"]:
        if tool["type"] == "raw":
            raw.append(dict(tool["raw"]))
            continue
        function = tool["function"]
        declaration = {"name": function["name"], "description": function.get("description", "")}
        if function.get("parameters"):
            declaration["parameters_json_schema"] = function["parameters"]
        declarations.append(declaration)
    made: dict[str, Any] = {"tools": [*([{"function_declarations": declarations}] if declarations else []), *raw]}
    choice = tools.get("tool_choice")
    if choice:
        calling: dict[str, Any] = {"mode": _MODES[choice["type"]]}
        if choice.get("function_name"):
            calling["allowed_function_names"] = [choice["function_name"]]
        made["tool_config"] = {"function_calling_config": calling}
    if tools.get("disable_parallel_tool_calls"):
        raise unsupported("Google", "disabled parallel tool calls")
    return made


def read_arguments(model: str, contents: Any, config: Any) -> dict[str, Any]:
    """Parts of a version from the arguments of `models.generate_content`."""
    config = to_json_value(config) or {}
    contents = to_json_value(contents)
    contents = [contents] if isinstance(contents, (str, dict)) else contents
    messages: list[dict[str, Any]] = []
    instruction = config.get("system_instruction")
    if instruction:
        text = instruction if isinstance(instruction, str) else "".join(_texts(instruction))
        messages.append({"role": "system", "content": text})
    for content in contents:
        if isinstance(content, str):
            messages.append({"role": "user", "content": content})
            continue
        role = "assistant" if content.get("role") == "model" else "user"
        parts = [_read_part(part) for part in content.get("parts") or []]
        single = len(parts) == 1 and parts[0]["type"] == "text"
        messages.append({"role": role, "content": parts[0]["text"] if single else parts})
    parameters = {name: config[name] for name in PARAMETERS if config.get(name) is not None}
    functions = [one for tool in config.get("tools") or [] for one in tool.get("function_declarations") or []]
    tools = {"type": "tools", "tools": [_read_function(one) for one in functions]} if functions else None
    response = None
    if config.get("response_json_schema"):
        response = {"type": "json_schema", "json_schema": {"name": "response", "schema": config["response_json_schema"]}}
    return {
        "messages": messages,
        "model_name": model,
        "parameters": parameters,
        "tools": tools,
        "response_format": response,
    }


def _texts(content: Any) -> list[str]:
    parts = content.get("parts") or [] if isinstance(content, dict) else content
    return [part if isinstance(part, str) else part.get("text", "") for part in parts]


def _read_part(part: Any) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if part.get("text") is not None:
        return {"type": "text", "text": part["text"]}
    if part.get("inline_data"):
        data = part["inline_data"]
        return {"type": "image", "image": {"url": f"data:{data['mime_type']};base64,{data['data']}"}}
    if part.get("function_call"):
        call = part["function_call"]
        function = {"type": "function", "name": call["name"], "arguments": json.dumps(call.get("args") or {})}
        return {"type": "tool_call", "tool_call_id": call.get("id") or call["name"], "tool_call": function}
    if part.get("function_response"):
        given = part["function_response"]
        identifier = given.get("id") or given["name"]
        return {"type": "tool_result", "tool_call_id": identifier, "tool_result": given.get("response")}
    raise not_storable(f"a part with {', '.join(part)}")


def _read_function(declaration: Mapping[str, Any]) -> dict[str, Any]:
    function: dict[str, Any] = {"name": declaration["name"]}
    if declaration.get("description"):
        function["description"] = declaration["description"]
    schema = declaration.get("parameters_json_schema") or declaration.get("parameters")
    return {"type": "function", "function": {**function, **({"parameters": schema} if schema else {})}}
