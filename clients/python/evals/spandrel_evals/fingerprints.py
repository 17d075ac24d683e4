"""Digests of functions, by which a checkpoint or a cache tells one function from another."""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Mapping
from typing import Any

# Functions inside of functions, and values inside of values.
_DEPTH_MAX = 8


def function_digest(function: Any) -> str:
    """Digest of the code, the defaults and the plain values that the function has closed over.

    Objects and functions that it finds under a global name are known by this name alone. Other versions of Python have other
    code.
    """
    return hashlib.sha256(repr(_function(function, 0)).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _function(function: Any, depth: int) -> Any:
    if isinstance(function, functools.partial):
        return ["partial", *(_value(one, depth + 1) for one in (function.func, function.args, function.keywords))]
    plain = inspect.unwrap(function)
    plain = getattr(plain, "__func__", plain)
    if getattr(plain, "__code__", None) is None:
        call = getattr(type(plain), "__call__", None)
        return _function(call, depth + 1) if hasattr(call, "__code__") else _name(plain)
    cells = [_cell(cell, depth + 1) for cell in plain.__closure__ or ()]
    defaults = [_value(one, depth + 1) for one in (plain.__defaults__, plain.__kwdefaults__)]
    return [_code(plain.__code__), defaults, cells]


def _name(value: Any) -> str:
    owner = value if hasattr(value, "__qualname__") else type(value)
    return f"{owner.__module__}.{owner.__qualname__}"


def _code(code: Any) -> Any:
    constants = [_code(one) if hasattr(one, "co_code") else _value(one, 0) for one in code.co_consts]
    return [code.co_code.hex(), code.co_names, constants]


def _cell(cell: Any, depth: int) -> Any:
    try:
        return _value(cell.cell_contents, depth)
    except ValueError:
        return "empty"


def _value(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return repr(value)
    if depth > _DEPTH_MAX:
        return type(value).__qualname__
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *(_value(one, depth + 1) for one in value)]
    if isinstance(value, (set, frozenset)):
        # Their order changes from process to process.
        return [type(value).__name__, *sorted(repr(_value(one, depth + 1)) for one in value)]
    if isinstance(value, Mapping):
        return ["mapping", *sorted(repr([_value(key, depth + 1), _value(one, depth + 1)]) for key, one in value.items())]
    if inspect.isroutine(value) or isinstance(value, functools.partial):
        return _function(value, depth + 1)
    return _name(value)
