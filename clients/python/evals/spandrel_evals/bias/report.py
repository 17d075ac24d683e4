"""Report of bias checks as a table, HTML and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from .finding import Finding

# Notebooks put cells on the right.
_CELL = "<td style='text-align:left'>"
_COLUMNS = ("check", "result", "effect", "95 % interval", "p (corrected)", "rows", "in words")


@dataclass(frozen=True)
class BiasReport:
    evaluator: str
    # The input whose text was varied.
    field: str
    positive: str
    count: int
    findings: Sequence[Finding]

    @property
    def found(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.status == "found"]

    def sentences(self) -> list[str]:
        return [f"{finding.check}: {finding.sentence}" for finding in self.findings]

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "evaluator": self.evaluator,
            "field": self.field,
            "positive": self.positive,
            "count": self.count,
            "findings": [asdict(finding) for finding in self.findings],
        }

    def to_html(self) -> str:
        """A table without colours and scripts, so that it fits light and dark themes. Texts are escaped."""
        head = "".join(f"<th style='text-align:left'>{escape(column)}</th>" for column in _COLUMNS)
        body = "".join(
            f"<tr>{''.join(_CELL + escape(cell) + '</td>' for cell in _cells(finding))}</tr>" for finding in self.findings
        )
        caption = escape(self._title())
        return f"<table><caption style='text-align:left'>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        rows = [_COLUMNS, *map(_cells, self.findings)]
        widths = [max(len(row[index]) for row in rows) for index in range(len(_COLUMNS) - 1)]
        lines = ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows]
        return "\n".join([self._title(), "", *lines])

    def _title(self) -> str:
        return f"Biases of {self.evaluator} on {self.count:,} rows: {len(self.found)} found"


def _cells(finding: Finding) -> tuple[str, ...]:
    p_value = finding.adjusted_p_value
    return (
        finding.check,
        finding.status,
        "" if finding.effect is None else f"{finding.effect * 100:+.1f} points",
        "" if finding.low is None or finding.high is None else f"{finding.low * 100:.1f} to {finding.high * 100:.1f}",
        "" if p_value is None else "< 0.001" if p_value < 0.001 else f"{p_value:.3f}",
        f"{finding.count:,}",
        finding.sentence,
    )
