"""Input mapping: which value of a row each field of an evaluator gets."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any, Union

from ..errors import InputError, quote
from .jsonpath import compile_path, find_all

InputMapping = Mapping[str, Union[str, Callable[..., Any]]]
_FIRST_PART = re.compile(r"""^\$?\.?(?:\[\s*(['"])(?P<quoted>.*?)\1\s*\]|(?P<name>[^.\[\]]+))""")


def check_mapping(mapping: Any) -> None:
    """TypeError for a mapping that is no mapping, or whose values are neither texts nor functions."""
    if not isinstance(mapping, Mapping):
        raise TypeError(f"the input mapping is {type(mapping).__name__}; expected a dict of fields")
    for field, source in mapping.items():
        if not isinstance(source, str) and not callable(source):
            raise TypeError(
                f"the mapping of {field!r} is {type(source).__name__}; expected a key, a JSONPath or a function"
            )


def remap_eval_input(
    eval_input: Mapping[str, Any],
    required_fields: Collection[str],
    input_mapping: InputMapping | None = None,
    optional_fields: Collection[str] = (),
) -> dict[str, Any]:
    """The input of an evaluator. InputError names the first required field that the row does not have."""
    mapping = input_mapping or {}
    if not mapping:
        for field in required_fields:
            if field not in eval_input:
                raise _missing(field, field, eval_input)
        return dict(eval_input)
    remapped: dict[str, Any] = {}
    used: set[str] = set()
    for field in dict.fromkeys((*required_fields, *mapping)):
        source = mapping.get(field) or field
        if isinstance(source, str):
            found, value = _read(eval_input, source, used)
            if found:
                remapped[field] = value
            elif field in required_fields:
                raise _missing(field, source, eval_input)
        elif callable(source):
            remapped[field] = _call(field, source, eval_input)
        else:
            check_mapping(mapping)
    for key, value in eval_input.items():
        if key not in used and key not in remapped:
            remapped[key] = value
    return remapped


def _missing(field: str, source: str, eval_input: Mapping[str, Any]) -> InputError:
    found = ", ".join(str(key) for key in list(eval_input)[:20]) or "nothing"
    path = "" if field == source else f" (looked for {quote(source)})"
    return InputError(f"Missing required field {field!r}{path}; the row has {found}; add it, or give an input mapping")


def _read(eval_input: Mapping[str, Any], source: str, used: set[str]) -> tuple[bool, Any]:
    if source in eval_input:
        used.add(source)
        return True, eval_input[source]
    if _is_plain(source):
        return False, None
    found = find_all(eval_input, compile_path(source), 1)
    first = _FIRST_PART.match(source)
    if first:
        used.add(first.group("quoted") or first.group("name") or "")
    return (True, found[0]) if found else (False, None)


@lru_cache(maxsize=1_024)
def _is_plain(source: str) -> bool:
    """Whether the text is a name and no path: then a missing key is no error of syntax."""
    return not re.search(r"[.$\[\]*]", source)


def _call(field: str, function: Callable[..., Any], eval_input: Mapping[str, Any]) -> Any:
    names = _parameters(function)
    if not names:
        raise InputError(f"the function that maps {field!r} takes no parameter; expected one or more")
    if len(names) == 1:
        name = names[0][0]
        return function(eval_input[name] if name in eval_input else eval_input)
    arguments: dict[str, Any] = {}
    for name, has_default in names:
        if name in eval_input:
            arguments[name] = eval_input[name]
        elif not has_default:
            raise InputError(f"the function that maps {field!r} needs {name!r}, which the row does not have")
    return function(**arguments)


def _parameters(function: Callable[..., Any]) -> list[tuple[str, bool]]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return [("value", False)]
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [(one.name, one.default is not inspect.Parameter.empty) for one in parameters if one.kind not in kinds]
