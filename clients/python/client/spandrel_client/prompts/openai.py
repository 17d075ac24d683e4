"""Arguments of OpenAI's chat completions and responses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..frames.values import to_json_value
from .version import FormattedPrompt, not_storable, unsupported

if TYPE_CHECKING:
    from .version import PromptVersion

PARAMETERS = (
    *("temperature", "max_tokens", "max_completion_tokens", "frequency_penalty", "presence_penalty", "top_p", "seed"),
    *("reasoning_effort", "stop", "extra_body"),
)
ROLES = {"ai": "assistant", "model": "assistant"}
_FROM_OTHERS = {
    "max_tokens": "max_completion_tokens",
    "max_output_tokens": "max_completion_tokens",
    "stop_sequences": "stop",
}
_CHOICES = {"none": "none", "zero_or_more": "auto", "one_or_more": "required"}


def parameters_of(version: PromptVersion) -> dict[str, Any]:
    """Parameters that OpenAI has, under its names."""
    own = version.invocation_parameters
    if version._data["invocation_parameters"]["type"] in ("anthropic", "google", "aws"):
        own = {_FROM_OTHERS.get(name, name): value for name, value in own.items()}
    return {name: own[name] for name in PARAMETERS if name in own}


def write_arguments(version: PromptVersion, messages: Sequence[Mapping[str, Any]]) -> FormattedPrompt:
    """Keyword arguments of `chat.completions.create`."""
    kwargs: dict[str, Any] = {"model": version.model_name, **parameters_of(version)}
    data = version._data
    if "tools" in data:
        tools = data["tools"]
        kwargs["tools"] = [_tool(tool) for tool in tools["tools"]]
        choice = tools.get("tool_choice")
        if choice:
            kwargs["tool_choice"] = (
                {"type": "function", "function": {"name": choice["function_name"]}}
                if choice["type"] == "specific_function"
                else _CHOICES[choice["type"]]
            )
        if "disable_parallel_tool_calls" in tools:
            kwargs["parallel_tool_calls"] = not tools["disable_parallel_tool_calls"]
    if "response_format" in data:
        kwargs["response_format"] = data["response_format"]
    return FormattedPrompt([one for message in messages for one in _messages(message)], kwargs)


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    return dict(tool["raw"]) if tool["type"] == "raw" else {"type": "function", "function": dict(tool["function"])}


def _messages(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    role = ROLES.get(message["role"], message["role"])
    content = message["content"]
    if isinstance(content, str):
        return [{"role": role, "content": content}]
    made: list[dict[str, Any]] = []
    shown = [_part(part) for part in content if part["type"] in ("text", "image")]
    calls = [_call(part) for part in content if part["type"] == "tool_call"]
    results = [part for part in content if part["type"] == "tool_result"]
    if shown or calls:
        single = len(shown) == 1 and shown[0]["type"] == "text"
        one: dict[str, Any] = {"role": role}
        if shown:
            one["content"] = shown[0]["text"] if single else shown
        if calls:
            one["tool_calls"] = calls
        made.append(one)
    for part in results:
        made.append({"role": "tool", "tool_call_id": part["tool_call_id"], "content": result_text(part["tool_result"])})
    return made


def result_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] == "image":
        return {"type": "image_url", "image_url": {"url": part["image"]["url"]}}
    return {"type": "text", "text": part["text"]}


def _call(part: Mapping[str, Any]) -> dict[str, Any]:
    call = part["tool_call"]
    function = {"name": call["name"], "arguments": call.get("arguments") or "{}"}
    return {"id": part["tool_call_id"], "type": "function", "function": function}


def write_responses_arguments(version: PromptVersion, messages: Sequence[Mapping[str, Any]]) -> FormattedPrompt:
    """Keyword arguments of `responses.create`."""
    chat = write_arguments(version, messages)
    kwargs = dict(chat.kwargs)
    for name in ("frequency_penalty", "presence_penalty", "seed", "stop"):
        if name in kwargs:
            raise unsupported("OpenAI's responses API", f"the parameter {name}")
    limit = kwargs.pop("max_completion_tokens", kwargs.pop("max_tokens", None))
    if limit is not None:
        kwargs["max_output_tokens"] = limit
    if "reasoning_effort" in kwargs:
        kwargs["reasoning"] = {"effort": kwargs.pop("reasoning_effort")}
    if "tools" in kwargs:
        kwargs["tools"] = [{"type": "function", **t["function"]} if "function" in t else t for t in kwargs["tools"]]
    if isinstance(kwargs.get("tool_choice"), dict):
        kwargs["tool_choice"] = {"type": "function", "name": kwargs["tool_choice"]["function"]["name"]}
    if "response_format" in kwargs:
        schema = kwargs.pop("response_format")["json_schema"]
        kwargs["text"] = {"format": {"type": "json_schema", **schema}}
    return FormattedPrompt([item for message in chat.messages for item in _items(message)], kwargs, "input")


def _items(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    if message["role"] == "tool":
        return [{"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]}]
    items: list[dict[str, Any]] = []
    content = message.get("content")
    if content:
        side = "output" if message["role"] == "assistant" else "input"
        parts = content if isinstance(content, str) else [_response_part(part, side) for part in content]
        items.append({"role": message["role"], "content": parts})
    for call in message.get("tool_calls", ()):
        items.append({"type": "function_call", "call_id": call["id"], **call["function"]})
    return items


def _response_part(part: Mapping[str, Any], side: str) -> dict[str, Any]:
    if part["type"] == "image_url":
        return {"type": "input_image", "image_url": part["image_url"]["url"]}
    return {"type": f"{side}_text", "text": part["text"]}


def read_arguments(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parts of a version from keyword arguments of `chat.completions.create`."""
    params = to_json_value(dict(params))
    if "model" not in params or "messages" not in params:
        raise ValueError("expected arguments with model and messages")
    parameters = {name: params[name] for name in PARAMETERS if params.get(name) is not None}
    if isinstance(parameters.get("stop"), str):
        parameters["stop"] = [parameters["stop"]]
    return {
        "messages": [_read_message(message) for message in params["messages"]],
        "model_name": params["model"],
        "parameters": parameters,
        "tools": _read_tools(params),
        "response_format": _read_response_format(params.get("response_format")),
    }


def _read_message(message: Mapping[str, Any]) -> dict[str, Any]:
    role, content = message["role"], message.get("content")
    if role == "tool":
        text = content if isinstance(content, str) else "".join(part["text"] for part in content or [])
        return {"role": "tool", "content": [{"type": "tool_result", "tool_call_id": message["tool_call_id"], "tool_result": text}]}
    if role not in ("user", "system", "developer", "assistant"):
        raise not_storable(f"a message of the role {role!r}")
    if message.get("refusal") or message.get("audio") or message.get("function_call"):
        raise not_storable("a refusal, an audio or a function_call of a message")
    calls = [_read_call(call) for call in message.get("tool_calls") or []]
    if isinstance(content, str) and not calls:
        return {"role": role, "content": content}
    parts = [{"type": "text", "text": content}] if isinstance(content, str) and content else []
    if isinstance(content, list):
        parts = [_read_part(part) for part in content]
    if not parts and not calls:
        raise not_storable("a message without content")
    return {"role": role, "content": [*parts, *calls]}


def _read_part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return {"type": "text", "text": part["text"]}
    if part["type"] == "image_url":
        return {"type": "image", "image": {"url": part["image_url"]["url"]}}
    raise not_storable(f"a content part of the type {part['type']!r}")


def _read_call(call: Mapping[str, Any]) -> dict[str, Any]:
    if call.get("type", "function") != "function":
        raise not_storable(f"a tool call of the type {call['type']!r}")
    function = {"type": "function", "name": call["function"]["name"], "arguments": call["function"]["arguments"]}
    return {"type": "tool_call", "tool_call_id": call["id"], "tool_call": function}


def _read_tools(params: Mapping[str, Any]) -> dict[str, Any] | None:
    if not params.get("tools"):
        return None
    tools: list[dict[str, Any]] = []
    for tool in params["tools"]:
        if tool.get("type") == "function":
            function = {name: value for name, value in tool["function"].items() if value is not None}
            tools.append({"type": "function", "function": function})
        else:
            tools.append({"type": "raw", "raw": tool})
    made: dict[str, Any] = {"type": "tools", "tools": tools}
    choice = params.get("tool_choice")
    if isinstance(choice, dict):
        if choice.get("type") != "function":
            raise not_storable(f"the tool choice {choice.get('type')!r}")
        made["tool_choice"] = {"type": "specific_function", "function_name": choice["function"]["name"]}
    elif choice:
        made["tool_choice"] = {"type": next(key for key, value in _CHOICES.items() if value == choice)}
    if params.get("parallel_tool_calls") is not None:
        made["disable_parallel_tool_calls"] = not params["parallel_tool_calls"]
    return made


def _read_response_format(given: Any) -> dict[str, Any] | None:
    if given is None:
        return None
    if not isinstance(given, dict) or given.get("type") != "json_schema":
        kind = given.get("type") if isinstance(given, dict) else given
        raise not_storable(f"the response format {kind!r}")
    schema = {name: value for name, value in given["json_schema"].items() if value is not None}
    return {"type": "json_schema", "json_schema": schema}
