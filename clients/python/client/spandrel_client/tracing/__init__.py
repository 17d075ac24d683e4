"""Tracing of programs with OpenTelemetry and OpenInference. Needs the extra `tracing` or `tracing-grpc`.

Names are loaded on first use.
"""

from __future__ import annotations

import importlib
from typing import Any

_OWN = {
    "register": "registration",
    "TracerProvider": "provider",
    "PROJECT_NAME": "provider",
    "BatchSpanProcessor": "processors",
    "SimpleSpanProcessor": "processors",
    "HTTPSpanExporter": "exporters",
    "GRPCSpanExporter": "exporters",
    "Mask": "masking",
    "Dropped": "delivery.losses",
    "flush": "calls",
    "agent": "calls",
    "chain": "calls",
    "embedding": "calls",
    "evaluator": "calls",
    "guardrail": "calls",
    "llm": "calls",
    "reranker": "calls",
    "retriever": "calls",
    "tool": "calls",
    "metadata": "context",
    "prompt": "context",
    "session": "context",
    "tags": "context",
    "user": "context",
}
_OPENINFERENCE = (
    *("TraceConfig", "suppress_tracing", "using_attributes", "using_metadata", "using_prompt_template"),
    *("using_session", "using_tags", "using_user"),
)
_SEMANTIC = ("SpanAttributes", "OpenInferenceSpanKindValues", "OpenInferenceMimeTypeValues")
__all__ = sorted([*_OWN, *_OPENINFERENCE, *_SEMANTIC, "Resource"])


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        if name in _OWN:
            module: Any = importlib.import_module(f".{_OWN[name]}", __name__)
        elif name in _OPENINFERENCE:
            module = importlib.import_module("openinference.instrumentation")
        else:
            module = importlib.import_module("opentelemetry.sdk.resources" if name == "Resource" else "openinference.semconv.trace")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("opentelemetry", "openinference", "google", "wrapt"):
            raise
        raise ImportError(f"spandrel_client.tracing needs {error.name}; run: pip install 'spandrel-client[tracing]'") from None
    # A submodule may have the name of a function.
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return __all__
