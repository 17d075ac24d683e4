"""Exporters of OpenTelemetry with the address, headers and key of Spandrel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .destination import Destination, resolve_destination

__all__ = ["GRPCSpanExporter", "HTTPSpanExporter"]


def _load_http() -> Any:
    try:
        from opentelemetry.exporter.otlp.proto.http import Compression
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError:
        raise ImportError("HTTPSpanExporter needs an exporter of OpenTelemetry; run: pip install 'spandrel-client[tracing]'") from None

    class HTTPSpanExporter(OTLPSpanExporter):
        """Sends spans over HTTP when it is called. A processor of this package takes only its destination."""

        def __init__(self, endpoint: str | None = None, headers: Mapping[str, str] | None = None, api_key: str | None = None, **options: Any) -> None:
            self.destination = resolve_destination(endpoint, "http/protobuf", headers, api_key)
            options.setdefault("compression", Compression.Gzip)
            super().__init__(endpoint=self.destination.url, headers=dict(self.destination.headers), **options)

    return HTTPSpanExporter


def _load_grpc() -> Any:
    try:
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    except ImportError:
        raise ImportError("GRPCSpanExporter needs an exporter of OpenTelemetry; run: pip install 'spandrel-client[tracing-grpc]'") from None

    class GRPCSpanExporter(OTLPSpanExporter):
        """Sends spans over gRPC when it is called. A processor of this package takes only its destination."""

        def __init__(self, endpoint: str | None = None, headers: Mapping[str, str] | None = None, api_key: str | None = None, **options: Any) -> None:
            self.destination = resolve_destination(endpoint, "grpc", headers, api_key)
            target, is_secure = self.destination.grpc_target()
            scheme = "https" if is_secure else "http"
            super().__init__(endpoint=f"{scheme}://{target}", insecure=not is_secure, headers=dict(self.destination.headers), **options)

    return GRPCSpanExporter


_LOADERS = {"HTTPSpanExporter": _load_http, "GRPCSpanExporter": _load_grpc}


def __getattr__(name: str) -> Any:
    """Classes are made on first use, because each needs an extra of its own."""
    if name not in _LOADERS:
        raise AttributeError(name)
    made = globals()[name] = _LOADERS[name]()
    return made


def destination_of(exporter: Any) -> Destination | None:
    """The destination of one of these exporters; None for another one."""
    found = getattr(exporter, "destination", None)
    return found if isinstance(found, Destination) else None

