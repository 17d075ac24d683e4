"""HTML for notebooks. Every text is escaped, and there are no colours, so that it fits light and dark themes."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Any


def link(url: str, text: str) -> str:
    if not url.startswith(("http://", "https://")):
        return html.escape(text)
    return f'<a href="{html.escape(url, quote=True)}" target="_blank" rel="noopener">{html.escape(text)}</a>'


def table(rows: Iterable[tuple[str, Any]]) -> str:
    """Two columns: names and values. A value that is html already is given as `Html`."""
    cells = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th><td style='{_LEFT}'>"
        f"{value.text if isinstance(value, Html) else html.escape(str(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table>{cells}</table>"


def grid(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table with a head. Numbers and intervals are on the right, other texts on the left."""
    texts = [[_text(value) for value in row] for row in rows]
    sides = [all(map(_NUMBERS.fullmatch, column)) for column in zip(*texts, strict=True)] or [False] * len(columns)
    head = "".join(_cell("th", column, is_right) for column, is_right in zip(columns, sides, strict=True))
    body = "".join(f"<tr>{''.join(map(_cell, _CELLS, row, sides))}</tr>" for row in texts)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


# Notebooks put cells on the right; texts of models have line ends, and words that are longer than the page.
_LEFT = "text-align:left;white-space:pre-wrap;overflow-wrap:anywhere;max-width:45em"
_NUMBERS = re.compile(r"[-+–\d.,]*( to [-+\d.,]+)?")
_CELLS = itertools.repeat("td")


def _cell(tag: str, text: str, is_right: bool) -> str:
    return f"<{tag} style='{'text-align:right;white-space:nowrap' if is_right else _LEFT}'>{html.escape(text)}</{tag}>"


def _text(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else "" if value is None else str(value)


class Html:
    def __init__(self, text: str) -> None:
        self.text = text
