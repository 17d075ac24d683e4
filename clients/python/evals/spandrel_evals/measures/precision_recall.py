"""Precision, recall and F of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

Average = Literal["macro", "micro", "weighted"]
AVERAGES: tuple[Average, ...] = ("macro", "micro", "weighted")


class PrecisionRecallF(NamedTuple):
    precision: float
    recall: float
    f: float
    # Whether the values are those of one label.
    is_binary: bool
    labels: tuple[Any, ...]
    positive_label: Any


def precision_recall_f(
    expected: Sequence[Any],
    output: Sequence[Any],
    *,
    beta: float = 1,
    average: Average = "macro",
    zero_division: float = 0,
    positive_label: Any = None,
) -> PrecisionRecallF:
    """With a positive label, or the average ``macro`` and exactly the labels 0 and 1, the values are those of that label.

    :param average: ``macro``: mean over the labels; ``weighted``: by their number in ``expected``; ``micro``: over all items
    :param zero_division: value of a share without items
    """
    if average not in AVERAGES:
        raise ValueError(f"The average must be one of {', '.join(AVERAGES)}, received {average!r}")
    if beta <= 0:
        raise ValueError(f"beta must be above 0, received {beta}")
    for name, values in (("expected", expected), ("output", output)):
        if isinstance(values, (str, bytes)) or not isinstance(values, Sequence):
            raise ValueError(f"'{name}' must be a list of labels, received {type(values).__name__}")
    if len(expected) != len(output) or not expected:
        raise ValueError(f"Expected two lists of the same length with labels, received {len(expected)} and {len(output)}")
    wanted, found = Counter(expected), Counter(output)
    labels = tuple(sorted({**wanted, **found}, key=lambda label: (str(type(label).__name__), label)))
    if positive_label is None and average == "macro" and set(labels) == {0, 1}:
        positive_label = 1
    hits: Counter[Any] = Counter(a for a, b in zip(expected, output, strict=True) if a == b)

    def values_of(hit: int, found_count: int, wanted_count: int) -> tuple[float, float, float]:
        precision = hit / found_count if found_count else zero_division
        recall = hit / wanted_count if wanted_count else zero_division
        square = beta * beta
        divisor = square * precision + recall
        return precision, recall, (1 + square) * precision * recall / divisor if divisor else 0.0

    if positive_label is not None:
        if positive_label not in labels:
            raise ValueError(f"The positive label {positive_label!r} does not occur; there are {', '.join(map(repr, labels))}")
        values = values_of(hits[positive_label], found[positive_label], wanted[positive_label])
        return PrecisionRecallF(*values, True, labels, positive_label)
    if average == "micro":
        values = values_of(sum(hits.values()), len(output), len(expected))
        return PrecisionRecallF(*values, False, labels, None)
    per_label = [values_of(hits[label], found[label], wanted[label]) for label in labels]
    weights = [wanted[label] / len(expected) if average == "weighted" else 1 / len(labels) for label in labels]
    mean = [sum(weight * value[index] for weight, value in zip(weights, per_label, strict=True)) for index in range(3)]
    return PrecisionRecallF(mean[0], mean[1], mean[2], False, labels, None)
