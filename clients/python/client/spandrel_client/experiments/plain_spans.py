"""Spans of tasks and evaluators without OpenTelemetry: made here and posted to the project in batches."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

from ..frames.values import dump_json

_BATCH = 500
_TIMEOUT_SECONDS = 30.0


class PlainSpans:
    """Collects spans of one project. A batch that cannot be posted is dropped, with one warning: results name their traces
    all the same, and are kept elsewhere."""

    def __init__(self, base_url: str, headers: Mapping[str, str], project: str) -> None:
        self._url = f"{base_url.rstrip('/')}/v1/projects/{quote(project, safe='')}/spans"
        self._headers = {**headers, "content-type": "application/json"}
        self._spans: list[dict[str, Any]] = []
        # One thread, so that the event loop never waits for a batch.
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="spandrel-spans")
        self._has_warned = False

    def start(self, name: str, kind: str) -> dict[str, Any]:
        """A span without times and attributes, with new ids."""
        return {
            "name": name,
            "context": {"trace_id": secrets.token_hex(16), "span_id": secrets.token_hex(8)},
            "span_kind": kind,
            "status_code": "UNSET",
            "attributes": {},
        }

    def end(self, span: dict[str, Any]) -> None:
        self._spans.append(span)
        if len(self._spans) >= _BATCH:
            self._flush()

    def close(self) -> None:
        """Posts the rest."""
        if self._spans:
            self._flush()
        self._pool.shutdown(wait=True)

    def _flush(self) -> None:
        spans, self._spans = self._spans, []
        self._pool.submit(self._post, spans)

    def _post(self, spans: list[dict[str, Any]]) -> None:
        import httpx

        try:
            body = dump_json({"data": spans})
            httpx.post(self._url, content=body, headers=self._headers, timeout=_TIMEOUT_SECONDS).raise_for_status()
        except (httpx.HTTPError, ValueError) as error:
            if not self._has_warned:
                self._has_warned = True
                warnings.warn(f"spans of the experiment are missing: {type(error).__name__}", stacklevel=2)
