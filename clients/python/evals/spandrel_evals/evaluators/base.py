"""Evaluator: turns the fields of a row into scores."""

from __future__ import annotations

import copy
import inspect
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from .. import tracing
from ..errors import InputError, quote
from ..fingerprints import function_digest
from ..mapping.input_mapping import InputMapping, check_mapping, remap_eval_input
from ..scores import Score, check_direction, check_kind
from ..threads import run_in_thread

E = TypeVar("E", bound="Evaluator")


class Evaluator(ABC):
    """Base of all evaluators. A subclass defines `_evaluate`, and `_async_evaluate` if it can wait without a thread.

    `input_schema` is a pydantic model of the fields; without one, the fields of the input mapping are required.
    """

    def __init__(
        self,
        *,
        name: str,
        kind: str | None = None,
        direction: str = "maximize",
        input_schema: Any = None,
        source: str | None = None,
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"the name of an evaluator is {quote(name)}; expected a text")
        self._name = name
        self._kind = check_kind(kind, source) or "code"
        self._direction = check_direction(direction)
        self._input_schema = input_schema
        self._input_mapping: InputMapping | None = None
        # A row of a table says `answer`, a prompt asks for `output`: required names are looked up once.
        self._fields: tuple[tuple[str, ...], tuple[str, ...]] | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def kind(self) -> str:
        return self._kind

    @property
    def source(self) -> str:
        """Deprecated: `kind`."""
        return self._kind

    @property
    def direction(self) -> str:
        return self._direction

    @property
    def input_schema(self) -> Any:
        return self._input_schema

    @property
    def input_mapping(self) -> InputMapping | None:
        return self._input_mapping

    @abstractmethod
    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        """Scores of an input that has been mapped and checked."""

    async def _async_evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        return await run_in_thread(self._evaluate, eval_input)

    def evaluate(self, eval_input: Mapping[str, Any], input_mapping: InputMapping | None = None) -> list[Score]:
        """Scores of one row. InputError for a row that lacks a field or does not fit the schema."""
        prepared = self.prepare(eval_input, input_mapping)
        if not tracing.is_active():
            return self._evaluate(prepared)
        with tracing.evaluation(self, "evaluate", prepared) as span:
            return span.finish(self._evaluate(prepared))

    async def async_evaluate(self, eval_input: Mapping[str, Any], input_mapping: InputMapping | None = None) -> list[Score]:
        """`evaluate` without blocking the event loop."""
        prepared = self.prepare(eval_input, input_mapping)
        if not tracing.is_active():
            return await self._async_evaluate(prepared)
        with tracing.evaluation(self, "async_evaluate", prepared) as span:
            return span.finish(await self._async_evaluate(prepared))

    def prepare(self, eval_input: Mapping[str, Any], input_mapping: InputMapping | None = None) -> dict[str, Any]:
        """The input after mapping and checks."""
        if not isinstance(eval_input, Mapping):
            raise TypeError(f"the input is {type(eval_input).__name__}; expected a dict of fields")
        if input_mapping is not None:
            check_mapping(input_mapping)
        mapping = input_mapping if input_mapping is not None else self._input_mapping
        required, optional = self.fields()
        if not required and not optional and self._input_schema is None:
            if not mapping and not self._has_open_input():
                raise InputError(f"{self._name} has neither an input schema nor an input mapping; give one of them")
            required = tuple(mapping or ())
        return self._check(remap_eval_input(eval_input, required, mapping, optional))

    def fields(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Required and optional fields."""
        if self._fields is None:
            self._fields = self._read_fields()
        return self._fields

    def _read_fields(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        fields = getattr(self._input_schema, "model_fields", None) or {}
        required = tuple(name for name, one in fields.items() if one.is_required())
        return required, tuple(name for name in fields if name not in required)

    def _has_open_input(self) -> bool:
        """Whether the evaluator takes a row as it is, without named fields."""
        return False

    def _check(self, remapped: dict[str, Any]) -> dict[str, Any]:
        if self._input_schema is None:
            return remapped
        from pydantic import ValidationError

        try:
            model = self._input_schema.model_validate(remapped)
        except ValidationError as error:
            raise InputError(f"Input validation failed for {self._name}: {_issues(error)}") from None
        return {name: getattr(model, name) for name in type(model).model_fields} | (model.model_extra or {})

    def bind(self, input_mapping: InputMapping) -> None:
        """Stores a mapping in this evaluator. `bind_evaluator` returns a bound copy instead."""
        check_mapping(input_mapping)
        self._input_mapping = dict(input_mapping)

    def unbind(self) -> None:
        """Drops the stored mapping."""
        self._input_mapping = None

    def describe(self) -> dict[str, Any]:
        """Name, kind, direction and the JSON schema of the input."""
        schema = self.input_schema
        described = schema.model_json_schema() if schema is not None else {"unspecified": {"type": "unspecified"}}
        return {"name": self.name, "kind": self.kind, "direction": self.direction, "input_schema": described}

    def fingerprint(self) -> dict[str, Any]:
        """What results depend on; a checkpoint of other evaluators is refused by it."""
        return {
            "name": self._name,
            "kind": self._kind,
            "direction": self._direction,
            "class": type(self).__name__,
            "input_mapping": mapping_fingerprint(self._input_mapping),
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self._name!r}, kind={self._kind!r}, direction={self._direction!r})"


def mapping_fingerprint(mapping: InputMapping | None) -> dict[str, str]:
    """A mapping as texts; functions by their digest."""
    return {key: source if isinstance(source, str) else function_digest(source) for key, source in (mapping or {}).items()}


def _issues(error: Any) -> str:
    issues = []
    for one in error.errors()[:5]:
        path = ".".join(map(str, one["loc"]))
        issues.append(f"{path}: {one['msg']}, got {quote(repr(one.get('input')))}")
    return "; ".join(issues)


def bind_evaluator(*, evaluator: E, input_mapping: InputMapping) -> E:
    """A copy of the evaluator with a stored mapping. The given one stays as it is."""
    bound = copy.copy(evaluator)
    Evaluator.bind(bound, input_mapping)
    return bound


def to_evaluators(given: Any) -> list[Evaluator]:
    """Evaluators of one or a sequence. ValueError for two of one name; functions become evaluators of their name."""
    from .function import FunctionEvaluator

    many = [given] if isinstance(given, Evaluator) or callable(given) else list(given)
    if not many:
        raise ValueError("there are no evaluators; expected at least one")
    made: list[Evaluator] = []
    for one in many:
        if isinstance(one, Evaluator):
            made.append(one)
        elif callable(one) and not inspect.isclass(one):
            made.append(FunctionEvaluator(one, name=getattr(one, "__name__", "function")))
        else:
            raise TypeError(f"an evaluator is {quote(repr(one))}; expected an Evaluator or a function")
    check_names([one.name for one in made])
    return made


def check_names(names: Collection[str]) -> None:
    doubled = sorted({name for name in names if list(names).count(name) > 1})
    if doubled:
        raise ValueError(f"two evaluators have the name {doubled[0]!r}; give one of them another name")
