"""A tracer provider whose spans go to Spandrel."""

from __future__ import annotations

from typing import Any

from openinference.instrumentation import TracerProvider as _OpenInferenceProvider
from openinference.semconv.resource import ResourceAttributes
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor

from ..config.settings import resolve_project
from .destination import Destination
from .processors import BatchSpanProcessor, SimpleSpanProcessor

PROJECT_NAME = ResourceAttributes.PROJECT_NAME


class TracerProvider(_OpenInferenceProvider):
    """A provider of OpenTelemetry and OpenInference with a processor of its own, which the first added processor replaces.

    Its tracers have the decorators `agent`, `chain`, `tool`, `llm`, and hide what OPENINFERENCE_HIDE_… names. Other keyword
    arguments are those of OpenTelemetry's provider (`resource`, `sampler`, …), and `config`, a TraceConfig.
    """

    def __init__(
        self,
        *,
        endpoint: str | None = None,
        protocol: str | None = None,
        verbose: bool = True,
        project_name: str | None = None,
        batch: bool = False,
        headers: Any = None,
        api_key: str | None = None,
        mask: Any = None,
        on_drop: Any = None,
        spill_dir: Any = None,
        **options: Any,
    ) -> None:
        resource = options.pop("resource", None)
        project = resource.attributes.get(PROJECT_NAME) if resource is not None and project_name is None else None
        project = str(project or resolve_project(project_name))
        named = Resource({PROJECT_NAME: project})
        super().__init__(resource=resource.merge(named) if resource is not None else Resource.create(named.attributes), **options)
        self.project_name = project
        self._default: SpanProcessor | None = None
        self.destination: Destination | None = None
        if options.get("active_span_processor") is None:
            kind = BatchSpanProcessor if batch else SimpleSpanProcessor
            made = kind(None, endpoint, headers, protocol, api_key=api_key, mask=mask, on_drop=on_drop, spill_dir=spill_dir)
            super().add_span_processor(made)
            self._default, self.destination = made, made.destination
        if verbose:
            print(self.describe())

    def add_span_processor(self, span_processor: SpanProcessor, replace_default_processor: bool = True) -> None:
        """Adds a processor. The first one replaces that of the provider unless it is told to stay."""
        if self._default is not None and replace_default_processor:
            self._default.shutdown()
            active: Any = self._active_span_processor
            with active._lock:
                active._span_processors = tuple(one for one in active._span_processors if one is not self._default)
            self._default = None
        super().add_span_processor(span_processor)

    @property
    def dropped(self) -> dict[str, int]:
        """Spans that the provider's own processor dropped, by reason."""
        return self._default.dropped if isinstance(self._default, (BatchSpanProcessor, SimpleSpanProcessor)) else {}

    def describe(self) -> str:
        """Where the spans go, for people. Values of headers are never shown."""
        lines = [f"Tracing to project {self.project_name!r}"]
        if self.destination is not None:
            to = self.destination
            note = f" ({to.note})" if to.note else ""
            headers = ", ".join(f"{name}: {value}" for name, value in to.masked_headers().items()) or "none"
            lines += [
                f"  processor: {type(self._default).__name__}",
                f"  endpoint:  {to.shown}{note}",
                f"  transport: {to.transport}",
                f"  headers:   {headers}",
            ]
        return "\n".join(lines)
