"""Differences between two experiments on the same examples, as the server computes and shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

QUERY = """query ($ids: [ID!]!) {
  report: experimentComparison(input: { experimentIds: $ids }) {
    notices
    measures { key name values { mean difference { count mean low high verdict wins losses ties sentence } } }
  }
}"""
_EMPTY = "The experiments share no measure."


@dataclass(frozen=True)
class Difference:
    """One measure: the means of a and b, and the mean of b - a over pairs with its 95 % interval.

    `pair_count` counts the examples that both have; fewer than six are too few for an interval, which is None then.
    """

    key: str
    name: str
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    interval: tuple[float, float] | None
    pair_count: int
    # BETTER, WORSE or UNCLEAR.
    verdict: str
    # Examples on which b is better, worse and equal.
    wins: int
    losses: int
    ties: int
    # Such as “better on correctness by 4.1 points (1.2 to 7.0), n = 200”.
    sentence: str

    @property
    def is_significant(self) -> bool:
        """Whether b is clearly better or worse."""
        return self.verdict != "UNCLEAR"


class Comparison(dict):  # type: ignore[type-arg]
    """Differences by the name of the evaluation, and by key for `human:<name>`, `latencyMs`, `totalTokens`, `totalCost`, `errorRate`.

    `notices` say what a reader of the numbers must know, such as missing runs.
    """

    notices: list[str]

    def __str__(self) -> str:
        return "\n".join([*(f"{key}: {_text(one)}" for key, one in self.items()), *self.notices]) or _EMPTY

    def _repr_html_(self) -> str:
        from ..html import grid, table

        if not self:
            return table([("Comparison", _EMPTY)])
        columns = ("measure", "first", "second", "difference", "95 % interval", "examples")
        return grid(columns, [_cells(key, one) for key, one in self.items()])


def experiment_id_of(experiment: Mapping[str, Any] | str) -> str:
    """The ID of a RanExperiment or an experiment of the API. ValueError for a dry run, which the server does not have."""
    if isinstance(experiment, str):
        return experiment
    found = experiment.get("experiment_id") or experiment.get("id")
    if not found or found == "DRY_RUN":
        raise ValueError("a dry run cannot be compared; expected an experiment that the server has")
    return str(found)


def to_comparison(report: Mapping[str, Any]) -> Comparison:
    found = Comparison()
    found.notices = report["notices"]
    for measure in report["measures"]:
        a, b = measure["values"]
        difference = b["difference"]
        low, high = difference["low"], difference["high"]
        found[measure["key"].removeprefix("score:")] = Difference(
            key=measure["key"],
            name=measure["name"],
            mean_a=a["mean"],
            mean_b=b["mean"],
            difference=difference["mean"],
            interval=None if low is None else (low, high),
            pair_count=difference["count"],
            **{field: difference[field] for field in ("verdict", "wins", "losses", "ties", "sentence")},
        )
    return found


def _cells(key: str, one: Difference) -> tuple[Any, ...]:
    interval = "too few" if one.interval is None else f"{one.interval[0]:+.3f} to {one.interval[1]:+.3f}"
    difference = None if one.difference is None else f"{one.difference:+.3f}"
    return key, one.mean_a, one.mean_b, difference, interval, one.pair_count


def _text(one: Difference) -> str:
    means = " → ".join("–" if mean is None else f"{mean:.4g}" for mean in (one.mean_a, one.mean_b))
    return f"{means}, {one.sentence}"
