from __future__ import annotations

from collections.abc import Sequence

from ..limits import DOWNLOAD_READ_SECONDS
from ..transport.calls import Call, Steps, Timeout, part
from ..transport.files import Target, download
from .base import M, Resource, operation


class ExperimentFiles(Resource[M]):
    """Experiments and comparisons of them as files."""

    @operation
    def export(
        self, *, experiment_id: str, file: Target, format: str = "csv", timeout: Timeout = DOWNLOAD_READ_SECONDS
    ) -> Steps[int]:
        """Writes runs and evaluations to a path or an open binary file, as csv or json. Returns the number of bytes."""
        calls = {
            "csv": Call("GET", f"/v1/experiments/{part(experiment_id)}/csv", timeout=timeout),
            "json": Call("GET", f"/v1/experiments/{part(experiment_id)}/json", timeout=timeout),
        }
        if format not in calls:
            raise ValueError(f"format is {format!r}; expected one of {', '.join(calls)}")
        return (yield from download(self._transport, calls[format], file))

    @operation
    def export_comparison(
        self,
        *,
        experiment_ids: Sequence[str],
        file: Target,
        format: str = "html",
        split_ids: Sequence[str] | None = None,
        sort: str | None = None,
        sort_experiment_id: str | None = None,
        order: str = "asc",
        regressed_on: str | None = None,
        improved_on: str | None = None,
        filter_experiment_id: str | None = None,
        has_error: bool | None = None,
        is_missing: bool | None = None,
        slower_than_ms: float | None = None,
        disagree_on: str | None = None,
        condition: str | None = None,
        text: str | None = None,
        metadata_key: str | None = None,
        timeout: Timeout = DOWNLOAD_READ_SECONDS,
    ) -> Steps[int]:
        """Writes a comparison of 2 to 8 experiments, the baseline first, to a path or an open binary file. Returns the bytes.

        `html` is a report with 95 % intervals and the largest regressions, `csv` has a line for each example. Measures are
        named as `score:correctness` or `latencyMs`; `regressed_on` and the arguments below it choose examples; `metadata_key`
        groups the report.
        """
        params = {
            "experiment_id": [*experiment_ids],
            "split_id": split_ids,
            "sort": sort,
            "sort_experiment_id": sort_experiment_id,
            "order": order,
            "regressed_on": regressed_on,
            "improved_on": improved_on,
            "filter_experiment_id": filter_experiment_id,
            "has_error": has_error,
            "is_missing": is_missing,
            "slower_than_ms": slower_than_ms,
            "disagree_on": disagree_on,
            "condition": condition,
            "text": text,
        }
        grouped = {**params, "metadata_key": metadata_key}
        calls = {
            "html": Call("GET", "/v1/experiment_comparisons/report", params=grouped, timeout=timeout),
            "csv": Call("GET", "/v1/experiment_comparisons/csv", params=params, timeout=timeout),
        }
        if format not in calls:
            raise ValueError(f"format is {format!r}; expected one of {', '.join(calls)}")
        return (yield from download(self._transport, calls[format], file))
