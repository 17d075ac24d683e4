"""Results of experiments."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..html import Html, grid, link, table

DRY_RUN = "DRY_RUN"


@dataclass(frozen=True)
class ExperimentEvaluationRun:
    """One evaluation of a run: a result or an error."""

    experiment_run_id: str
    start_time: datetime
    end_time: datetime
    name: str
    annotator_kind: str
    error: str | None = None
    result: dict[str, Any] | None = None
    id: str = field(default_factory=lambda: f"{DRY_RUN}_{uuid.uuid4().hex[:6]}")
    trace_id: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.result is None and self.error is None:
            raise ValueError("an evaluation needs a result or an error")

    def to_body(self) -> dict[str, Any]:
        """The evaluation as the server takes it."""
        return {
            "experiment_run_id": self.experiment_run_id,
            "name": self.name,
            "annotator_kind": self.annotator_kind,
            "start_time": self.start_time.isoformat(),
            "end_time": self.end_time.isoformat(),
            "result": self.result,
            "error": self.error,
            "trace_id": self.trace_id,
            "metadata": self.metadata,
        }


class RanExperiment(dict):  # type: ignore[type-arg]
    """An experiment with its runs: `experiment_id dataset_id dataset_version_id task_runs evaluation_runs
    experiment_metadata project_name`, and `stopped`, why it ended early, or None."""

    url: str = ""

    def summary(self) -> list[dict[str, Any]]:
        """Of each evaluator: its count, errors, mean score and labels."""
        grouped: dict[str, list[ExperimentEvaluationRun]] = defaultdict(list)
        for run in self["evaluation_runs"]:
            grouped[run.name].append(run)
        lines = []
        for name, runs in grouped.items():
            scores = [run.result["score"] for run in runs if run.result and run.result.get("score") is not None]
            labels: dict[str, int] = defaultdict(int)
            for run in runs:
                if run.result and run.result.get("label") is not None:
                    labels[run.result["label"]] += 1
            lines.append(
                {
                    "evaluator": name,
                    "n": len(runs),
                    "n_errors": sum(run.error is not None for run in runs),
                    "avg_score": sum(scores) / len(scores) if scores else None,
                    "labels": dict(labels),
                }
            )
        return lines

    def print_summary(self) -> None:
        print(f"{len(self['task_runs'])} runs, {self._failed_count()} failed, {len(self['evaluation_runs'])} evaluations")
        for line in self.summary():
            print(f"  {line['evaluator']}: {_text(line)}")
        if self.url:
            print(f"Experiment: {self.url}")

    def to_dataframe(self) -> Any:
        """A pandas frame with a row for each run; evaluations are columns `name.score` and so on."""
        from ..frames.libraries import load_pandas

        rows: dict[str, dict[str, Any]] = {run["id"]: dict(run) for run in self["task_runs"]}
        for evaluation in self["evaluation_runs"]:
            for key, value in (evaluation.result or {"error": evaluation.error}).items():
                rows.get(evaluation.experiment_run_id, {})[f"{evaluation.name}.{key}"] = value
        return load_pandas().DataFrame(list(rows.values()))

    def _repr_html_(self) -> str:
        rows: list[tuple[str, Any]] = [("Experiment", Html(link(self.url, self["experiment_id"])))]
        rows.append(("Runs", f"{len(self['task_runs'])}, {self._failed_count()} failed"))
        if self.get("stopped"):
            rows.append(("Ended early", self["stopped"]))
        facts = table(rows)
        summary = self.summary()
        if not summary:
            return facts
        columns = ("evaluator", "evaluations", "errors", "mean score", "labels")
        return facts + grid(columns, [_cells(line) for line in summary])

    def _failed_count(self) -> int:
        return sum(run.get("error") is not None for run in self["task_runs"])


def _cells(line: Mapping[str, Any]) -> tuple[Any, ...]:
    score = None if line["avg_score"] is None else float(line["avg_score"])
    return line["evaluator"], line["n"], line["n_errors"], score, _labels(line)


def _labels(line: Mapping[str, Any]) -> str:
    return ", ".join(f"{label}: {count}" for label, count in sorted(line["labels"].items()))


def _text(line: Mapping[str, Any]) -> str:
    """One evaluator of a summary, for people."""
    score = "" if line["avg_score"] is None else f", mean score {line['avg_score']:.3f}"
    labels = _labels(line)
    errors = f", {line['n_errors']} errors" if line["n_errors"] else ""
    return f"{line['n']} evaluations{errors}{score}{f' ({labels})' if labels else ''}"
