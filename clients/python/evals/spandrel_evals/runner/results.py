"""Results of a run: rows with their scores or errors, and the summary."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import quote
from ..html import as_lines
from ..json_values import dump_json, to_json_value
from ..scores import Score

DID_NOT_RUN, COMPLETED, COMPLETED_WITH_RETRIES, FAILED = "DID NOT RUN", "COMPLETED", "COMPLETED WITH RETRIES", "FAILED"


@dataclass
class EvaluatorResult:
    """What one evaluator said of one row: scores, or exceptions and `error`, the last of them as one line."""

    status: str = DID_NOT_RUN
    scores: list[Score] = field(default_factory=list)
    exceptions: list[str] = field(default_factory=list)
    execution_seconds: float = 0.0
    error: str | None = None
    error_type: str | None = None

    def details(self) -> dict[str, Any]:
        return {"status": self.status, "exceptions": list(self.exceptions), "execution_seconds": self.execution_seconds}

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"status": self.status, "seconds": round(self.execution_seconds, 6)}
        if self.scores:
            found["scores"] = [one.to_dict() for one in self.scores]
        if self.exceptions:
            found["exceptions"] = self.exceptions
        if self.error is not None:
            found |= {"error": self.error, "error_type": self.error_type}
        return found

    @staticmethod
    def of_json(found: dict[str, Any]) -> EvaluatorResult:
        return EvaluatorResult(
            found["status"],
            [Score(**one) for one in found.get("scores", ())],
            list(found.get("exceptions", ())),
            found.get("seconds", 0.0),
            found.get("error"),
            found.get("error_type"),
        )


@dataclass
class EvaluatedRow:
    """One row, its number from 0, and the result of each evaluator by name. `repetition` counts from 0."""

    index: int
    row: dict[str, Any]
    results: dict[str, EvaluatorResult]
    repetition: int = 0

    @property
    def scores(self) -> list[Score]:
        return [score for result in self.results.values() for score in result.scores]

    def score(self, name: str) -> Score | None:
        """The score of a name."""
        return next((one for one in self.scores if one.name == name), None)

    def to_json(self, with_row: bool = True) -> dict[str, Any]:
        results = {name: result.to_json() for name, result in self.results.items()}
        repetition = {"repetition": self.repetition} if self.repetition else {}
        row = {"row": to_json_value(self.row)} if with_row else {}
        return {"index": self.index, **repetition, **row, "results": results}


@dataclass
class ScoreSummary:
    """Scores of one name: how many, their sum, labels by how often they occur."""

    count: int = 0
    scored: int = 0
    total: float = 0.0
    labels: Counter[str] = field(default_factory=Counter)

    @property
    def mean(self) -> float | None:
        return self.total / self.scored if self.scored else None


@dataclass
class Summary:
    """Counts of a run. `label_errors` are part of `errors`: labels outside of the choices, also after a repair."""

    rows: int = 0
    evaluations: int = 0
    errors: int = 0
    label_errors: int = 0
    not_run: int = 0
    restored: int = 0
    requests: int = 0
    retries: int = 0
    refused: int = 0
    repairs: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    scores: dict[str, ScoreSummary] = field(default_factory=dict)
    causes: Counter[str] = field(default_factory=Counter)

    def add_row(self, row: EvaluatedRow) -> None:
        self.rows += 1
        for result in row.results.values():
            if result.status == DID_NOT_RUN:
                self.not_run += 1
                continue
            self.evaluations += 1
            if result.status == FAILED:
                self.errors += 1
                self.label_errors += result.error_type == "LabelError"
                self.causes[result.error_type or "Exception"] += 1
            for score in result.scores:
                one = self.scores.setdefault(score.name or "", ScoreSummary())
                one.count += 1
                if score.score is not None:
                    one.scored += 1
                    one.total += float(score.score)
                if score.label is not None and (len(one.labels) < 100 or score.label in one.labels):
                    one.labels[score.label] += 1

    def add_calls(self, record: Any) -> None:
        self.requests += record.requests
        self.retries += record.retries
        self.refused += record.refused
        self.repairs += record.repairs
        self.cached += record.cached
        self.prompt_tokens += record.prompt_tokens
        self.completion_tokens += record.completion_tokens
        if record.cost is not None:
            self.cost = (self.cost or 0.0) + record.cost

    def lines(self) -> list[str]:
        found = [
            f"{self.rows:,} rows, {self.evaluations:,} evaluations, {self.errors:,} error{'' if self.errors == 1 else 's'}"
            + (f" ({self.label_errors:,} with a label outside the choices)" if self.label_errors else "")
            + (f", {self.not_run:,} not run" if self.not_run else "")
            + f", {self.seconds:.1f} s"
        ]
        for name, one in self.scores.items():
            mean = "" if one.mean is None else f" mean score {one.mean:.3f}"
            labels = ", ".join(f"{label}: {count:,}" for label, count in one.labels.most_common(5))
            found.append(f"  {name}: {one.count:,} scores{mean}" + (f" ({labels})" if labels else ""))
        if self.requests or self.cached:
            cost = "unknown cost" if self.cost is None else f"${self.cost:.4f}"
            found.append(
                f"  {self.requests:,} requests ({self.refused:,} refused, {self.repairs:,} repairs, {self.cached:,} from the cache), "
                f"{self.prompt_tokens:,} + {self.completion_tokens:,} tokens, {cost}"
            )
        found.extend(f"  {cause}: {count:,}" for cause, count in self.causes.most_common(5))
        return found

    def __str__(self) -> str:
        return "\n".join(self.lines())


class Evaluation:
    """Results of a run. `stopped` says why it ended before its last row, and is None if it did not."""

    def __init__(self, evaluators: list[str], summary: Summary, rows: list[EvaluatedRow], output: Path | None = None) -> None:
        self.evaluators = evaluators
        self.summary = summary
        self.stopped: str | None = None
        self._rows = rows
        self._output = output
        self._is_sorted = False

    @property
    def rows(self) -> list[EvaluatedRow]:
        """Rows in the order of the data. Read from the output file if the run wrote one."""
        if self._output is not None:
            return sorted(self, key=_place)
        if not self._is_sorted:
            self._rows.sort(key=_place)
            self._is_sorted = True
        return self._rows

    def __iter__(self) -> Iterator[EvaluatedRow]:
        if self._output is None:
            yield from self._rows
            return
        with self._output.open(encoding="utf-8") as file:
            for line in file:
                found = json.loads(line)
                results = {name: EvaluatorResult.of_json(one) for name, one in found["results"].items()}
                yield EvaluatedRow(found["index"], found["row"], results, found.get("repetition", 0))

    def __len__(self) -> int:
        return self.summary.rows

    def errors(self) -> list[str]:
        """One line for each failed evaluation: row, evaluator, cause."""
        return [
            f"row {row.index}, {name}: {result.error}"
            for row in self.rows
            for name, result in row.results.items()
            if result.status == FAILED
        ]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Rows with a column for each evaluator's details and each score, as of `evaluate_dataframe`."""
        return [{**row.row, **columns_of(row, self.evaluators)} for row in self.rows]

    def to_pandas(self) -> Any:
        import pandas

        return pandas.DataFrame(self.to_dicts())

    def to_polars(self) -> Any:
        """A frame of polars, with scores and details as JSON texts."""
        import polars

        def plain(value: Any) -> Any:
            return dump_json(value) if isinstance(value, (dict, list)) else value

        return polars.DataFrame([{key: plain(value) for key, value in row.items()} for row in self.to_dicts()])

    def write_jsonl(self, path: Any) -> None:
        with Path(path).open("w", encoding="utf-8", errors="backslashreplace") as file:
            for row in self.rows:
                file.write(dump_json(row.to_json()) + "\n")

    def __str__(self) -> str:
        return str(self.summary) + (f"\n  stopped: {self.stopped}" if self.stopped else "")

    def __repr__(self) -> str:
        return f"Evaluation({quote(str(self), 200)})"

    def _repr_html_(self) -> str:
        return as_lines(str(self))


def _place(row: EvaluatedRow) -> tuple[int, int]:
    return (row.index, row.repetition)


def columns_of(row: EvaluatedRow, evaluators: list[str]) -> dict[str, Any]:
    """`<evaluator>_execution_details` and `<score>_score` of one row."""
    columns: dict[str, Any] = {}
    for name in evaluators:
        columns[f"{name}_execution_details"] = row.results.get(name, EvaluatorResult()).details()
    for score in row.scores:
        columns[f"{score.name}_score"] = score.to_dict()
    return columns
