"""Spans of calls: `chain`, `agent`, `tool`, `llm`, `retriever` and so on, as decorators and as context managers.

    @chain                                      with chain("answer", input=question) as span:
    def answer(question): …                         span.set_output(…)

The tracer is that of the global provider at the time of the call, so functions may be decorated before `register`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from openinference.instrumentation import OITracer, TraceConfig, get_input_attributes, get_output_attributes
from opentelemetry import trace
from opentelemetry.trace import Status, StatusCode

from .. import limits
from ..frames.values import to_json_value

# OpenInference derives messages, tools and parameters of these from their arguments.
_DELEGATED = ("llm", "tool")
_cached: tuple[Any, Any] = (None, None)


def get_tracer() -> Any:
    """A tracer of the global provider that knows OpenInference."""
    global _cached
    provider = trace.get_tracer_provider()
    if _cached[0] is not provider:
        tracer = provider.get_tracer("spandrel_client.tracing")
        _cached = (provider, tracer if isinstance(tracer, OITracer) else OITracer(tracer, config=TraceConfig()))
    return _cached[1]


class Call:
    """A kind of span with a name: a decorator, or a context manager that gives the span."""

    def __init__(
        self, kind: str, name: str | None, given: Any, attributes: Mapping[str, Any] | None, options: Mapping[str, Any]
    ) -> None:
        self._kind = kind
        self._name = name
        self._given = given
        self._attributes = attributes
        self._options = options
        # A context manager may be entered again while it is open.
        self._open: list[ExitStack] = []

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if not callable(function):
            raise TypeError(f"{self._kind} decorates functions; got {type(function).__name__}")
        is_generator = inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function)
        if self._kind in _DELEGATED and not (self._kind == "tool" and is_generator):
            return _delegate(self._kind, function, {"name": self._name, **self._options})
        return self._wrap(function)

    def __enter__(self) -> Any:
        stack = ExitStack()
        span = stack.enter_context(self._span(self._name or self._kind))
        if self._given is not None:
            span.set_attributes(get_input_attributes(_value(self._given)))
        self._open.append(stack)
        return span

    def __exit__(self, *error: Any) -> bool | None:
        return self._open.pop().__exit__(*error)

    async def __aenter__(self) -> Any:
        return self.__enter__()

    async def __aexit__(self, *error: Any) -> bool | None:
        return self.__exit__(*error)

    @contextmanager
    def _span(self, name: str) -> Any:
        """A current span. OK at the end, unless it has failed or was given another status."""
        with get_tracer().start_as_current_span(
            name, openinference_span_kind=self._kind, attributes=dict(self._attributes or {})
        ) as span:
            yield span
            status = getattr(span, "status", None)
            if status is None or status.status_code is StatusCode.UNSET:
                span.set_status(Status(StatusCode.OK))

    def _wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        name = self._name or function.__qualname__.replace("<locals>.", "")
        signature = inspect.signature(function)

        @contextmanager
        def traced(positional: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
            with self._span(name) as span:
                span.set_attributes(get_input_attributes(_arguments(signature, positional, keywords)))
                yield span

        if inspect.isasyncgenfunction(function):

            async def wrapper(*positional: Any, **keywords: Any) -> Any:
                items = []
                with traced(positional, keywords) as span:
                    async for item in function(*positional, **keywords):
                        items.append(item)
                        yield item
                    span.set_attributes(get_output_attributes(_streamed(items)))

        elif inspect.isgeneratorfunction(function):

            def wrapper(*positional: Any, **keywords: Any) -> Any:
                items = []
                with traced(positional, keywords) as span:
                    for item in function(*positional, **keywords):
                        items.append(item)
                        yield item
                    span.set_attributes(get_output_attributes(_streamed(items)))

        elif inspect.iscoroutinefunction(function):

            async def wrapper(*positional: Any, **keywords: Any) -> Any:  # type: ignore[misc]
                with traced(positional, keywords) as span:
                    value = await function(*positional, **keywords)
                    span.set_attributes(get_output_attributes(_value(value)))
                    return value

        else:

            def wrapper(*positional: Any, **keywords: Any) -> Any:
                with traced(positional, keywords) as span:
                    value = function(*positional, **keywords)
                    span.set_attributes(get_output_attributes(_value(value)))
                    return value

        return functools.wraps(function)(wrapper)


def _delegate(kind: str, function: Callable[..., Any], options: Mapping[str, Any]) -> Callable[..., Any]:
    """A function whose calls OpenInference traces."""
    given = {name: value for name, value in options.items() if value is not None}
    made: tuple[Any, Any] = (None, None)

    def traced() -> Any:
        nonlocal made
        tracer = get_tracer()
        if made[0] is not tracer:
            made = (tracer, getattr(tracer, kind)(**given)(function))
        return made[1]

    if inspect.isasyncgenfunction(function):

        async def wrapper(*positional: Any, **keywords: Any) -> Any:
            async for item in traced()(*positional, **keywords):
                yield item

    elif inspect.isgeneratorfunction(function):

        def wrapper(*positional: Any, **keywords: Any) -> Any:
            yield from traced()(*positional, **keywords)

    elif inspect.iscoroutinefunction(function):

        async def wrapper(*positional: Any, **keywords: Any) -> Any:  # type: ignore[misc]
            return await traced()(*positional, **keywords)

    else:

        def wrapper(*positional: Any, **keywords: Any) -> Any:
            return traced()(*positional, **keywords)

    return functools.wraps(function)(wrapper)


def _arguments(signature: inspect.Signature, positional: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    try:
        bound = signature.bind(*positional, **keywords)
    except TypeError:
        return to_json_value({"args": list(positional), **keywords})
    return to_json_value({name: value for name, value in bound.arguments.items() if name not in ("self", "cls")})


def _value(value: Any) -> Any:
    return value if isinstance(value, str) else to_json_value(value)


def _streamed(items: list[Any]) -> Any:
    """What a stream gave: the whole text if it gave texts."""
    return "".join(items) if items and all(isinstance(item, str) for item in items) else to_json_value(items)


def _kind(kind: str, text: str) -> Any:
    def make(
        target: Any = None,
        /,
        *,
        name: str | None = None,
        input: Any = None,
        attributes: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Any:
        if target is None or isinstance(target, str):
            return Call(kind, name or target, input, attributes, options)
        return Call(kind, name, input, attributes, options)(target)

    make.__name__ = make.__qualname__ = kind
    make.__doc__ = text
    return make


_FORMS = 'A decorator (`@{0}`, `@{0}(name=…)`) and a context manager (`with {0}("name", input=…) as span`).'
agent = _kind("agent", f"Spans of an agent. {_FORMS.format('agent')}")
chain = _kind("chain", f"Spans of a step. {_FORMS.format('chain')}")
tool = _kind("tool", f"Spans of a tool; its description and parameters come from the function. {_FORMS.format('tool')}")
llm = _kind("llm", f"Spans of a model call; `process_input` and `process_output` give attributes. {_FORMS.format('llm')}")
retriever = _kind("retriever", f"Spans of a search for documents. {_FORMS.format('retriever')}")
reranker = _kind("reranker", f"Spans of a new order of documents. {_FORMS.format('reranker')}")
embedding = _kind("embedding", f"Spans of an embedding. {_FORMS.format('embedding')}")
guardrail = _kind("guardrail", f"Spans of a check. {_FORMS.format('guardrail')}")
evaluator = _kind("evaluator", f"Spans of an evaluation. {_FORMS.format('evaluator')}")


def flush(timeout_seconds: float = limits.TRACE_EXIT_SECONDS_MAX) -> bool:
    """Returns once each span of the global provider is at the server or on disk: before a process is frozen, as at the end of
    a serverless call. False if the time was not enough."""
    force = getattr(trace.get_tracer_provider(), "force_flush", None)
    return bool(force(int(timeout_seconds * 1000))) if force is not None else True
