"""HTML for notebooks. Every text is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any


def link(url: str, text: str) -> str:
    if not url.startswith(("http://", "https://")):
        return html.escape(text)
    return f'<a href="{html.escape(url, quote=True)}" target="_blank" rel="noopener">{html.escape(text)}</a>'


def table(rows: Iterable[tuple[str, Any]]) -> str:
    """Two columns: names and values. A value that is html already is given as `Html`."""
    cells = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
        f"<td>{value.text if isinstance(value, Html) else html.escape(str(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table>{cells}</table>"


class Html:
    def __init__(self, text: str) -> None:
        self.text = text
