"""Evaluators of functions."""

from __future__ import annotations

import functools
import inspect
import time
import typing
from collections.abc import Callable
from typing import Any

from ..fingerprints import function_digest
from ..scores import Score, to_score
from ..threads import run_in_thread
from .base import Evaluator

# A function that answers faster than this runs in the event loop: a change of threads costs more.
_QUICK_SECONDS = 0.001
# Calls that are measured in a thread before a function counts as quick.
_MEASURED_CALLS = 4


class FunctionEvaluator(Evaluator):
    """An evaluator that can still be called like its function."""

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        name: str,
        kind: str | None = None,
        direction: str = "maximize",
        source: str | None = None,
    ) -> None:
        self._function = function
        self._is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)
        )
        self._names, self._has_rest, schema_of = _read_signature(function)
        super().__init__(name=name, kind=kind or (None if source else "code"), direction=direction, source=source)
        self._schema_of = schema_of
        self._plain = all(annotation in (Any, object) for annotation, _ in schema_of.values())
        self._is_quick: bool | None = None
        self._quick_calls = 0
        functools.update_wrapper(self, function, updated=())

    @property
    def input_schema(self) -> Any:
        if self._input_schema is None:
            self._input_schema = _make_model(self._name, self._schema_of, self._has_rest)
        return self._input_schema

    def _read_fields(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        required = tuple(name for name, (_, default) in self._schema_of.items() if default is inspect.Parameter.empty)
        return required, tuple(name for name in self._schema_of if name not in required)

    def _has_open_input(self) -> bool:
        return True

    def _check(self, remapped: dict[str, Any]) -> dict[str, Any]:
        if self._plain:
            return remapped
        self.input_schema  # noqa: B018 - the base reads the attribute behind it
        return super()._check(remapped)

    def _arguments(self, eval_input: dict[str, Any]) -> dict[str, Any]:
        if self._has_rest:
            return eval_input
        return {name: eval_input[name] for name in self._names if name in eval_input}

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        if self._is_async:
            raise NotImplementedError(f"{self._name} is a coroutine function; use async_evaluate")
        return self._to_scores(self._function(**self._arguments(eval_input)))

    async def _async_evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        if self._is_async:
            return self._to_scores(await self._function(**self._arguments(eval_input)))
        if self._is_quick:
            started = time.perf_counter()
            scores = self._evaluate(eval_input)
            if time.perf_counter() - started > 10 * _QUICK_SECONDS:
                self._is_quick = None
                self._quick_calls = 0
            return scores
        return await run_in_thread(self._measure, eval_input)

    def _measure(self, eval_input: dict[str, Any]) -> list[Score]:
        started = time.thread_time()
        wall = time.perf_counter()
        scores = self._evaluate(eval_input)
        # Time of the processor: other threads run while this one waits for its turn. A function that waits shows in the other.
        is_quick = time.thread_time() - started < _QUICK_SECONDS and time.perf_counter() - wall < 20 * _QUICK_SECONDS
        self._quick_calls = self._quick_calls + 1 if is_quick else 0
        self._is_quick = self._quick_calls >= _MEASURED_CALLS
        return scores

    def _to_scores(self, value: Any) -> list[Score]:
        return [to_score(value, name=self._name, kind=self._kind, direction=self._direction)]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def fingerprint(self) -> dict[str, Any]:
        return {**super().fingerprint(), "code": function_digest(self._function)}


def create_evaluator(
    name: str, source: str | None = None, direction: str = "maximize", kind: str | None = None
) -> Callable[[Callable[..., Any]], FunctionEvaluator]:
    """Decorator that makes an evaluator of a function, also of a coroutine function. The kind is `code` unless given."""
    if not isinstance(name, str):
        raise TypeError(f"the name of an evaluator is {type(name).__name__}; write @create_evaluator(name=...)")

    def decorate(function: Callable[..., Any]) -> FunctionEvaluator:
        return FunctionEvaluator(function, name=name, kind=kind, direction=direction, source=source)

    return decorate


def _read_signature(function: Callable[..., Any]) -> tuple[tuple[str, ...], bool, dict[str, tuple[Any, Any]]]:
    signature = inspect.signature(function)
    try:
        hints = typing.get_type_hints(function)
    except Exception:  # Annotations may name things that exist for type checkers only.
        hints = {}
    fields: dict[str, tuple[Any, Any]] = {}
    has_rest = False
    for one in signature.parameters.values():
        if one.kind is inspect.Parameter.VAR_KEYWORD:
            has_rest = True
        elif one.kind is inspect.Parameter.POSITIONAL_ONLY:
            raise TypeError(f"the parameter {one.name!r} is positional only; an evaluator is called with names")
        elif one.kind is not inspect.Parameter.VAR_POSITIONAL:
            fields[one.name] = (hints.get(one.name, Any), one.default)
    return tuple(fields), has_rest, fields


def _make_model(name: str, fields: dict[str, tuple[Any, Any]], has_rest: bool) -> Any:
    from pydantic import ConfigDict, create_model

    config = ConfigDict(arbitrary_types_allowed=True, extra="allow" if has_rest else "ignore", protected_namespaces=())
    made = {key: (kind, ... if default is inspect.Parameter.empty else default) for key, (kind, default) in fields.items()}
    title = "".join(part for part in name.title() if part.isalnum()) or "Evaluator"
    return create_model(f"{title}Input", __config__=config, **made)
