"""`register`: tracing in one call."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import Any

from opentelemetry import trace

from .delivery.losses import log_problem
from .provider import TracerProvider

_INSTRUMENTORS = "openinference_instrumentor"
# Packages with spans of their own, which would count each call twice beside their instrumentor: the setting that ends them.
_OWN_SPANS = {"anthropic": "ANTHROPIC_OPEN_TELEMETRY"}


def register(
    *,
    endpoint: str | None = None,
    project_name: str | None = None,
    batch: bool = False,
    set_global_tracer_provider: bool = True,
    headers: Mapping[str, str] | None = None,
    protocol: str | None = None,
    verbose: bool = True,
    auto_instrument: bool = False,
    api_key: str | None = None,
    mask: Any = None,
    on_drop: Any = None,
    spill_dir: Any = None,
    **provider_kwargs: Any,
) -> TracerProvider:
    """Makes a tracer provider, and the global one of it.

    Spans go over HTTP, to the server that the environment or the hand-off file names, unless `protocol` is `grpc` or the
    endpoint has its port. `auto_instrument` activates each OpenInference instrumentor that is installed, and ends the spans that a package makes by
    itself. `mask` is a Mask or a
    list of them, `on_drop` a function of a Dropped, `spill_dir` a directory for spans while the server is away, or False.
    """
    provider = TracerProvider(
        endpoint=endpoint,
        protocol=protocol,
        verbose=False,
        project_name=project_name,
        batch=batch,
        headers=headers,
        api_key=api_key,
        mask=mask,
        on_drop=on_drop,
        spill_dir=spill_dir,
        **provider_kwargs,
    )
    if set_global_tracer_provider:
        trace.set_tracer_provider(provider)
    names = instrument(provider) if auto_instrument else []
    if verbose:
        print(provider.describe())
        if auto_instrument:
            print(f"  instrumented: {', '.join(names) or 'nothing; no OpenInference instrumentor is installed'}")
    return provider


def instrument(provider: Any) -> list[str]:
    """Activates each OpenInference instrumentor that is installed; returns their names."""
    found: list[str] = []
    for point in entry_points(group=_INSTRUMENTORS):
        try:
            point.load()().instrument(tracer_provider=provider)
            found.append(point.name)
            if point.name in _OWN_SPANS:
                os.environ.setdefault(_OWN_SPANS[point.name], "false")
        except Exception as error:  # noqa: BLE001 - one instrumentor that does not fit must not end the program
            log_problem(f"The instrumentor {point.name!r} is not active", error)
    return sorted(found)
