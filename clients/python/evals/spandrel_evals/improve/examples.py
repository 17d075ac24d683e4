"""Few-shot examples from labels of people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..calibration.report import CalibrationReport, JudgedRow
from ..errors import InputError
from ..limits import EXAMPLE_CHARACTERS_MAX, EXAMPLES_MAX
from ..metrics.judge_file import Example
from ..metrics.judges import JudgeEvaluator


def choose_examples(
    evaluator: JudgeEvaluator, report: CalibrationReport, count: int = 4, *, explanation_column: str = "human_explanation"
) -> list[Example]:
    """Examples for the prompt of a judge: rows on which it disagreed with people, with the label of people.

    Only rows of the part `examples` are taken, so that the other parts can still measure the judge. The labels take turns; where
    there are no disagreements left, rows on which both agree fill up. Rows with long texts are left out.

    :param explanation_column: the reason of people for their label, which teaches more than the label; without it the example
        says only that people decided so
    :raises InputError: if the part has no rows that can be used
    """
    if not 1 <= count <= EXAMPLES_MAX:
        raise InputError(f"the number of examples is {count}; expected 1 to {EXAMPLES_MAX}")
    candidates = [
        (each, example)
        for each in sorted(report.rows, key=lambda row: row.labelled.key)
        if each.is_pair and each.labelled.split == "examples"
        for example in [_to_example(evaluator, each, explanation_column)]
        if example is not None
    ]
    if not candidates:
        raise InputError("no row of the part examples has a label and texts that are short enough; label more rows")
    disagreeing = [example for each, example in candidates if each.label != each.labelled.label]
    agreeing = [example for each, example in candidates if each.label == each.labelled.label]
    chosen = _take_turns(disagreeing, evaluator.labels, count)
    if len(chosen) < count:
        chosen += _take_turns(agreeing, evaluator.labels, count - len(chosen))
    return chosen


def _take_turns(examples: Sequence[Example], labels: Sequence[str], count: int) -> list[Example]:
    queues = [[example for example in examples if example.label == label] for label in labels]
    chosen: list[Example] = []
    while len(chosen) < count and any(queues):
        for queue in queues:
            if queue and len(chosen) < count:
                chosen.append(queue.pop(0))
    return chosen


def _to_example(evaluator: JudgeEvaluator, row: JudgedRow, column: str) -> Example | None:
    try:
        inputs = evaluator.prepare(row.labelled.row)
    except ValueError:
        return None
    values = {name: inputs[name] for name in evaluator.judge.variables}
    if sum(map(len, values.values())) > EXAMPLE_CHARACTERS_MAX:
        return None
    label = str(row.labelled.label)
    reason: Any = row.labelled.row.get(column)
    return Example(values, reason if isinstance(reason, str) and reason.strip() else f"People chose {label}.", label)
