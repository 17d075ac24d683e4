"""Spans of other tracers that are made inside of a task or an evaluator belong to the project of its own span."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

PROJECT_NAME = "openinference.project.name"
_project: ContextVar[str | None] = ContextVar("spandrel_project", default=None)
_lock = threading.Lock()
_is_installed = False


@contextmanager
def spans_of_project(name: str) -> Iterator[None]:
    """Spans of OpenTelemetry that are started inside have the project in their resource, whatever tracer makes them."""
    _install()
    token = _project.set(name)
    try:
        yield
    finally:
        _project.reset(token)


def _install() -> None:
    """Changes the construction of spans once. A provider's resource is fixed, and a program may have several providers."""
    global _is_installed
    with _lock:
        if _is_installed:
            return
        _is_installed = True
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import Span

    initialize = Span.__init__

    @functools.wraps(initialize)
    def init(span: Any, *positional: Any, **keywords: Any) -> None:
        initialize(span, *positional, **keywords)
        name = _project.get()
        if name is not None and span._resource.attributes.get(PROJECT_NAME) != name:
            span._resource = span._resource.merge(Resource({PROJECT_NAME: name}))

    Span.__init__ = init  # type: ignore[method-assign, assignment]
