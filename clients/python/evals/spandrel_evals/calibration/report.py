"""What a calibration found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, is_dataclass
from typing import Any

from ..html import as_lines
from ..json_values import to_json_value
from ..statistics.agreement import (
    ConfusionMatrix,
    Kappa,
    LabelQuality,
    PeopleAgreement,
    cohen_kappa,
    confusion_matrix,
    label_quality,
    people_agreement,
    weighted_kappa,
)
from ..statistics.corrected_rate import Calibration, CorrectedRate, Method, corrected_rate
from ..statistics.intervals import Estimate, share_of
from ..statistics.samples import labels_to_halve
from .labels import LabelledRow


@dataclass(frozen=True)
class JudgedRow:
    """A labelled row with the answer of the judge, or its error."""

    labelled: LabelledRow
    label: str | None
    score: float | None = None
    explanation: str | None = None
    error: str | None = None

    @property
    def is_pair(self) -> bool:
        """Whether both people and the judge have decided."""
        return self.label is not None and self.labelled.label is not None


@dataclass
class Measures:
    """Agreement of a judge with people on some rows."""

    count: int
    positive: str
    matrix: ConfusionMatrix
    # By label, each against all others.
    labels: dict[str, LabelQuality]
    agreement: Estimate
    kappa: Kappa
    # Only for ordered labels.
    weighted_kappa: Kappa | None

    @property
    def quality(self) -> LabelQuality:
        """Quality on the positive label."""
        return self.labels[self.positive]

    @property
    def calibration(self) -> Calibration:
        quality = self.quality
        return Calibration(
            quality.true_positives, quality.false_negatives, quality.true_negatives, quality.false_positives
        )


def measure(rows: Sequence[JudgedRow], positive: str, labels: Sequence[str], order: Sequence[str] | None = None) -> Measures:
    """Measures on the rows that are pairs. The interval of a weighted kappa is a bootstrap by a fixed seed."""
    pairs = [(str(each.labelled.label), str(each.label)) for each in rows if each.is_pair]
    matrix = confusion_matrix(pairs, labels)
    agreed = sum(human == judge for human, judge in pairs)
    return Measures(
        count=len(pairs),
        positive=positive,
        matrix=matrix,
        labels={label: label_quality(pairs, label) for label in matrix.labels},
        agreement=share_of(agreed, len(pairs)),
        kappa=cohen_kappa(pairs),
        weighted_kappa=weighted_kappa(pairs, order) if order else None,
    )


@dataclass
class CalibrationReport:
    """Agreement of a judge with people.

    `held_out` alone says how good the judge is. `tuning` is for its improvement, so only disagreements of that part, and of the
    part for examples, are listed: who reads those of the held-out part and changes the prompt has no held-out part any more.
    """

    evaluator: str
    # Such as `{model, judge, judge_version}`.
    judge: dict[str, Any]
    held_out: Measures
    tuning: Measures
    # How much people agree with each other, on all rows with several labels: the ceiling. None without such rows.
    people: PeopleAgreement | None
    # Labelled rows without a verdict of the judge, of which `errors` has the first.
    error_count: int
    errors: list[str]
    # Rows on which two labels of people lead.
    split_count: int
    disagreements: list[JudgedRow] = field(repr=False)
    rows: list[JudgedRow] = field(repr=False)

    @property
    def labels_to_halve(self) -> int | None:
        """How many more held-out rows people must label until the interval of the agreement is half as wide."""
        agreement = self.held_out.agreement.value
        return None if agreement is None else labels_to_halve(agreement, self.held_out.count)

    def corrected_rate(self, positives: int, count: int, method: Method = "rogan_gladen") -> CorrectedRate:
        """The rate of the positive label among rows without labels of people, with the errors of the judge taken out.

        See `statistics.corrected_rate`; the held-out part is the calibration.
        """
        return corrected_rate(positives, count, self.held_out.calibration, method)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON values."""
        value: dict[str, Any] = to_json_value(
            {
                "evaluator": self.evaluator,
                "judge": self.judge,
                "held_out": _measures(self.held_out),
                "tuning": _measures(self.tuning),
                "people": _people(self.people),
                "error_count": self.error_count,
                "errors": self.errors,
                "split_count": self.split_count,
                "labels_to_halve": self.labels_to_halve,
                "disagreements": [_disagreement(each) for each in self.disagreements],
            }
        )
        return value

    def sentences(self) -> list[str]:
        """The report in plain sentences, the most important one first."""
        part = self.held_out
        if part.count == 0:
            return ["No held-out row has both a label of people and a verdict: label more rows."]
        quality = part.quality
        found = [
            f"On {part.count} held-out rows, {self.evaluator} agrees with people on {_percent(part.agreement)}"
            + (f"; kappa is {part.kappa.kappa:.2f} ({part.kappa.low:.2f} to {part.kappa.high:.2f})" if part.kappa.kappa is not None else "")
            + ".",
            f"Of what people call {part.positive}, it finds {_percent(quality.sensitivity)}; of the rest, it rejects"
            f" {_percent(quality.specificity)}.",
        ]
        if self.people is not None and self.people.share.value is not None:
            found.append(
                f"People agree with each other on {_percent(self.people.share)}: no judge can be shown to be better than that."
            )
        if self.labels_to_halve is not None:
            found.append(f"{self.labels_to_halve:,} more labelled held-out rows would halve the interval of the agreement.")
        if self.error_count:
            found.append(f"{self.error_count} rows have no verdict and are in no measure; the first error: {self.errors[0]}")
        if self.split_count:
            found.append(f"On {self.split_count} rows people are split, so they are in no measure.")
        return found

    def __str__(self) -> str:
        return "\n".join([*self.sentences(), "", *_table(self.held_out.matrix)])

    def _repr_html_(self) -> str:
        return as_lines(str(self))


def people_of(rows: Sequence[LabelledRow]) -> PeopleAgreement | None:
    several = [row.labels for row in rows if len(row.labels) > 1]
    return people_agreement(several) if several else None


def _percent(share: Estimate) -> str:
    if share.value is None or share.low is None or share.high is None:
        return "an unknown share (no such rows)"
    return f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"


def _table(matrix: ConfusionMatrix) -> list[str]:
    width = max(12, *map(len, matrix.labels)) + 2
    lines = ["people \\ judge".ljust(width) + "".join(label.rjust(width) for label in matrix.labels)]
    for label, row in zip(matrix.labels, matrix.matrix, strict=True):
        lines.append(label.ljust(width) + "".join(str(count).rjust(width) for count in row))
    return lines


def _plain(value: Any) -> Any:
    """Named tuples and dataclasses as objects."""
    if is_dataclass(value):
        return {name: _plain(each) for name, each in vars(value).items()}
    if hasattr(value, "_asdict"):
        return {name: _plain(each) for name, each in value._asdict().items()}
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value


def _measures(measures: Measures) -> dict[str, Any]:
    return {name: _plain(value) for name, value in vars(measures).items()}


def _people(people: PeopleAgreement | None) -> Any:
    return None if people is None else _plain(people)


def _disagreement(row: JudgedRow) -> dict[str, Any]:
    return {
        "key": row.labelled.key,
        "split": row.labelled.split,
        "people": dict(row.labelled.labels),
        "label": row.labelled.label,
        "judge": row.label,
        "explanation": row.explanation,
        "row": dict(row.labelled.row),
    }
