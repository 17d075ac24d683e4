from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..limits import DOWNLOAD_READ_SECONDS, UPLOAD_READ_SECONDS
from ..transport.calls import Call, Steps, Timeout, part
from ..transport.files import Target, download, upload
from .base import M, Resource, operation

if TYPE_CHECKING:
    from ..generated import api

FORMATS = ("jsonl", "csv", "parquet", "otlp-json")


class SpanFiles(Resource[M]):
    """Spans as files."""

    @operation
    def export(
        self,
        *,
        project_identifier: str,
        file: Target,
        format: str = "jsonl",
        filter: str | None = None,
        start_time: datetime | str | None = None,
        end_time: datetime | str | None = None,
        root_spans_only: bool = False,
        trace_ids: Sequence[str] | None = None,
        timeout: Timeout = DOWNLOAD_READ_SECONDS,
    ) -> Steps[int]:
        """Writes spans of a project, with their annotations, to a path or an open binary file. Returns the number of bytes.

        `format` is jsonl, csv, parquet or otlp-json; `import_file` reads jsonl and parquet. `filter` is a span filter, such as
        `span_kind == 'LLM'`.
        """
        if format not in FORMATS:
            raise ValueError(f"format is {format!r}; expected one of {', '.join(FORMATS)}")
        selection = {
            "format": format,
            "filter_condition": filter,
            "start_time": start_time,
            "end_time": end_time,
            "root_spans_only": root_spans_only,
        }
        chosen = {key: value for key, value in selection.items() if value is not None}
        project = part(project_identifier)
        if trace_ids is None:
            call = Call("GET", f"/v1/projects/{project}/spans/export", params=chosen, timeout=timeout)
        else:
            # The list may be longer than an address.
            body = {**chosen, "trace_ids": [*trace_ids]}
            call = Call("POST", f"/v1/projects/{project}/spans/export", json=body, timeout=timeout, is_repeatable=True)
        return (yield from download(self._transport, call, file))

    @operation
    def import_file(
        self, *, project_identifier: str, path: str | os.PathLike[str], timeout: Timeout = UPLOAD_READ_SECONDS
    ) -> Steps[api.ImportedSpans]:
        """Stores the spans of a file that `export` wrote (.jsonl, .jsonl.gz, .parquet). Returns counts and the rejected lines.

        A stored span stays as it is, so the same file can be sent again. A project that is given by name is created.
        """
        name = os.fspath(path)
        content_type = "application/vnd.apache.parquet" if name.endswith(".parquet") else "application/x-ndjson"
        call = Call("POST", f"/v1/projects/{part(project_identifier)}/spans/import", timeout=timeout, is_repeatable=True)
        return (yield from self._data(upload(call, path, content_type)))
