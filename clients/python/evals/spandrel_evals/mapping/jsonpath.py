"""JSONPath by RFC 9535: names, indexes, slices, wildcards, descendants, filters and its five functions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..errors import InputError, quote
from ..limits import PATH_CHARACTER_COUNT_MAX, PATH_VALUE_COUNT_MAX, VALUE_DEPTH_MAX
from .path_parser import Parser, Segment, Selector

__all__ = ["compile_path", "extract_with_jsonpath", "find_all"]


@lru_cache(maxsize=1_024)
def compile_path(path: str) -> tuple[Segment, ...]:
    """Segments of a path. A path without `$` starts at the root too. InputError says where it cannot be read."""
    if not path or len(path) > PATH_CHARACTER_COUNT_MAX:
        raise InputError(f"a JSONPath has {len(path)} characters; expected 1 to {PATH_CHARACTER_COUNT_MAX}")
    text = path
    if not path.startswith("$"):
        text = f"${path}" if path.startswith(("[", ".")) else f"$.{path}"
    return Parser(text).parse_query()


def extract_with_jsonpath(data: Any, path: str, match_all: bool = False) -> Any:
    """The first value that the path selects, or a list of all. InputError if it selects none and `match_all` is false."""
    found = find_all(data, compile_path(path), None if match_all else 1)
    if match_all:
        return found
    if not found:
        raise InputError(f"the path {quote(path)} selects nothing")
    return found[0]


def find_all(data: Any, segments: tuple[Segment, ...], count: int | None = None, root: Any = None) -> list[Any]:
    """Values that the segments select, in order; at most `count`."""
    root = data if root is None else root
    nodes = [data]
    for segment in segments:
        selected: list[Any] = []
        for node in nodes:
            for one in _descend(node, 0) if segment.is_descendant else (node,):
                for selector in segment.selectors:
                    selected.extend(_select(one, selector, root))
                if len(selected) > PATH_VALUE_COUNT_MAX:
                    raise InputError(f"a JSONPath selects more than {PATH_VALUE_COUNT_MAX} values; make it narrower")
        nodes = selected
        if not nodes:
            break
    return nodes if count is None else nodes[:count]


def _children(node: Any) -> list[Any]:
    if isinstance(node, Mapping):
        return list(node.values())
    return list(node) if _is_list(node) else []


def _is_list(node: Any) -> bool:
    return isinstance(node, (list, tuple)) or (hasattr(node, "tolist") and getattr(node, "ndim", 0) > 0)


def _descend(node: Any, depth: int) -> Any:
    if depth > VALUE_DEPTH_MAX:
        raise InputError(f"a value is nested deeper than {VALUE_DEPTH_MAX} levels; the path cannot search it")
    yield node
    for child in _children(node):
        if isinstance(child, Mapping) or _is_list(child):
            yield from _descend(child, depth + 1)


def _select(node: Any, selector: Selector, root: Any) -> list[Any]:
    kind, value = selector
    if kind == "name":
        return [node[value]] if isinstance(node, Mapping) and value in node else []
    if kind == "wildcard":
        return _children(node)
    if kind == "index":
        return [node[value]] if _is_list(node) and -len(node) <= value < len(node) else []
    if kind == "slice":
        return _slice(node, *value) if _is_list(node) else []
    return [one for one in _children(node) if value.test(one, root)]


def _slice(node: Any, start: int | None, end: int | None, step: int | None) -> list[Any]:
    if step == 0:
        return []
    return [node[index] for index in range(*slice(start, end, step).indices(len(node)))]
