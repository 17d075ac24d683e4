"""Objects from answers: schemas of classifications, JSON in text, checks, and the words of a repair."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import AnswerError, InputError, LabelError, quote
from ..json_values import dump_json
from .contract import JSON, ModelReply

_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_QUOTED_ANSWER = 2_000


def classification_schema(labels: Any, include_explanation: bool, description: str | None) -> dict[str, Any]:
    """Object with `explanation` first, so that a model reasons before it decides, and `label`."""
    if isinstance(labels, Mapping):
        label: dict[str, Any] = {"type": "string", "oneOf": [{"const": one, "description": text} for one, text in labels.items()]}
    else:
        label = {"type": "string", "enum": list(labels)}
    label["description"] = description or "The label that fits best"
    properties: dict[str, Any] = {}
    if include_explanation:
        properties["explanation"] = {"type": "string", "description": "The reasons for the label, before the label is chosen"}
    properties["label"] = label
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def check_schema(schema: Any) -> dict[str, Any]:
    """InputError unless it is an object with properties whose required names exist."""
    if hasattr(schema, "model_json_schema"):
        schema = schema.model_json_schema()
    if not isinstance(schema, Mapping) or schema.get("type") != "object" or not isinstance(schema.get("properties"), Mapping):
        raise InputError(f"the schema is {quote(repr(schema))}; expected a JSON schema of an object with properties")
    unknown = [name for name in schema.get("required") or () if name not in schema["properties"]]
    if unknown:
        raise InputError(f"the schema requires {unknown[0]!r}, which is none of its properties")
    return schema if isinstance(schema, dict) else dict(schema)


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with `additionalProperties: false` on each object."""
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if isinstance(value, Mapping):
            made[key] = {name: strict_schema(one) if isinstance(one, Mapping) else one for name, one in value.items()} if key in ("properties", "$defs") else strict_schema(value)
        elif isinstance(value, list):
            made[key] = [strict_schema(one) if isinstance(one, Mapping) else one for one in value]
        else:
            made[key] = value
    if made.get("type") == "object":
        made["additionalProperties"] = False
    return made


def words_for_json(schema: Mapping[str, Any]) -> str:
    """What a model without schemas and tools is told."""
    return f"Answer with one JSON object and nothing else. It must fit this JSON schema:\n{dump_json(schema)}"


def parse_object(reply: ModelReply, schema: Mapping[str, Any], mode: str) -> dict[str, Any]:
    """The object of an answer. AnswerError if there is none, or if it does not fit the schema."""
    data = reply.data
    if data is None:
        data = find_json(reply.text)
    if isinstance(data, str):
        data = find_json(data)
    if not isinstance(data, dict):
        if not (reply.text or "").strip():
            raise AnswerError(f"the model answered with nothing{_stopped(reply)}")
        label = _only_label(reply.text, schema) if mode == JSON else None
        if label is None:
            raise AnswerError(f"the answer is no JSON object{_stopped(reply)}: {quote(reply.text)}")
        data = {**{name: "" for name in schema["properties"]}, "label": label}
    missing = [name for name in schema.get("required") or () if data.get(name) is None]
    if missing:
        raise AnswerError(f"the answer has no {missing[0]!r}{_stopped(reply)}: {quote(dump_json(data))}")
    return data


def _stopped(reply: ModelReply) -> str:
    cut = reply.stop_reason in ("length", "max_tokens", "MAX_TOKENS")
    return " (it was cut off by the limit of tokens; give a higher one)" if cut else ""


def _only_label(text: str, schema: Mapping[str, Any]) -> str | None:
    labels = label_names(schema)
    return match_label(text, labels) if labels and set(schema.get("required") or ()) <= {"label"} else None


def label_names(schema: Mapping[str, Any]) -> list[str]:
    label = schema["properties"].get("label") or {}
    return list(label.get("enum") or [one["const"] for one in label.get("oneOf") or ()])


def match_label(value: Any, labels: Sequence[str]) -> str | None:
    """The label that the text is, apart from case and marks around it. None if it is none, or two of them."""
    if not isinstance(value, str):
        return None
    if value in labels:
        return value
    stripped = value.strip().strip("\"'`*.").strip().casefold()
    found = [label for label in labels if label.strip().casefold() == stripped]
    return found[0] if len(found) == 1 else None


def check_label(answer: dict[str, Any], labels: Sequence[str]) -> dict[str, Any]:
    label = match_label(answer.get("label"), labels)
    if label is None:
        raise LabelError(f"the label is {quote(repr(answer.get('label')))}; expected one of {', '.join(labels)}")
    made = {"label": label}
    if isinstance(answer.get("explanation"), str):
        made["explanation"] = answer["explanation"]
    return made


def find_json(text: str) -> Any:
    """The first JSON object of a text, also inside of a code fence or between words. None if there is none."""
    if not text:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    for candidate in [*(found.group(1) for found in _FENCE.finditer(text)), text]:
        start = candidate.find("{")
        # A few starts, because a text may hold many braces.
        for _ in range(10):
            if start < 0:
                break
            try:
                return json.JSONDecoder().raw_decode(candidate, start)[0]
            except (ValueError, RecursionError):
                start = candidate.find("{", start + 1)
    return None


def repair_messages(messages: list[dict[str, Any]], reply: ModelReply, error: Exception) -> list[dict[str, Any]]:
    """The conversation with the answer that cannot be used, and what is wrong with it."""
    answered = dump_json(reply.data) if reply.data is not None else reply.text
    shown = answered[:_QUOTED_ANSWER] if answered.strip() else "(no answer)"
    wish = f"That answer cannot be used: {error}. Judge the same material again and answer in the requested form only."
    return [*messages, {"role": "assistant", "content": shown}, {"role": "user", "content": wish}]
