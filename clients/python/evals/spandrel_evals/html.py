"""HTML for notebooks."""

from __future__ import annotations

from html import escape


def as_lines(text: str) -> str:
    """A text of several lines as it is, in letters of one width. Without it a notebook shows the arguments of the class."""
    return f"<pre>{escape(text)}</pre>"
