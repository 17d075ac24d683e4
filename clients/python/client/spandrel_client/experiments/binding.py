"""Which values a task or an evaluator gets, by the names of its parameters."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

TASK_NAMES = ("input", "expected", "reference", "metadata", "example")
EVALUATOR_NAMES = ("input", "output", "expected", "reference", "metadata", "example", "trace_id")
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class ExampleProxy(Mapping[str, Any]):
    """An example that cannot be changed, with its fields as attributes too."""

    def __init__(self, example: Mapping[str, Any]) -> None:
        self._example = MappingProxyType(dict(example))

    def __getitem__(self, key: str) -> Any:
        return self._example[key]

    def __iter__(self) -> Any:
        return iter(self._example)

    def __len__(self) -> int:
        return len(self._example)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._example:
            raise AttributeError(name)
        return self._example[name]

    def __repr__(self) -> str:
        return f"Example({dict(self._example)!r})"


Binder = Callable[[Mapping[str, Any]], tuple[tuple[Any, ...], dict[str, Any]]]


def make_binder(function: Callable[..., Any], names: Sequence[str], default: str) -> Binder:
    """A function from the values to the arguments of a call. ValueError for parameters that no value fits."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return lambda values: ((values[default],), {})
    plain = [one for one in parameters if one.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)]
    has_rest = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters)
    if not plain and has_rest:
        return lambda values: ((), {name: values[name] for name in names})
    if not plain:
        if any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in parameters):
            return lambda values: ((values[default],), {})
        raise ValueError(f"{name_of(function)} takes no parameter; expected one of {', '.join(names)}")
    if len(plain) == 1 and plain[0].kind in _POSITIONAL:
        name = plain[0].name if plain[0].name in names else default
        return lambda values: ((values[name],), {})
    unknown = [one.name for one in plain if one.name not in names and one.default is inspect.Parameter.empty]
    if unknown:
        raise ValueError(f"{name_of(function)} has the parameter {unknown[0]!r}; expected names among {', '.join(names)}")
    chosen = [one for one in plain if one.name in names]
    positional = [one.name for one in chosen if one.kind is inspect.Parameter.POSITIONAL_ONLY]
    keywords = [one.name for one in chosen if one.kind is not inspect.Parameter.POSITIONAL_ONLY]
    return lambda values: (tuple(values[name] for name in positional), {name: values[name] for name in keywords})


def task_values(example: Mapping[str, Any]) -> dict[str, Any]:
    """Copies of what a task may look at."""
    own = copy.deepcopy({key: example.get(key) for key in ("input", "output", "metadata")})
    frozen = ExampleProxy(
        {"id": example.get("id"), "updated_at": example.get("updated_at"), **copy.deepcopy(own)}
    )
    return {
        "input": own["input"],
        "expected": own["output"],
        "reference": own["output"],
        "metadata": own["metadata"],
        "example": frozen,
    }


def evaluator_values(example: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    return {**task_values(example), "output": copy.deepcopy(run.get("output")), "trace_id": run.get("trace_id")}


def name_of(function: Any) -> str:
    """Name of a function, also of a partial one or of an object that can be called."""
    if isinstance(function, functools.partial):
        return name_of(function.func)
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return name.rpartition(".")[2]
