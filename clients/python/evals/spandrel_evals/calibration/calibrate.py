"""Calibration of a judge against labels of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InputError, quote
from ..evaluators.base import Evaluator
from ..runner.evaluate import async_evaluate, evaluate
from ..runner.results import Evaluation, EvaluatorResult
from ..statistics.samples import Split
from .labels import LABEL_COLUMN, LabelledRow, Shares, read_labels
from .report import CalibrationReport, JudgedRow, measure, people_of

# Errors of the judge that a report quotes.
_ERRORS_MAX = 5


def calibrate(
    evaluator: Evaluator,
    labels: Any,
    *,
    label_column: str = LABEL_COLUMN,
    key_column: str | None = None,
    positive: str | None = None,
    order: Sequence[str] | None = None,
    shares: Shares = Shares(),
    **run_options: Any,
) -> CalibrationReport:
    """Runs an evaluator over rows that people have labelled, and compares.

    :param labels: a table with a column of labels, or what `labels_from_server` returned
    :param positive: the label whose rate matters; by default the one with the highest score
    :param order: of the labels, from low to high, for a weighted kappa
    :param shares: `Shares(held_out=1, examples=0)` uses all rows for a judge that nobody has tuned on them
    :param run_options: of `evaluate`, such as `concurrency`, `cache`, `checkpoint` and `max_cost`
    :raises InputError: if a label of people is none of the evaluator's, or a held-out row is an example in its prompt
    """
    reject_options(run_options)
    rows = read_labels(labels, label_column=label_column, key_column=key_column, shares=shares)
    known = check_labels(evaluator, rows, positive, order)
    evaluation = evaluate([dict(each.row) for each in rows], [evaluator], **{"progress": False, **run_options})
    return _report(evaluator, rows, evaluation, known, positive, order)


async def async_calibrate(
    evaluator: Evaluator,
    labels: Any,
    *,
    label_column: str = LABEL_COLUMN,
    key_column: str | None = None,
    positive: str | None = None,
    order: Sequence[str] | None = None,
    shares: Shares = Shares(),
    **run_options: Any,
) -> CalibrationReport:
    """`calibrate` in a running event loop."""
    reject_options(run_options)
    rows = read_labels(labels, label_column=label_column, key_column=key_column, shares=shares)
    known = check_labels(evaluator, rows, positive, order)
    evaluation = await async_evaluate([dict(each.row) for each in rows], [evaluator], **{"progress": False, **run_options})
    return _report(evaluator, rows, evaluation, known, positive, order)


def reject_options(options: Mapping[str, Any]) -> None:
    """InputError for options of a run that leave no verdict for each row, or several."""
    for name in ("repetitions", "keep_rows", "output"):
        if name in options:
            raise InputError(f"{name} is no option here: each row is compared with one verdict; leave it out")


def check_labels(
    evaluator: Evaluator, rows: Sequence[LabelledRow], positive: str | None, order: Sequence[str] | None
) -> list[str]:
    """Labels of the evaluator; those of people if it does not say which it has."""
    known = list(getattr(evaluator, "labels", ()))
    if known:
        unknown = next((label for row in rows for label in row.labels.values() if label not in known), None)
        if unknown is not None:
            raise InputError(f"people gave the label {quote(unknown)}; {evaluator.name} has only {', '.join(known)}")
    else:
        known = sorted({label for row in rows for label in row.labels.values()})
    for name, given in (("positive", [positive] if positive is not None else []), ("order", order or [])):
        other = next((label for label in given if label not in known), None)
        if other is not None:
            raise InputError(f"{name} has the label {quote(other)}; expected one of {', '.join(known)}")
    check_examples(evaluator, rows)
    return known


def check_examples(evaluator: Evaluator, rows: Sequence[LabelledRow]) -> None:
    """A judge that has seen the answer of a row must not be measured by it."""
    judge = getattr(evaluator, "judge", None)
    if judge is None or not judge.examples:
        return
    shown = {tuple(sorted(example.values.items())) for example in judge.examples}
    for row in rows:
        if row.split == "examples":
            continue
        try:
            inputs = evaluator.prepare(row.row)
        except ValueError:
            continue  # The run says so.
        values = {name: judge.shown(inputs[name]) for name in judge.variables}
        if tuple(sorted(values.items())) in shown:
            raise InputError(
                f"the row {quote(row.key)} of the part {row.split} is an example in the prompt of {evaluator.name};"
                " take examples from the part examples only"
            )


def positive_label(evaluator: Evaluator, known: Sequence[str], given: str | None) -> str:
    if given is not None:
        return given
    scores = getattr(evaluator, "scores_by_label", {})
    scored = {label: score for label, score in scores.items() if score is not None}
    return max(scored, key=lambda label: scored[label]) if scored else known[0]


def judged_rows(rows: Sequence[LabelledRow], evaluation: Evaluation, name: str) -> list[JudgedRow]:
    """The verdicts of a run over the rows, in their order. A run that was stopped has none for some of them."""
    results = {each.index: each.results[name] for each in evaluation}
    stopped = f": {evaluation.stopped}" if evaluation.stopped else ""
    judged = []
    for index, row in enumerate(rows):
        result = results.get(index) or EvaluatorResult()
        if not result.scores:
            judged.append(JudgedRow(row, None, error=result.error or f"the evaluator did not run{stopped}"))
            continue
        score = result.scores[0]
        error = None if score.label is not None else f"the evaluator {name} gave no label; a calibration compares labels"
        judged.append(JudgedRow(row, score.label, score.score, score.explanation, error))
    return judged


def _report(
    evaluator: Evaluator,
    rows: Sequence[LabelledRow],
    evaluation: Evaluation,
    known: list[str],
    positive: str | None,
    order: Sequence[str] | None,
) -> CalibrationReport:
    judged = judged_rows(rows, evaluation, evaluator.name)
    wanted = positive_label(evaluator, known, positive)
    if order is None and len(known) > 2:
        order = _order_of_scores(evaluator)

    def part(split: Split) -> list[JudgedRow]:
        return [each for each in judged if each.labelled.split == split]

    failed = [each for each in judged if each.label is None]
    metadata = next((score.metadata for row in evaluation.rows for score in row.scores), {})
    return CalibrationReport(
        evaluator=evaluator.name,
        judge={name: metadata[name] for name in ("model", "judge", "judge_version") if name in metadata},
        held_out=measure(part("held_out"), wanted, known, order),
        tuning=measure(part("tuning"), wanted, known, order),
        people=people_of(rows),
        error_count=len(failed),
        errors=[str(each.error) for each in failed[:_ERRORS_MAX]],
        split_count=sum(each.labelled.label is None for each in judged),
        disagreements=[
            each for each in judged if each.is_pair and each.label != each.labelled.label and each.labelled.split != "held_out"
        ],
        rows=judged,
    )


def _order_of_scores(evaluator: Evaluator) -> list[str] | None:
    scores = getattr(evaluator, "scores_by_label", {})
    if not scores or any(score is None for score in scores.values()) or len(set(scores.values())) < len(scores):
        return None
    return sorted(scores, key=lambda label: scores[label])
