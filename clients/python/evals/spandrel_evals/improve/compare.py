"""Versions of a judge on the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..calibration.calibrate import calibrate
from ..calibration.labels import read_labels
from ..calibration.report import CalibrationReport, JudgedRow
from ..errors import InputError
from ..evaluators.base import Evaluator
from ..html import as_lines
from ..statistics.comparison import Difference, describe_difference


@dataclass(frozen=True)
class VersionResult:
    name: str
    report: CalibrationReport
    # Agreement with people on the tuning part, this version minus the first one. None for the first.
    difference: Difference | None
    # Tuning rows that only this version, or only the first one, has right.
    fixed: int
    broken: int


@dataclass(frozen=True)
class VersionComparison:
    """Versions in the order given. The first one is the baseline."""

    versions: list[VersionResult]
    best: str
    # Whether the best version is clearly better than the first one, corrected for the number of versions.
    is_clear: bool

    def __str__(self) -> str:
        lines = []
        for each in self.versions:
            agreement = each.report.tuning.agreement
            line = f"{each.name}: agrees on {agreement} of {each.report.tuning.count} tuning rows"
            change = each.difference
            if change is not None and change.mean is not None:
                interval = "too few rows for an interval"
                if change.low is not None and change.high is not None:
                    interval = f"{change.low * 100:.1f} to {change.high * 100:.1f}"
                line += f", {change.mean * 100:+.1f} points ({interval}),"
                line += f" fixes {each.fixed} and breaks {each.broken}"
            lines.append(line)
        held_out = next(each for each in self.versions if each.name == self.best).report.held_out
        first = self.versions[0].name
        if self.best == first:
            verdict = f"No version agrees on more rows than {first}."
        else:
            verdict = f"Best: {self.best} ({'' if self.is_clear else 'not '}clearly better than {first})."
        lines.append(f"{verdict} On the {held_out.count} held-out rows {self.best} agrees on {held_out.agreement}.")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return as_lines(str(self))


def compare_versions(evaluators: Mapping[str, Evaluator], labels: Any, **options: Any) -> VersionComparison:
    """Runs versions of a judge over the same labelled rows, and compares their agreement with people on the tuning part.

    The tuning part chooses the best version; the held-out part of its report then says how good it is. Looking at the held-out
    part of all versions and choosing by it would make it part of the tuning.

    :param evaluators: by the name of the version, the present one first
    :param options: of `calibrate`
    """
    if len(evaluators) < 2:
        raise InputError(f"there is {len(evaluators)} version; expected two or more")
    shared = {name: options.pop(name) for name in ("label_column", "key_column", "shares") if name in options}
    rows = read_labels(labels, **shared)
    reports = {name: calibrate(evaluator, rows, **options) for name, evaluator in evaluators.items()}
    names = list(reports)
    first = _tuning(reports[names[0]])
    results = [VersionResult(names[0], reports[names[0]], None, 0, 0)]
    for name in names[1:]:
        other = _tuning(reports[name])
        shared_keys = [key for key in first if key in other]
        changes = [float(_is_right(other[key])) - float(_is_right(first[key])) for key in shared_keys]
        difference = describe_difference(changes, is_binary=True)
        results.append(VersionResult(name, reports[name], difference, changes.count(1.0), changes.count(-1.0)))
    best = max(results, key=lambda each: each.report.tuning.agreement.value or 0.0)
    p_value = None if best.difference is None else best.difference.p_value
    is_clear = p_value is not None and best.fixed > best.broken and p_value * (len(results) - 1) < 0.05
    return VersionComparison(results, best.name, is_clear)


def _tuning(report: CalibrationReport) -> dict[str, JudgedRow]:
    return {row.labelled.key: row for row in report.rows if row.is_pair and row.labelled.split == "tuning"}


def _is_right(row: JudgedRow) -> bool:
    return row.label == row.labelled.label
