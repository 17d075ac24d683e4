"""Checks of a judge for biases."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from ..calibration.calibrate import positive_label, reject_options
from ..errors import InputError, quote
from ..evaluators.base import Evaluator, bind_evaluator
from ..evaluators.classification import ClassificationEvaluator, read_choices
from ..json_values import is_missing
from ..metrics.judges import JudgeEvaluator, PreferenceEvaluator
from ..runner.evaluate import evaluate
from ..runner.sources import open_source
from ..statistics.intervals import share_of
from . import variants
from .families import family_of
from .finding import Finding, Status, correct_findings, difference_finding, paired_finding, skipped
from .report import BiasReport
from .stratified import GroupedVerdict, stratified_difference

CHECKS = ("repetition", "order", "labels reversed", "labels renamed", "length", "formatting", "own family", "instructions")
# A judge that changes fewer verdicts than that when it is asked again is steady enough.
_UNSTEADY = 0.01


def check_biases(
    evaluator: ClassificationEvaluator,
    data: Any,
    *,
    field: str | None = None,
    label_column: str = "human_label",
    model_column: str = "model",
    positive: str | None = None,
    checks: Sequence[str] = CHECKS,
    **run_options: Any,
) -> BiasReport:
    """Asks a judge about variants of rows that must not change its verdict, and compares.

    :param data: rows, as of `evaluate`; a few hundred show a bias of ten points
    :param field: the input whose text is varied; `output` if the judge has it, else its last input
    :param label_column: labels of people, which `length` and `own family` need: long answers may really be better
    :param model_column: the model that wrote the material, for `own family`
    :param positive: the label whose rate is compared; by default the one with the highest score
    :param checks: `repetition` asks about all rows a second time; both verdicts then count in `length` and `own family`
    :param run_options: of `evaluate`; `labels` and `instructions` ask about all rows once more, `formatting` twice
    :raises InputError: if a row lacks an input, or a check is unknown
    """
    unknown = next((check for check in checks if check not in CHECKS), None)
    if unknown is not None:
        raise InputError(f"there is no check {quote(unknown)}; expected some of {', '.join(CHECKS)}")
    repetitions = 2 if "repetition" in checks else 1
    reject_options(run_options)
    options = {"progress": False, **run_options, "repetitions": repetitions}
    run = _Run(evaluator, data, field, label_column, model_column, positive, options)
    findings = [_CHECKS[check](run) for check in CHECKS if check in checks]
    return BiasReport(evaluator.name, run.field, run.positive, len(run.rows), correct_findings(findings))


class _Run:
    """A judge, rows that are mapped to its inputs, and its verdicts on them as they are."""

    def __init__(
        self,
        evaluator: ClassificationEvaluator,
        data: Any,
        field: str | None,
        label_column: str,
        model_column: str,
        positive: str | None,
        options: Mapping[str, Any],
    ) -> None:
        source = open_source(data)
        if source.rows is None:
            raise InputError("the data are an async iterator; expected a table, a file or a list of dicts")
        given = list(source.rows)
        self.rows: list[dict[str, Any]] = []
        for number, row in enumerate(given):
            try:
                self.rows.append(evaluator.prepare(row))
            except ValueError as error:
                raise InputError(f"row {number}: {error}") from None
        if not self.rows:
            raise InputError("there are no rows; a check needs some hundred")
        # The rows are mapped already.
        self.evaluator = bind_evaluator(evaluator=evaluator, input_mapping={})
        names = evaluator.fields()[0]
        if not names:
            raise InputError(f"the prompt of {evaluator.name} has no variables, so there is nothing to vary")
        self.field = field or ("output" if "output" in names else names[-1])
        if self.field not in names:
            raise InputError(f"{evaluator.name} has no input {quote(self.field)}; expected one of {', '.join(names)}")
        self.positive = positive_label(evaluator, evaluator.labels, positive)
        self.people = [_label(row.get(label_column)) for row in given]
        self.models = [row.get(model_column) for row in given]
        self.options = dict(options)
        self._base: list[str | None] | None = None
        # Verdicts when it is asked again.
        self._again: list[str | None] = []
        self._orders: list[list[str]] = []

    def ask(self, evaluator: Evaluator, rows: Sequence[Mapping[str, Any]]) -> list[str | None]:
        """A verdict for each row; None where the judge failed."""
        evaluation = evaluate([dict(row) for row in rows], [evaluator], **{**self.options, "repetitions": 1})
        verdicts: list[str | None] = [None] * len(rows)
        # A run that was stopped, such as by its budget, lacks rows.
        for row in evaluation:
            verdicts[row.index] = row.scores[0].label if row.scores else None
        return verdicts

    @property
    def base(self) -> list[str | None]:
        if self._base is None:
            evaluation = evaluate([dict(row) for row in self.rows], [self.evaluator], **self.options)
            self._base = [None] * len(self.rows)
            self._again = [None] * len(self.rows)
            for row in evaluation.rows:
                score = row.scores[0] if row.scores else None
                (self._again if row.repetition else self._base)[row.index] = None if score is None else score.label
                if row.repetition == 0 and score is not None and "orders" in score.metadata:
                    self._orders.append(score.metadata["orders"])
        return self._base

    @property
    def orders(self) -> list[list[str]]:
        """Verdicts in both orders of a judge that compares, where both exist."""
        self.base  # noqa: B018 - asks
        return self._orders

    @property
    def again(self) -> list[str | None]:
        """The verdicts of a second repetition, which a cache keeps apart from the first."""
        self.base  # noqa: B018 - asks
        return self._again

    def positive_share(self, index: int) -> float | None:
        """Share of positive verdicts on a row, over both times if it was asked again. None if it has no verdict."""
        given = [verdicts[index] for verdicts in (self.base, self.again)]
        known = [verdict == self.positive for verdict in given if verdict is not None]
        return sum(known) / len(known) if known else None

    def compare(self, check: str, verdicts: Sequence[str | None], up: str, down: str, none: str) -> Finding:
        """The change of the rate of positive verdicts from the rows as they are."""
        ups = downs = count = 0
        for before, after in zip(self.base, verdicts, strict=True):
            if before is None or after is None:
                continue
            count += 1
            ups += after == self.positive != before
            downs += before == self.positive != after
        return paired_finding(check, ups, downs, count, up, down, none)


def _label(value: Any) -> str | None:
    if isinstance(value, Mapping):
        from ..statistics.agreement import majority

        label: str | None = majority([label for label in value.values() if not is_missing(label)])
        return label
    return value if isinstance(value, str) and value else None


def _check_repetition(run: _Run) -> Finding:
    pairs = [(a, b) for a, b in zip(run.base, run.again, strict=True) if a is not None and b is not None]
    changed = share_of(sum(a != b for a, b in pairs), len(pairs))
    if changed.value is None or changed.low is None or changed.high is None:
        return skipped("repetition", "no row has two verdicts")
    is_found = changed.low > _UNSTEADY
    end = f"({changed.low:.1%} to {changed.high:.1%}), n = {len(pairs):,}"
    sentence = (
        f"When it is asked again, it changes {changed.value:.1%} of its verdicts {end}: ask several times, or lower its temperature."
        if is_found
        else f"When it is asked again, it keeps its verdicts: {changed.value:.1%} changed {end}."
    )
    status: Status = "found" if is_found else "not found"
    return Finding("repetition", status, len(pairs), changed.value, changed.low, changed.high, None, sentence)


def _check_order(run: _Run) -> Finding:
    if not isinstance(run.evaluator, PreferenceEvaluator):
        return skipped("order", "it does not compare two texts")
    swap = run.evaluator.judge.swap
    assert swap is not None
    first, second = swap.labels
    # The second verdict is exchanged back, so the answer at the first place is `first` and then `second`.
    ups = sum(orders == [first, second] for orders in run.orders)
    downs = sum(orders == [second, first] for orders in run.orders)
    return paired_finding(
        "order",
        ups,
        downs,
        len(run.orders),
        "It prefers whatever comes first",
        "It prefers whatever comes second",
        "The order of the two texts has no clear effect",
    )


def _check_reversed(run: _Run) -> Finding:
    evaluator = run.evaluator
    if isinstance(evaluator, JudgeEvaluator):
        changed: ClassificationEvaluator = evaluator.with_judge(evaluator.judge.reversed())
    else:
        changed = copy.copy(evaluator)
        changed._scores, changed._descriptions = (
            read_choices(dict(list(evaluator.choices.items())[::-1]))
            if isinstance(evaluator.choices, Mapping)
            else read_choices(list(reversed(evaluator.choices)))
        )
    return run.compare(
        "labels reversed",
        run.ask(changed, run.rows),
        f"With the labels in the opposite order, it says {run.positive} more often",
        f"With the labels in the opposite order, it says {run.positive} less often",
        "The order of the labels has no clear effect",
    )


def _check_renamed(run: _Run) -> Finding:
    evaluator = run.evaluator
    if not isinstance(evaluator, JudgeEvaluator):
        return skipped("labels renamed", "the prompt is not that of a judge file, so its labels cannot be renamed")
    if isinstance(evaluator, PreferenceEvaluator):
        return skipped("labels renamed", "the labels name the places of the two texts")
    if len(evaluator.labels) > variants.NEUTRAL_NAMES_MAX:
        return skipped("labels renamed", f"there are more than {variants.NEUTRAL_NAMES_MAX} labels")
    judge, originals = variants.renamed(evaluator.judge)
    verdicts = run.ask(evaluator.with_judge(judge), run.rows)
    return run.compare(
        "labels renamed",
        [None if label is None else originals.get(label) for label in verdicts],
        f"With neutral names of the labels, it chooses {run.positive} more often",
        f"With neutral names of the labels, it chooses {run.positive} less often",
        "The names of the labels have no clear effect",
    )


def _check_length(run: _Run) -> Finding:
    lengths = [_length(run, row) for row in run.rows]
    groups: dict[str, list[int]] = {}
    for index, label in enumerate(run.people):
        if label is not None:
            groups.setdefault(label, []).append(index)
    if not groups:
        return skipped("length", "no row has a label of people, and long texts may really be better")
    verdicts = []
    for label, indices in groups.items():
        # Rows of one label are split at their own median, so that both groups have rows of each label.
        middle = 0 if _compares(run) else median(lengths[index] for index in indices)
        for index in indices:
            share = run.positive_share(index)
            if share is not None:
                verdicts.append(GroupedVerdict(label, lengths[index] > middle, share))
    found = stratified_difference(verdicts)
    if found is None:
        return skipped("length", "all texts with one label of people have the same length")
    what = "the longer of two texts" if _compares(run) else "a long text"
    return difference_finding(
        "length",
        found.effect,
        found.interval,
        found.p_value,
        found.count,
        f"Of rows that people call the same, it says {run.positive} more often to {what}",
        f"Of rows that people call the same, it says {run.positive} less often to {what}",
        "Length has no clear effect among rows that people call the same",
    )


def _compares(run: _Run) -> bool:
    return isinstance(run.evaluator, PreferenceEvaluator)


def _length(run: _Run, row: Mapping[str, Any]) -> int:
    if isinstance(run.evaluator, PreferenceEvaluator):
        swap = run.evaluator.judge.swap
        assert swap is not None
        first, second = (len(str(row[name])) for name in swap.variables)
        return first - second
    return len(str(row[run.field]))


def _check_formatting(run: _Run) -> Finding:
    plain = [{**row, run.field: variants.unformatted(str(row[run.field]))} for row in run.rows]
    marked = [{**row, run.field: variants.formatted(str(row[run.field]))} for row in run.rows]
    ups = downs = count = 0
    for before, after in zip(run.ask(run.evaluator, plain), run.ask(run.evaluator, marked), strict=True):
        if before is None or after is None:
            continue
        count += 1
        ups += after == run.positive != before
        downs += before == run.positive != after
    return paired_finding(
        "formatting",
        ups,
        downs,
        count,
        f"With headings and lists around the same words, it says {run.positive} more often",
        f"With headings and lists around the same words, it says {run.positive} less often",
        "Headings and lists have no clear effect",
    )


def _check_family(run: _Run) -> Finding:
    own = family_of(run.evaluator.llm.model)
    if own is None:
        return skipped("own family", f"the family of the judge's model {run.evaluator.llm.model} is unknown")
    verdicts = []
    for index, (label, model) in enumerate(zip(run.people, run.models, strict=True)):
        family, share = family_of(model) if isinstance(model, str) else None, run.positive_share(index)
        if label is not None and share is not None and family is not None:
            verdicts.append(GroupedVerdict(label, family == own, share))
    found = stratified_difference(verdicts)
    if found is None:
        return skipped("own family", "no label of people has rows of this family and of another one with a known model")
    return difference_finding(
        "own family",
        found.effect,
        found.interval,
        found.p_value,
        found.count,
        f"Of rows that people call the same, it says {run.positive} more often to texts of {own}, its own family",
        f"Of rows that people call the same, it says {run.positive} less often to texts of {own}, its own family",
        f"Texts of {own}, its own family, have no clear advantage",
    )


def _check_instructions(run: _Run) -> Finding:
    """The instruction asks for the positive label; a judge that reads it as material may also punish it."""
    rows = [{**row, run.field: variants.with_instruction(str(row[run.field]), run.positive)} for row in run.rows]
    return run.compare(
        "instructions",
        run.ask(run.evaluator, rows),
        f"An instruction that is hidden in the text makes it say {run.positive} more often",
        f"A text with a hidden instruction gets {run.positive} less often",
        "An instruction that is hidden in the text has no clear effect",
    )


_CHECKS: dict[str, Callable[[_Run], Finding]] = {
    "repetition": _check_repetition,
    "order": _check_order,
    "labels reversed": _check_reversed,
    "labels renamed": _check_renamed,
    "length": _check_length,
    "formatting": _check_formatting,
    "own family": _check_family,
    "instructions": _check_instructions,
}
