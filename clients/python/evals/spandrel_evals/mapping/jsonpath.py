"""JSONPath by RFC 9535."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from jsonpath import JSONPathEnvironment, JSONPathError

from ..errors import InputError, quote
from ..limits import PATH_CHARACTER_COUNT_MAX, PATH_VALUE_COUNT_MAX, VALUE_DEPTH_MAX

__all__ = ["compile_path", "extract_with_jsonpath", "find_all"]


class _Environment(JSONPathEnvironment):
    max_recursion_depth = VALUE_DEPTH_MAX


_ENVIRONMENT = _Environment(strict=True)


@lru_cache(maxsize=1_024)
def compile_path(path: str) -> Any:
    """A path that is ready to be used. A path without `$` starts at the root too. InputError says where it cannot be read."""
    if not path or len(path) > PATH_CHARACTER_COUNT_MAX:
        raise InputError(f"a JSONPath has {len(path)} characters; expected 1 to {PATH_CHARACTER_COUNT_MAX}")
    text = path
    if not path.startswith("$"):
        text = f"${path}" if path.startswith(("[", ".")) else f"$.{path}"
    try:
        return _ENVIRONMENT.compile(text)
    except (JSONPathError, RecursionError) as error:
        raise InputError(f"{quote(path)} is no JSONPath of RFC 9535: {str(error).splitlines()[0]}") from None


def extract_with_jsonpath(data: Any, path: str, match_all: bool = False) -> Any:
    """The first value that the path selects, or a list of all. InputError if it selects none and `match_all` is false."""
    found = find_all(data, compile_path(path), None if match_all else 1)
    if match_all:
        return found
    if not found:
        raise InputError(f"the path {quote(path)} selects nothing")
    return found[0]


def find_all(data: Any, path: Any, count: int | None = None) -> list[Any]:
    """Values that a compiled path selects, in order; at most `count`."""
    values: list[Any] = []
    try:
        for match in path.finditer(_plain(data)):
            values.append(match.value)
            if len(values) == count:
                break
            if len(values) > PATH_VALUE_COUNT_MAX:
                raise InputError(f"a JSONPath selects more than {PATH_VALUE_COUNT_MAX} values; make it narrower")
    except (JSONPathError, RecursionError) as error:
        raise InputError(f"the path {quote(str(path))} cannot be followed: {str(error).splitlines()[0]}") from None
    return values


def _plain(value: Any) -> Any:
    """Arrays of numpy, which cells of frames may be, as lists."""
    if isinstance(value, dict):
        return {key: _plain(one) if _may_be_array(one) else one for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) if _may_be_array(one) else one for one in value]
    return _plain(value.tolist()) if getattr(value, "ndim", 0) else value


def _may_be_array(value: Any) -> bool:
    return isinstance(value, (dict, list)) or bool(getattr(value, "ndim", 0))
