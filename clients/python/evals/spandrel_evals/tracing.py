"""Spans of evaluations and of model calls, through OpenTelemetry if a tracer provider is set. They never break a call."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

from .json_values import dump_json

# The tracer of a run whose traces go to a project of their own.
_own_tracer: ContextVar[Any] = ContextVar("spandrel_evals_tracer", default=None)


def _tracer() -> Any:
    own = _own_tracer.get()
    if own is not None:
        return own
    api = sys.modules.get("opentelemetry.trace")
    if api is None:
        return None
    try:
        provider = api.get_tracer_provider()
        # The provider of the API alone records nothing.
        if type(provider).__module__.startswith("opentelemetry.trace"):
            return None
        return provider.get_tracer("spandrel_evals")
    except Exception:
        return None


def is_active() -> bool:
    return _own_tracer.get() is not None or ("opentelemetry.trace" in sys.modules and _tracer() is not None)


class Span:
    """A span, or nothing when there is no tracer."""

    def __init__(self, span: Any = None) -> None:
        self._span = span

    def finish(self, result: Any, reply: Any = None) -> Any:
        """Stores the output. Returns the result, whose scores know the trace."""
        span = self._span
        if span is None:
            return result
        try:
            context = span.get_span_context()
            is_scores = isinstance(result, list)
            shown = [one.to_dict() for one in result] if is_scores else result
            span.set_attribute("output.value", shown if isinstance(shown, str) else dump_json(shown))
            if not isinstance(shown, str):
                span.set_attribute("output.mime_type", "application/json")
            usage = getattr(reply, "usage", None)
            if usage is not None:
                span.set_attribute("llm.token_count.prompt", usage.prompt_tokens)
                span.set_attribute("llm.token_count.completion", usage.completion_tokens)
                span.set_attribute("llm.token_count.total", usage.prompt_tokens + usage.completion_tokens)
            _set_status(span, None)
            if is_scores and context.is_valid:
                trace_id = format(context.trace_id, "032x")
                return [one.replace(metadata={**one.metadata, "trace_id": trace_id}) for one in result]
        except Exception:
            return result
        return result


def _set_status(span: Any, error: BaseException | None) -> None:
    from opentelemetry.trace import Status, StatusCode

    if error is None:
        span.set_status(Status(StatusCode.OK))
    else:
        span.record_exception(error)
        span.set_status(Status(StatusCode.ERROR, f"{type(error).__name__}: {error}"))


@contextmanager
def evaluation(evaluator: Any, method: str, eval_input: Any) -> Iterator[Span]:
    """The span of one evaluation, current while it runs."""
    attributes = {
        "openinference.span.kind": "EVALUATOR",
        "input.value": dump_json(eval_input),
        "input.mime_type": "application/json",
        "metadata": dump_json({"evaluator.kind": evaluator.kind, "evaluator.class": type(evaluator).__name__}),
    }
    tracer = _tracer()
    if tracer is None:
        yield Span()
        return
    with tracer.start_as_current_span(
        f"{evaluator.name}.{method}", attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield Span(span)
        except BaseException as error:
            _set_status(span, error)
            raise


class _NoCall:
    """A call that nobody traces. It costs as little as can be, because each evaluation has one."""

    def __enter__(self) -> Span:
        return _NO_SPAN

    def __exit__(self, *_: object) -> None:
        return None


def model_call(model: str, messages: Any) -> AbstractContextManager[Span]:
    """The span of one call of a model, below the current one."""
    return _model_call(model, messages) if is_active() else _NO_CALL


@contextmanager
def _model_call(model: str, messages: Any) -> Iterator[Span]:
    tracer = _tracer()
    span = None
    if tracer is not None:
        attributes = {
            "openinference.span.kind": "LLM",
            "llm.model_name": model,
            "input.value": dump_json(messages),
            "input.mime_type": "application/json",
        }
        span = tracer.start_span(f"{model}", attributes=attributes)
    try:
        yield Span(span)
    except BaseException as error:
        if span is not None:
            _set_status(span, error)
        raise
    finally:
        if span is not None:
            span.end()


_NO_SPAN = Span()
_NO_CALL = _NoCall()


@contextmanager
def project(name: str, *, base_url: str, headers: Any = None) -> Iterator[None]:
    """Sends the traces of evaluations inside to a project of their own on the server. Needs opentelemetry-sdk."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    exporter = OTLPSpanExporter(endpoint=f"{base_url.rstrip('/')}/v1/traces", headers=dict(headers or {}))
    provider = TracerProvider(resource=Resource({"openinference.project.name": name}))
    provider.add_span_processor(BatchSpanProcessor(exporter, max_queue_size=65_536, schedule_delay_millis=500))
    token = _own_tracer.set(provider.get_tracer("spandrel_evals"))
    try:
        yield
    finally:
        _own_tracer.reset(token)
        provider.force_flush(10_000)
        provider.shutdown()
