"""Spans of tasks and evaluators: of OpenTelemetry if the extra `tracing` is installed, otherwise made here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import Any

from ..frames.values import dump_json
from .plain_spans import PlainSpans
from .project_scope import PROJECT_NAME, spans_of_project

_FLUSH_MS = 10_000


class TracedCall:
    """Times and the trace of one call. `fail` and `succeed` describe how it ended."""

    def __init__(self, span: Any = None, plain: dict[str, Any] | None = None) -> None:
        self._span = span
        self._plain = plain
        self.start_time = datetime.now(timezone.utc)
        self.end_time = self.start_time
        self.trace_id: str | None = None
        if span is not None and span.get_span_context().is_valid:
            self.trace_id = format(span.get_span_context().trace_id, "032x")
        if plain is not None:
            self.trace_id = plain["context"]["trace_id"]

    def fail(self, error: BaseException) -> None:
        if self._plain is not None:
            self._plain |= {"status_code": "ERROR", "status_message": f"{type(error).__name__}: {error}"}
        if self._span is not None:
            from opentelemetry.trace import Status, StatusCode

            self._span.record_exception(error)
            self._span.set_status(Status(StatusCode.ERROR, f"{type(error).__name__}: {error}"))

    def succeed(self, output: Any) -> None:
        if self._plain is not None:
            self._plain["status_code"] = "OK"
            self._set("output", output)
        if self._span is not None:
            from opentelemetry.trace import Status, StatusCode

            self._set("output", output)
            self._span.set_status(Status(StatusCode.OK))

    def end(self) -> None:
        self.end_time = datetime.now(timezone.utc)
        if self._plain is not None:
            times = {"start_time": self.start_time.isoformat(), "end_time": self.end_time.isoformat()}
            self._plain |= times

    def _set(self, side: str, value: Any) -> None:
        attributes = {f"{side}.value": value}
        if not isinstance(value, str):
            attributes = {f"{side}.value": dump_json(value).decode(), f"{side}.mime_type": "application/json"}
        if self._span is not None:
            self._span.set_attributes(attributes)
        elif self._plain is not None:
            self._plain["attributes"].update(attributes)


class Tracer:
    """Spans of one project of the server."""

    def __init__(self, base_url: str, headers: Mapping[str, str], project: str | None) -> None:
        self._provider: Any = None
        self._plain: PlainSpans | None = None
        if project is None:
            return
        skipped = {"user-agent", "accept", "accept-encoding", "connection", "content-type", "content-length"}
        sent = {name: value for name, value in headers.items() if name.lower() not in skipped}
        try:
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider

            from ..tracing.destination import Destination
            from ..tracing.processors import BatchSpanProcessor
        except ImportError:
            self._plain = PlainSpans(base_url, sent, project)
            return
        self._provider = TracerProvider(resource=Resource({PROJECT_NAME: project}))
        # The credentials are those of the client alone. Spans are kept on disk while the server is away.
        destination = Destination(f"{base_url.rstrip('/')}/v1/traces", False, sent)
        self._provider.add_span_processor(BatchSpanProcessor(destination=destination))
        self._project = project
        self._tracer = self._provider.get_tracer("spandrel_client")

    @contextmanager
    def call(self, name: str, kind: str, given: Any) -> Iterator[TracedCall]:
        """A span that is a root of its own, current while the call runs."""
        if self._provider is None:
            plain = None if self._plain is None else self._plain.start(name, kind)
            call = TracedCall(plain=plain)
            call._set("input", given)
            try:
                yield call
            finally:
                call.end()
                if self._plain is not None and plain is not None:
                    self._plain.end(plain)
            return
        from opentelemetry.context import Context

        with (
            spans_of_project(self._project),
            self._tracer.start_as_current_span(
                name, context=Context(), record_exception=False, set_status_on_exception=False
            ) as span,
        ):
            call = TracedCall(span)
            span.set_attribute("openinference.span.kind", kind)
            call._set("input", given)
            try:
                yield call
            finally:
                call.end()

    def close(self) -> None:
        """Sends the remaining spans, for at most 10 s."""
        if self._plain is not None:
            self._plain.close()
        if self._provider is not None:
            self._provider.force_flush(_FLUSH_MS)
            self._provider.shutdown()
            self._provider = None


def error_text(error: BaseException) -> str:
    """The error as a run stores it; never longer than a page."""
    text = repr(error)
    return text if len(text) <= 10_000 else f"{text[:10_000]}…"


