"""Filter expressions of JSONPath and their functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ..limits import PATH_PATTERN_CHARACTER_COUNT_MAX

# The value of a path that selects nothing.
NOTHING = type("Nothing", (), {"__repr__": lambda self: "Nothing"})()


class Literal(NamedTuple):
    value: Any

    def evaluate(self, node: Any, root: Any) -> Any:
        return self.value


class Query(NamedTuple):
    segments: Any
    is_relative: bool

    @property
    def is_singular(self) -> bool:
        return all(
            not segment.is_descendant and len(segment.selectors) == 1 and segment.selectors[0][0] in ("name", "index")
            for segment in self.segments
        )

    def nodes(self, node: Any, root: Any) -> list[Any]:
        from .jsonpath import find_all

        return find_all(node if self.is_relative else root, self.segments, root=root)

    def evaluate(self, node: Any, root: Any) -> Any:
        found = self.nodes(node, root)
        return found[0] if found else NOTHING


class Existence(NamedTuple):
    query: Query

    def test(self, node: Any, root: Any) -> bool:
        return bool(self.query.nodes(node, root))


class Negation(NamedTuple):
    part: Any

    def test(self, node: Any, root: Any) -> bool:
        return not self.part.test(node, root)


class Logical(NamedTuple):
    combine: Callable[[Any], bool]
    parts: list[Any]

    def test(self, node: Any, root: Any) -> bool:
        return self.combine(part.test(node, root) for part in self.parts)


class Comparison(NamedTuple):
    left: Any
    operator: str
    right: Any

    def test(self, node: Any, root: Any) -> bool:
        left, right = self.left.evaluate(node, root), self.right.evaluate(node, root)
        operator = self.operator
        if operator == "==":
            return is_equal(left, right)
        if operator == "!=":
            return not is_equal(left, right)
        if operator == "<":
            return _is_less(left, right)
        if operator == ">":
            return _is_less(right, left)
        if operator == "<=":
            return _is_less(left, right) or is_equal(left, right)
        return _is_less(right, left) or is_equal(left, right)


class Call(NamedTuple):
    name: str
    arguments: list[Any]

    def evaluate(self, node: Any, root: Any) -> Any:
        function = FUNCTIONS[self.name]
        if function.takes_nodes:
            return function.run(*(one.nodes(node, root) for one in self.arguments))
        return function.run(*(one.evaluate(node, root) for one in self.arguments))

    def test(self, node: Any, root: Any) -> bool:
        return self.evaluate(node, root) is True


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_equal(left: Any, right: Any) -> bool:
    """Equality of JSON values: 1 and true differ, 1 and 1.0 do not."""
    if left is NOTHING or right is NOTHING:
        return left is right
    if _is_number(left) and _is_number(right):
        return bool(left == right)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(is_equal(left[key], right[key]) for key in left)
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(is_equal(one, other) for one, other in zip(left, right))
    return type(left) is type(right) and bool(left == right)


def _is_less(left: Any, right: Any) -> bool:
    if _is_number(left) and _is_number(right):
        return bool(left < right)
    return isinstance(left, str) and isinstance(right, str) and left < right


def _length(value: Any) -> Any:
    return len(value) if isinstance(value, (str, Mapping, list, tuple)) else NOTHING


@lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str] | None:
    # A dot of RFC 9485 matches all but line ends.
    try:
        return re.compile(re.sub(r"(\\.|\[[^\]]*\])|\.", lambda found: found.group(1) or r"[^\n\r]", text))
    except (re.error, RecursionError):
        return None


def _matches(text: Any, pattern: Any, is_whole: bool) -> bool:
    if not isinstance(text, str) or not isinstance(pattern, str):
        return False
    # Patterns may need exponential time, so both sides are short.
    if max(len(text), len(pattern)) > PATH_PATTERN_CHARACTER_COUNT_MAX:
        return False
    compiled = _pattern(pattern)
    if compiled is None:
        return False
    return (compiled.fullmatch(text) if is_whole else compiled.search(text)) is not None


class Function(NamedTuple):
    run: Callable[..., Any]
    count: int
    is_value: bool
    takes_nodes: bool


FUNCTIONS: dict[str, Function] = {
    "length": Function(_length, 1, True, False),
    "count": Function(len, 1, True, True),
    "value": Function(lambda nodes: nodes[0] if len(nodes) == 1 else NOTHING, 1, True, True),
    "match": Function(lambda text, pattern: _matches(text, pattern, True), 2, False, False),
    "search": Function(lambda text, pattern: _matches(text, pattern, False), 2, False, False),
}
