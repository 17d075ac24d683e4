"""SpanQuery: which spans, and which of their values, a table has."""

from __future__ import annotations

import copy
import re
from typing import Any

__all__ = ["SpanQuery"]

_OLD_NAMES = {
    "cumulative_token_count.completion": "cumulative_llm_token_count_completion",
    "cumulative_token_count.prompt": "cumulative_llm_token_count_prompt",
    "cumulative_token_count.total": "cumulative_llm_token_count_total",
}
_DEFAULT_INDEX = "context.span_id"


class SpanQuery:
    """A query that each method copies and extends: `SpanQuery().where("span_kind == 'LLM'").select("name")`."""

    def __init__(self) -> None:
        self._parts: dict[str, Any] = {}

    def select(self, *fields: str, **named: str) -> SpanQuery:
        """Columns by their fields; `name=field` gives a column a name of its own."""
        columns = {**{field: field for field in fields}, **named}
        selected = {name: {"key": _field(field)} for name, field in columns.items()}
        return self._with("select", {**self._parts.get("select", {}), **selected})

    def where(self, condition: str) -> SpanQuery:
        """Spans that fulfil a condition of the filter language. Several conditions must all hold."""
        for old, new in _OLD_NAMES.items():
            condition = condition.replace(old, new)
        condition = re.sub(r"\bcontext\.(span_id|trace_id)\b", r"\1", condition)
        previous = self._parts.get("filter", {}).get("condition")
        return self._with("filter", {"condition": f"({previous}) and ({condition})" if previous else condition})

    def explode(self, key: str, **kwargs: str) -> SpanQuery:
        """A row for each element of a list; `kwargs` are columns and their paths in an element."""
        return self._with(
            "explode", {"key": key, **({"kwargs": kwargs} if kwargs else {}), "primary_index_key": _DEFAULT_INDEX}
        )

    def concat(self, key: str, separator: str = "\n\n", **kwargs: str) -> SpanQuery:
        """The texts of a list, joined; `kwargs` are columns and their paths in an element."""
        return self._with("concat", {"key": key, **({"kwargs": kwargs} if kwargs else {}), "separator": separator})

    def rename(self, **old_to_new: str) -> SpanQuery:
        return self._with("rename", {**self._parts.get("rename", {}), **old_to_new})

    def with_index(self, key: str) -> SpanQuery:
        return self._with("index", {"key": _field(key)})

    def to_dict(self) -> dict[str, Any]:
        """The query as the server takes it; `{}` if nothing was asked for."""
        if not self._parts:
            return {}
        return {**copy.deepcopy(self._parts), "index": self._parts.get("index", {"key": _DEFAULT_INDEX})}

    def _with(self, name: str, value: Any) -> SpanQuery:
        made = SpanQuery()
        made._parts = {**self._parts, name: value}
        return made

    def __repr__(self) -> str:
        return f"SpanQuery({self.to_dict()})"


def _field(name: str) -> str:
    name = _OLD_NAMES.get(name, name)
    if name in ("span_id", "trace_id"):
        return f"context.{name}"
    if name.startswith("context.") and name not in ("context.span_id", "context.trace_id"):
        return name[len("context.") :]
    return name
