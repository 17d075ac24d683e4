"""Evaluators: functions, coroutines, objects, and evaluators of the evaluation library, in one form."""

from __future__ import annotations

import inspect
import numbers
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..frames.values import to_json_value
from .binding import EVALUATOR_NAMES, make_binder, name_of

_RESULT = ("score", "label", "explanation", "metadata", "name")


@dataclass(frozen=True)
class Evaluator:
    """`call` takes the values of a run and returns a result, or something to await."""

    name: str
    kind: str
    call: Callable[[Mapping[str, Any]], Any]
    is_async: bool = False


class BaseEvaluator:
    """Base of evaluators with `evaluate(self, **kwargs)` or `async_evaluate(self, **kwargs)`, a `name` and a `kind`."""

    name: str = ""
    kind: str = "CODE"

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        defined = [getattr(cls, name) for name in ("evaluate", "async_evaluate") if hasattr(cls, name)]
        if not defined:
            raise TypeError(f"{cls.__name__} defines neither evaluate nor async_evaluate")
        for function in defined:
            parameters = inspect.signature(function).parameters.values()
            if not any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters):
                raise TypeError(f"{cls.__name__}.{function.__name__} does not accept **kwargs")


def create_evaluator(kind: str = "CODE", name: str | None = None, scorer: Callable[[Any], Any] | None = None) -> Any:
    """Decorator that makes an evaluator of a function. `scorer` turns what it returns into a result."""
    if kind not in ("CODE", "LLM"):
        raise ValueError(f"kind is {kind!r}; expected CODE or LLM")

    def decorate(function: Callable[..., Any]) -> Evaluator:
        made = _of_function(name or name_of(function), function, kind)
        if scorer is None:
            return made
        return Evaluator(made.name, kind, lambda values: _then(made.call(values), scorer), made.is_async)

    return decorate


def _then(value: Any, scorer: Callable[[Any], Any]) -> Any:
    if not inspect.isawaitable(value):
        return scorer(value)

    async def wait() -> Any:
        return scorer(await value)

    return wait()


def to_evaluators(given: Any) -> list[Evaluator]:
    """Evaluators by name, from one, a sequence, or a mapping of names. A name that occurs again replaces the earlier."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        pairs = [(str(name), one) for name, one in given.items()]
    elif isinstance(given, Sequence) and not isinstance(given, str):
        pairs = [("", one) for one in given]
    else:
        pairs = [("", given)]
    made = [_to_evaluator(name, one) for name, one in pairs]
    return list({one.name: one for one in made}.values())


def _to_evaluator(name: str, given: Any) -> Evaluator:
    if isinstance(given, Evaluator):
        return Evaluator(name or given.name, given.kind, given.call, given.is_async)
    if not isinstance(given, (BaseEvaluator, type)) and _takes_one_record(given):
        return _of_library(name, given)
    if isinstance(given, BaseEvaluator) or (hasattr(given, "async_evaluate") and hasattr(given, "kind") and not isinstance(given, type)):
        own = name or getattr(given, "name", "") or type(given).__name__
        is_async = "evaluate" not in dir(given)
        function: Callable[..., Any] = getattr(given, "async_evaluate" if is_async else "evaluate")
        return Evaluator(own, str(getattr(given, "kind", "CODE")).upper(), lambda values: function(**values), is_async)
    if not callable(given):
        raise ValueError(f"an evaluator is {type(given).__name__}; expected a function or an object with evaluate")
    return _of_function(name or name_of(given), given, "CODE")


def _takes_one_record(given: Any) -> bool:
    """Whether `evaluate` or `async_evaluate` takes a dict of all values, as evaluators of evaluation libraries do."""
    function = getattr(given, "evaluate", None) or getattr(given, "async_evaluate", None)
    if not callable(function):
        return False
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return hasattr(given, "source")
    return bool(parameters) and parameters[0].kind in (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
    ) and parameters[0].name not in EVALUATOR_NAMES


def _of_library(name: str, given: Any) -> Evaluator:
    kind = str(getattr(given, "kind", None) or getattr(given, "source", "")).upper()
    own = name or getattr(given, "name", "") or type(given).__name__
    is_async = not hasattr(given, "evaluate")
    function: Callable[..., Any] = getattr(given, "async_evaluate" if is_async else "evaluate")

    def call(values: Mapping[str, Any]) -> Any:
        return _then(function(dict(values)), _alone)

    return Evaluator(own, kind if kind in ("LLM", "HUMAN") else "CODE", call, is_async)


def _alone(scores: Any) -> Any:
    """A score without its list, so that it has the name of the evaluator."""
    return scores[0] if isinstance(scores, (list, tuple)) and len(scores) == 1 else scores


def _of_function(name: str, function: Callable[..., Any], kind: str) -> Evaluator:
    bind = make_binder(function, EVALUATOR_NAMES, "output")

    def call(values: Mapping[str, Any]) -> Any:
        positional, keywords = bind(values)
        return function(*positional, **keywords)

    return Evaluator(name, kind, call, inspect.iscoroutinefunction(function))


def to_results(name: str, value: Any) -> list[dict[str, Any]]:
    """Results from what an evaluator returned, each with a name. ValueError for None and other things."""
    if isinstance(value, list) and value and all(isinstance(one, Mapping) or _is_score(one) for one in value):
        results = []
        for number, one in enumerate(value, start=1):
            result = _to_result(one)
            results.append({**result, "name": result.get("name") or f"{name}-{number}"})
        return results
    return [{**_to_result(value), "name": name}]


def _is_score(value: Any) -> bool:
    return hasattr(value, "score") and hasattr(value, "label")


def _to_result(value: Any) -> dict[str, Any]:
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return {"score": 1.0 if value else 0.0, "label": str(bool(value))}
    if isinstance(value, numbers.Real):
        return {"score": float(value)}
    if isinstance(value, str):
        return {"label": value}
    if isinstance(value, tuple) and len(value) >= 2:
        score, label, explanation = (*value, None)[:3] if len(value) == 2 else value[:3]
        return _present({"score": score, "label": label, "explanation": explanation})
    if isinstance(value, Mapping):
        return _present({key: value.get(key) for key in _RESULT})
    if _is_score(value):
        return _present({key: getattr(value, key, None) for key in _RESULT})
    raise ValueError(
        f"the evaluator returned {type(value).__name__}; expected a bool, a number, a text, a tuple of score, label and "
        "explanation, or a dict with some of them"
    )


def _present(fields: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: to_json_value(value) for key, value in fields.items() if value is not None}
    if isinstance(found.get("score"), bool):
        found["score"] = 1.0 if found["score"] else 0.0
    if not {"score", "label", "explanation"} & set(found):
        raise ValueError("the evaluator returned neither a score nor a label nor an explanation")
    return found
