from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..exceptions import DatasetUploadError, UnexpectedAnswer
from ..limits import UPLOAD_READ_SECONDS
from ..transport.calls import Call, Steps, Timeout, part
from ..types.results import AddedSpans
from .base import M, operation
from .dataset_reference import DatasetReference

if TYPE_CHECKING:
    from ..generated import api

ACTIONS = ("append", "update", "create")


class DatasetSpans(DatasetReference[M]):
    """Spans that become examples of a dataset."""

    @operation
    def add_spans(
        self,
        *,
        dataset: Any,
        span_ids: Sequence[str],
        mapping: Mapping[str, Sequence[Mapping[str, str]]] | None = None,
        splits: Sequence[str] = (),
        description: str | None = None,
        keep_repeated: bool = False,
        dry_run: bool = False,
        timeout: Timeout = UPLOAD_READ_SECONDS,
    ) -> Steps[AddedSpans]:
        """Adds an example for each span, all or none. Returns `dataset_id`, `version_id` and counts.

        `span_ids` are the field `id` of spans. `mapping` has lists of `{name, path}` under `input`, `output` and `metadata`;
        without one, input and output of a span become those of its example. Spans whose content the dataset has are left out
        unless `keep_repeated`. `dry_run` only counts. DatasetUploadError says why nothing was added.
        """
        if not span_ids:
            raise ValueError("span_ids is empty; expected at least one")
        dataset_id, _ = yield from self._resolve(dataset, timeout)
        body = {
            "span_ids": [*span_ids],
            "mapping": {side: [dict(field) for field in fields] for side, fields in (mapping or {}).items()},
            "splits": [*splits],
            "description": description,
            "keep_repeated": keep_repeated,
            "dry_run": dry_run,
        }
        call = Call("POST", f"/v1/datasets/{part(dataset_id)}/spans", json=body, timeout=timeout, creates=True)
        return (yield from self._last_line(call))

    @operation
    def add_matches_of_source(
        self, *, source_id: str, keep_repeated: bool = False, timeout: Timeout = UPLOAD_READ_SECONDS
    ) -> Steps[AddedSpans]:
        """Adds the spans that match a saved source of a dataset and arrived since its last use. Returns as `add_spans` does."""
        body = {"keep_repeated": keep_repeated}
        call = Call("POST", f"/v1/dataset_sources/{part(source_id)}/examples", json=body, timeout=timeout, creates=True)
        return (yield from self._last_line(call))

    @operation
    def add_spans_of_project(
        self,
        *,
        name: str,
        project_identifier: str,
        filter: str = "",
        action: str = "append",
        dataset_description: str | None = None,
        timeout: Timeout = UPLOAD_READ_SECONDS,
    ) -> Steps[api.DatasetUpload]:
        """Adds the spans of a project that a filter selects, such as `span_kind == 'LLM'`, to the dataset of that name.

        The dataset is created if there is none. Spans are matched by content, so a repeated `append` adds only what is new.
        """
        if action not in ACTIONS:
            raise ValueError(f"action is {action!r}; expected one of {', '.join(ACTIONS)}")
        body = {"name": name, "project": project_identifier, "filter": filter, "action": action}
        if dataset_description is not None:
            body["description"] = dataset_description
        call = Call("POST", "/v1/datasets/upload/spans", json=body, timeout=timeout, creates=True)
        return (yield from self._data(call))

    def _last_line(self, call: Call) -> Steps[Any]:
        """The result in the last line of an answer, whose other lines tell the progress."""
        response = yield from self._transport.send(call)
        lines = response.text.splitlines()
        try:
            told = json.loads(lines[-1])
        except (IndexError, ValueError):
            raise UnexpectedAnswer(f"{call.method} {call.path}: the answer ends in the middle; check the dataset, then try again") from None
        if "error" in told:
            message = told["error"].get("message", "")
            raise DatasetUploadError(f"no span was added: {message}", message)
        return told["result"]
