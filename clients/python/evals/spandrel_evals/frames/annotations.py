"""to_annotation_dataframe: scores as annotations of spans."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InputError, quote
from ..json_values import is_missing

_KINDS = {"llm": "LLM", "code": "CODE", "heuristic": "CODE", "human": "HUMAN"}


def to_annotation_dataframe(dataframe: Any, score_names: Sequence[str] | None = None) -> Any:
    """A long table for the client's `log_span_annotations_dataframe`: a block of rows for each score.

    Columns: those whose name contains `span_id` (also of the index), `score`, `label`, `explanation`, `metadata` (with the
    direction), `annotation_name`, `annotator_kind`. Rows without a score are left out. ValueError without a span id.
    """
    import pandas

    if not hasattr(dataframe, "iloc"):
        if not hasattr(dataframe, "iter_rows"):
            raise InputError(f"expected a frame of pandas or polars, got {type(dataframe).__name__}")
        dataframe = pandas.DataFrame(list(dataframe.iter_rows(named=True)), columns=list(dataframe.columns))
    index_names = [name for name in dataframe.index.names if isinstance(name, str) and "span_id" in name]
    columns = [name for name in dataframe.columns if isinstance(name, str) and "span_id" in name]
    if not index_names and not columns:
        raise InputError("the frame has no column or index with span_id in its name; add one, such as span_id")
    ids = {name: list(dataframe.index.get_level_values(name)) for name in index_names if name not in columns}
    ids |= {name: list(dataframe[name]) for name in columns}
    known = [name for name in dataframe.columns if isinstance(name, str) and name.endswith("_score")]
    names = known if score_names is None else [_column_of(name, known) for name in score_names]
    blocks = [_block(dataframe, column, ids) for column in names]
    fields = [*ids, "score", "label", "explanation", "metadata", "annotation_name", "annotator_kind"]
    rows = [row for block in blocks for row in block]
    # Objects, because pandas 3 makes a column of texts with gaps NaN where the score has None.
    texts = {name: pandas.Series([row[name] for row in rows], dtype=object) for name in ("label", "explanation")}
    made = pandas.DataFrame(rows, columns=fields).assign(**texts)
    return made.set_index(index_names) if index_names and not columns else made


def _column_of(name: str, known: Sequence[str]) -> str:
    for column in (f"{name}_score", name):
        if column in known:
            return column
    raise InputError(f"there is no score {quote(name)}; the frame has {', '.join(known) or 'none'}")


def _block(frame: Any, column: str, ids: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    scores = [_read(number, column, cell) for number, cell in enumerate(frame[column])]
    first = next((one for one in scores if one is not None), {})
    kind = _KINDS.get(str(first.get("kind") or first.get("source") or "llm"), "LLM")
    rows = []
    for number, score in enumerate(scores):
        if score is None:
            continue
        metadata = dict(score.get("metadata") or {})
        if score.get("direction"):
            metadata["direction"] = score["direction"]
        rows.append(
            {
                **{name: values[number] for name, values in ids.items()},
                "score": score.get("score"),
                "label": score.get("label"),
                "explanation": score.get("explanation"),
                "metadata": metadata,
                "annotation_name": score.get("name") or column.removesuffix("_score"),
                "annotator_kind": kind,
            }
        )
    return rows


def _read(number: int, column: str, cell: Any) -> dict[str, Any] | None:
    if is_missing(cell):
        return None
    if isinstance(cell, str):
        try:
            cell = json.loads(cell)
        except ValueError:
            raise InputError(f"row {number}, {column}: {quote(cell)} is no JSON; expected a score") from None
        if cell is None:
            return None
    if hasattr(cell, "to_dict"):
        cell = cell.to_dict()
    if not isinstance(cell, Mapping):
        raise InputError(f"row {number}, {column}: {quote(repr(cell))}; expected a score as a dict or JSON text")
    return dict(cell)
