from __future__ import annotations

from typing import Any

from ..limits import DOWNLOAD_READ_SECONDS
from ..transport.calls import Call, Steps, Timeout, part
from ..transport.files import Target, download
from .base import M, operation
from .dataset_reference import DatasetReference

FORMATS = ("csv", "jsonl", "openai_ft", "openai_evals")


class DatasetFiles(DatasetReference[M]):
    """Datasets as files."""

    @operation
    def export(
        self,
        *,
        dataset: Any,
        file: Target,
        format: str = "jsonl",
        version_id: str | None = None,
        spreadsheet: bool = False,
        timeout: Timeout = DOWNLOAD_READ_SECONDS,
    ) -> Steps[int]:
        """Writes the examples of a dataset to a path or an open binary file. Returns the number of bytes.

        `format` is csv, jsonl, openai_ft (lines for fine-tuning) or openai_evals. `spreadsheet` protects a CSV file against
        texts that a spreadsheet would run as formulas.
        """
        if format not in FORMATS:
            raise ValueError(f"format is {format!r}; expected one of {', '.join(FORMATS)}")
        dataset_id, _ = yield from self._resolve(dataset, timeout)
        params = {"version_id": version_id, "spreadsheet": spreadsheet or None}
        calls = {
            "csv": Call("GET", f"/v1/datasets/{part(dataset_id)}/csv", params=params, timeout=timeout),
            "jsonl": Call("GET", f"/v1/datasets/{part(dataset_id)}/jsonl", params=params, timeout=timeout),
            "openai_ft": Call("GET", f"/v1/datasets/{part(dataset_id)}/jsonl/openai_ft", params=params, timeout=timeout),
            "openai_evals": Call("GET", f"/v1/datasets/{part(dataset_id)}/jsonl/openai_evals", params=params, timeout=timeout),
        }
        return (yield from download(self._transport, calls[format], file))
