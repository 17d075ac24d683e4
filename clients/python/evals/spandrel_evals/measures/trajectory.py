"""Match of the tool calls of an agent with the expected ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from .json_values import canonical_json, parse_json

TrajectoryMode = Literal["exact", "in_order", "any_order"]
TRAJECTORY_MODES: tuple[TrajectoryMode, ...] = ("exact", "in_order", "any_order")


class ToolCall(NamedTuple):
    name: str
    # Canonical JSON. None: any arguments.
    arguments: str | None


def trajectory_match(expected: Sequence[Any], output: Sequence[Any], mode: TrajectoryMode = "exact") -> bool:
    """Whether the calls of ``output`` are the expected ones.

    :param expected: names, or calls with a name and arguments (a JSON text or an object; OpenAI's ``function`` is understood).
        A call without arguments fits all arguments.
    :param mode: ``exact``: these calls and no others; ``in_order``: these in this order, others between them;
        ``any_order``: these in any order, others besides
    """
    if mode not in TRAJECTORY_MODES:
        raise ValueError(f"The mode must be one of {', '.join(TRAJECTORY_MODES)}, received {mode!r}")
    wanted, made = [to_call(call) for call in expected], [to_call(call) for call in output]
    if mode == "exact":
        return len(wanted) == len(made) and all(map(_fits, wanted, made))
    if mode == "in_order":
        calls = iter(made)
        return all(any(_fits(call, other) for other in calls) for call in wanted)
    return _contains(wanted, made)


def _fits(wanted: ToolCall, made: ToolCall) -> bool:
    return wanted.name == made.name and (wanted.arguments is None or wanted.arguments == made.arguments)


def _contains(wanted: list[ToolCall], made: list[ToolCall]) -> bool:
    """Calls with arguments take theirs first: equal calls are interchangeable, and the rest fits by name alone."""
    left = Counter(made)
    for call in wanted:
        if call.arguments is not None:
            if left[call] == 0:
                return False
            left[call] -= 1
    names: Counter[str] = Counter()
    for call, count in left.items():
        names[call.name] += count
    return not Counter(call.name for call in wanted if call.arguments is None) - names


def to_call(value: Any) -> ToolCall:
    """:raises ValueError: if the value has no name of a tool"""
    if isinstance(value, str):
        return ToolCall(value, None)
    if isinstance(value, Mapping):
        value = value.get("tool_call", value)
        value = value.get("function", value) if isinstance(value, Mapping) else value
    name = value.get("name") if isinstance(value, Mapping) else None
    if not isinstance(name, str):
        raise ValueError(f"A tool call must be a name, or an object with a name, received {value!r:.80}")
    arguments = value.get("arguments")
    if arguments is None:
        return ToolCall(name, None)
    if isinstance(arguments, str):
        try:
            arguments = parse_json(arguments)
        except ValueError:
            pass  # A text that is no JSON is compared as a text.
    return ToolCall(name, canonical_json(arguments))
