"""Masks: what spans must not show, by the path of an attribute and by a pattern of its text. Applied before spans leave the
process, also before they are written to disk."""

from __future__ import annotations

import copy
import fnmatch
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .delivery.losses import log_problem

REDACTED = "__REDACTED__"
# Deeper values of JSON texts are masked whole.
_DEPTH_MAX = 50


@dataclass(frozen=True)
class Mask:
    """A rule. `path` names attributes, also inside of values that are JSON texts; `*` stands for one step or a part of it and
    `**` for any rest: `input.value`, `llm.input_messages.*.message.content`, `input.value.card.number`, `**`.

    Without a `pattern` the whole value becomes the replacement. With one, each match in a text does; without a path, in all
    texts of a span, its name, status and events included. The replacement may be a function of the match.
    """

    path: str | None = None
    pattern: str | re.Pattern[str] | None = None
    replacement: str | Callable[[re.Match[str]], str] = REDACTED

    def __post_init__(self) -> None:
        if self.path is None and self.pattern is None:
            raise ValueError("a Mask has neither path nor pattern; expected at least one")
        if self.pattern is None and callable(self.replacement):
            raise ValueError("a Mask whose replacement is a function needs a pattern")
        if isinstance(self.pattern, str):
            object.__setattr__(self, "pattern", re.compile(self.pattern))


def make_masking(rules: Any) -> Callable[[Any], Any] | None:
    """A function from a span to one that shows less; None without rules."""
    if rules is None:
        return None
    chosen = [rules] if isinstance(rules, Mask) else list(rules)
    for rule in chosen:
        if not isinstance(rule, Mask):
            raise ValueError(f"a mask is {type(rule).__name__}; expected Mask(path=…, pattern=…)")
    return _Masking(chosen) if chosen else None


class _Masking:
    def __init__(self, rules: Sequence[Mask]) -> None:
        self._rules = [(rule, tuple(rule.path.split(".")) if rule.path else ("**",)) for rule in rules]
        self._everywhere = [rule for rule in rules if rule.path is None]
        self._has_failed = False

    def __call__(self, span: Any) -> Any:
        """A copy of the span; the original, which other processors may have, stays."""
        from opentelemetry.sdk.trace import Event
        from opentelemetry.trace import Link, Status

        masked = copy.copy(span)
        masked._attributes = self._attributes(span.attributes)
        masked._name = self._text(span.name)
        if span.events:
            masked._events = tuple(Event(self._text(event.name), self._attributes(event.attributes), event.timestamp) for event in span.events)
        if span.links:
            masked._links = tuple(Link(link.context, self._attributes(link.attributes)) for link in span.links)
        if span.status.description:
            masked._status = Status(span.status.status_code, self._text(span.status.description))
        return masked

    def _attributes(self, attributes: Mapping[str, Any] | None) -> dict[str, Any]:
        return {key: self._attribute(key, value) for key, value in (attributes or {}).items()}

    def _attribute(self, key: str, value: Any) -> Any:
        steps = tuple(key.split("."))
        for rule, path in self._rules:
            try:
                value = self._apply(rule, path, steps, value, 0)
            except Exception as error:  # noqa: BLE001 - a rule that fails must not show the value
                if not self._has_failed:
                    self._has_failed = True
                    log_problem(f"A mask cannot be applied to {key!r}, which is hidden", error)
                return REDACTED
        return value

    def _apply(self, rule: Mask, path: tuple[str, ...], steps: tuple[str, ...], value: Any, depth: int) -> Any:
        """The value at these steps, with everything that the rest of the path names replaced."""
        for number, wanted in enumerate(path):
            if wanted == "**":
                return _replace(rule, value)
            if number == len(steps):
                # The path goes on inside of the value.
                return self._inside(rule, path[number:], value, depth)
            if not fnmatch.fnmatchcase(steps[number], wanted):
                return value
        return _replace(rule, value) if len(path) == len(steps) else value

    def _inside(self, rule: Mask, path: tuple[str, ...], value: Any, depth: int) -> Any:
        if isinstance(value, str) and value[:1] in ("{", "["):
            try:
                parsed = json.loads(value)
            except ValueError:
                return value
            changed = self._descend(rule, path, parsed, depth)
            return value if changed == parsed else json.dumps(changed, ensure_ascii=False)
        return self._descend(rule, path, value, depth) if depth else value

    def _descend(self, rule: Mask, path: tuple[str, ...], value: Any, depth: int) -> Any:
        if depth > _DEPTH_MAX:
            return REDACTED
        if isinstance(value, dict):
            return {key: self._apply(rule, path, (str(key),), one, depth + 1) for key, one in value.items()}
        if isinstance(value, list):
            return [self._apply(rule, path, (str(number),), one, depth + 1) for number, one in enumerate(value)]
        return value

    def _text(self, text: str) -> str:
        for rule in self._everywhere:
            text = _replace(rule, text)
        return text


def _replace(rule: Mask, value: Any) -> Any:
    pattern: Any = rule.pattern
    if pattern is None:
        return rule.replacement
    if isinstance(value, str):
        return pattern.sub(rule.replacement, value)
    if isinstance(value, (list, tuple)):
        return type(value)(_replace(rule, one) for one in value)
    if isinstance(value, dict):
        return {key: _replace(rule, one) for key, one in value.items()}
    return value
