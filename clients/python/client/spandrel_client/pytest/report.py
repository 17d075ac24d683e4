"""What people see at the end: scores of each dataset, criteria, links; in the terminal and as Markdown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .acceptance import Criterion, Scores, Verdict, judge, summarize


@dataclass
class DatasetReport:
    """Results of one dataset. `scores` is by evaluation and example."""

    name: str
    url: str | None = None
    passed: int = 0
    failed: int = 0
    criteria: list[Criterion] = field(default_factory=list)
    scores: dict[str, dict[str, list[float]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    failures: list[tuple[str, str]] = field(default_factory=list)


class Report:
    """Collects records of tests, of this process or of those of xdist."""

    def __init__(self, criteria: Sequence[Criterion], confidence: float) -> None:
        self._criteria = criteria
        self._confidence = confidence
        self.datasets: dict[str, DatasetReport] = {}

    def add(self, record: Mapping[str, Any]) -> None:
        dataset = self.datasets.setdefault(record["dataset"], DatasetReport(record["dataset"]))
        dataset.url = record["url"] or dataset.url
        dataset.passed += bool(record["has_passed"])
        dataset.failed += not record["has_passed"]
        if not record["has_passed"]:
            dataset.failures.append((record["node_id"], record["error"] or ""))
        for text in record["criteria"]:
            criterion = Criterion(*text)
            if criterion not in dataset.criteria:
                dataset.criteria.append(criterion)
        for evaluation in record["evaluations"]:
            if evaluation.get("score") is not None:
                dataset.scores[evaluation["name"]][record["node_id"]].append(evaluation["score"])

    def summaries(self, dataset: DatasetReport) -> dict[str, Scores]:
        return {name: summarize(scores, self._confidence) for name, scores in dataset.scores.items()}

    def verdicts(self) -> list[Verdict]:
        """Criteria of markers for their dataset; those of the run for each dataset with such scores, or for all if none has."""
        found = []
        for dataset in self.datasets.values():
            summaries = self.summaries(dataset)
            general = [one for one in self._criteria if one.name in dataset.scores or not self._is_known(one.name)]
            for criterion in dict.fromkeys([*dataset.criteria, *general]):
                found.append(judge(dataset.name, criterion, summaries.get(criterion.name), self._confidence))
        return found

    def _is_known(self, name: str) -> bool:
        return any(name in dataset.scores for dataset in self.datasets.values())

    def lines(self) -> Iterable[str]:
        """Lines for the terminal."""
        verdicts = self.verdicts()
        for dataset in self.datasets.values():
            yield f"{dataset.name}: {dataset.passed} passed, {dataset.failed} failed"
            for name, scores in self.summaries(dataset).items():
                yield f"  {name}: {scores}"
            for verdict in verdicts:
                if verdict.dataset == dataset.name:
                    yield f"  {'accepted' if verdict.is_met else 'NOT ACCEPTED'}: {verdict.text}"
            if dataset.url:
                yield f"  {dataset.url}"

    def markdown(self) -> str:
        """The report as a page of Markdown."""
        verdicts = self.verdicts()
        parts = ["# Evaluation of tests"]
        for dataset in self.datasets.values():
            parts += ["", f"## {_cell(dataset.name)}", "", f"{dataset.passed} passed, {dataset.failed} failed."]
            if dataset.url:
                parts[-1] += f" [Experiment]({dataset.url})"
            summaries = self.summaries(dataset)
            if summaries:
                parts += ["", f"| evaluation | mean | {self._confidence:.0%} interval | examples |", "|---|---|---|---|"]
            for name, scores in summaries.items():
                bounds = "–" if scores.low is None or scores.high is None else f"{scores.low:.3f} to {scores.high:.3f}"
                parts.append(f"| {_cell(name)} | {scores.mean:.3f} | {bounds} | {len(scores.values)} |")
            own = [verdict for verdict in verdicts if verdict.dataset == dataset.name]
            if own:
                parts += ["", "| criterion | accepted | |", "|---|---|---|"]
                parts += [
                    f"| {_cell(str(one.criterion))} | {'yes' if one.is_met else '**no**'} | {_cell(one.text)} |" for one in own
                ]
            if dataset.failures:
                parts += ["", "| failed test | error |", "|---|---|"]
                parts += [f"| {_cell(node_id)} | {_cell(error)} |" for node_id, error in dataset.failures]
        return "\n".join(parts) + "\n"


def _cell(text: str) -> str:
    """One line that ends no cell and starts no markup."""
    line = " ".join(text.split())[:300]
    return line.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`").replace("*", "\\*")
