"""Prompts in any accepted form as plain messages."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InputError, quote
from ..limits import FILE_BYTES_MAX, PROMPT_CHARACTER_COUNT_MAX

_ROLES = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "system": "system",
    "developer": "system",
}
_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,", re.ASCII)


def to_messages(prompt: Any) -> list[dict[str, Any]]:
    """Messages `{role, content}`. InputError for an empty prompt, an unknown role or an empty message."""
    if isinstance(prompt, str):
        prompt = [{"role": "user", "content": prompt}]
    elif hasattr(prompt, "render"):
        prompt = prompt.render({})
    if not prompt or (type(prompt) is not list and (isinstance(prompt, Mapping) or not isinstance(prompt, Sequence))):
        raise InputError(f"the prompt is {quote(repr(prompt))}; expected a text or a list of messages")
    messages = [_to_message(number, message) for number, message in enumerate(prompt)]
    length = sum(len(one["content"]) for one in messages if isinstance(one["content"], str))
    if length > PROMPT_CHARACTER_COUNT_MAX:
        raise InputError(f"the prompt has {length:,} characters; expected at most {PROMPT_CHARACTER_COUNT_MAX:,}")
    return messages


def _to_message(number: int, message: Any) -> dict[str, Any]:
    if type(message) is dict and type(message.get("content")) is str and "tool_calls" not in message:
        # Nearly all messages, so without the checks of other forms.
        known = _ROLES.get(message["role"]) if type(message.get("role")) is str else None
        if known is not None and not message["content"].isspace() and message["content"]:
            return {"role": known, "content": message["content"]}
    if hasattr(message, "model_dump"):
        message = message.model_dump(exclude_none=True)
    if not isinstance(message, Mapping):
        raise InputError(f"message {number} is {type(message).__name__}; expected a dict with role and content")
    # Messages of a tool call are OpenAI's own and pass through.
    if message.get("role") == "tool" or message.get("tool_calls"):
        return dict(message)
    role = _ROLES.get(str(getattr(message.get("role"), "value", message.get("role"))).lower())
    if role is None:
        raise InputError(f"message {number} has the role {quote(message.get('role'))}; expected user, assistant or system")
    content = message.get("content")
    if isinstance(content, str):
        if not content.strip():
            raise InputError(f"message {number} is empty; expected a text")
        return {"role": role, "content": content}
    if not isinstance(content, Sequence) or not content:
        raise InputError(f"message {number} has {quote(repr(content))} as content; expected a text or a list of parts")
    return {"role": role, "content": [_to_part(number, part) for part in content]}


def _to_part(number: int, part: Any) -> dict[str, Any]:
    kind = part.get("type") if isinstance(part, Mapping) else None
    if kind == "text" and isinstance(part.get("text"), str):
        return {"type": "text", "text": part["text"]}
    if kind == "image_url" and isinstance(part.get("image_url"), Mapping):
        return _to_media("image", part["image_url"], number)
    if kind in ("image", "file"):
        return _to_media(kind, part, number)
    raise InputError(f"message {number} has a part {quote(repr(part))}; expected type text, image or file")


def _to_media(kind: str, part: Mapping[str, Any], number: int) -> dict[str, Any]:
    """`{type, url}` or `{type, data (base64), media_type, name?}`."""
    url, data = part.get("url"), part.get("data")
    if isinstance(url, str) and url.startswith("data:"):
        found = _DATA_URL.match(url)
        if not found:
            raise InputError(f"message {number} has a data URL of an unknown form; expected data:<type>;base64,<data>")
        return _sized({"type": kind, "data": url[found.end() :], "media_type": found.group(1)}, part, number)
    if isinstance(url, str) and re.match(r"https?://|gs://|s3://", url):
        return {"type": kind, "url": url, **({"media_type": part["media_type"]} if part.get("media_type") else {})}
    if isinstance(data, (bytes, bytearray)):
        data = base64.b64encode(bytes(data)).decode()
    if not isinstance(data, str) or not isinstance(part.get("media_type"), str):
        raise InputError(f"message {number} has a {kind} without url, or data and media_type")
    return _sized({"type": kind, "data": data, "media_type": part["media_type"]}, part, number)


def _sized(made: dict[str, Any], part: Mapping[str, Any], number: int) -> dict[str, Any]:
    if len(made["data"]) * 3 // 4 > FILE_BYTES_MAX:
        raise InputError(f"message {number} has a {made['type']} over {FILE_BYTES_MAX // 2**20} MiB; make it smaller")
    if part.get("name"):
        made["name"] = str(part["name"])
    return made


def text_of(message: Mapping[str, Any]) -> str:
    """The texts of a message."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content or () if part.get("type") == "text")
