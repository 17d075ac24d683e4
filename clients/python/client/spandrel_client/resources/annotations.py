"""Annotations of spans, documents, traces and sessions: how they are built, sent and read from frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..frames.values import is_missing
from ..limits import ANNOTATIONS_PER_REQUEST
from ..transport.calls import Call, Steps
from .base import Resource

KINDS = ("HUMAN", "LLM", "CODE")


@dataclass(frozen=True)
class Target:
    """What is annotated: its path and the fields that name it."""

    method: str
    path: str
    keys: tuple[str, ...]


SPAN = Target("POST", "/v1/span_annotations", ("span_id",))
DOCUMENT = Target("POST", "/v1/document_annotations", ("span_id", "document_position"))
TRACE = Target("POST", "/v1/trace_annotations", ("trace_id",))
SESSION = Target("POST", "/v1/session_annotations", ("session_id",))


def build_annotation(
    target: Mapping[str, Any],
    *,
    annotation_name: str,
    annotator_kind: str = "HUMAN",
    label: str | None = None,
    score: float | None = None,
    explanation: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    identifier: str | None = None,
) -> dict[str, Any]:
    """One annotation. Texts are trimmed, blank ones and NaN are absent; ValueError if no result is left."""
    if not isinstance(annotation_name, str) or not annotation_name.strip():
        raise ValueError("annotation_name is blank; expected a text")
    if annotator_kind not in KINDS:
        raise ValueError(f"annotator_kind is {annotator_kind!r}; expected one of {', '.join(KINDS)}")
    values = {"label": _text(label), "score": None if is_missing(score) else score, "explanation": _text(explanation)}
    result = {key: value for key, value in values.items() if value is not None}
    if not result:
        raise ValueError(
            f"expected at least one of label, score, explanation; received label {label!r}, score {score!r}, "
            f"explanation {explanation!r} (NaN and blank texts count as absent)"
        )
    named = {key: value.strip() if isinstance(value, str) else value for key, value in target.items()}
    annotation: dict[str, Any] = {"name": annotation_name.strip(), "annotator_kind": annotator_kind, **named, "result": result}
    if metadata:
        annotation["metadata"] = dict(metadata)
    if identifier and identifier.strip():
        annotation["identifier"] = identifier.strip()
    return annotation


def _text(value: Any) -> str | None:
    if is_missing(value):
        return None
    return str(value).strip() or None


def send_annotations(
    resource: Resource[Any], target: Target, annotations: Iterable[Mapping[str, Any]], *, sync: bool, batch: int | None = None
) -> Steps[list[Any] | None]:
    """Posts annotations. Returns an `{id}` for each if `sync`, else None. ValueError for none."""
    found = list(annotations)
    if not found:
        raise ValueError("there are no annotations; expected at least one")
    ids: list[Any] = []
    size = batch or len(found)
    for start in range(0, len(found), size):
        body = {"data": found[start : start + size]}
        # The same annotation replaces itself, so a repetition is harmless.
        call = Call(target.method, target.path, params={"sync": sync or None}, json=body, is_repeatable=True)
        ids.extend((yield from resource._data(call)))
    return ids if sync else None


def name_params(include: Sequence[str] | None, exclude: Sequence[str] | None) -> dict[str, Any]:
    """Names of the annotations that are listed. Notes are left out unless `exclude` says otherwise."""
    return {"include_annotation_names": include, "exclude_annotation_names": ["note"] if exclude is None else exclude}


def deletion_params(
    name: str | None,
    identifier: str | None,
    annotator_kind: str | None,
    start_time: datetime | str | None,
    end_time: datetime | str | None,
    delete_all: bool,
) -> dict[str, Any]:
    """Which annotations a deletion is of. ValueError unless it is bounded by two times or says that it is of all times."""
    if not delete_all and (start_time is None or end_time is None):
        raise ValueError("expected start_time and end_time, or delete_all=True for annotations of all times")
    if annotator_kind is not None and annotator_kind not in KINDS:
        raise ValueError(f"annotator_kind is {annotator_kind!r}; expected one of {', '.join(KINDS)}")
    return {
        "name": name,
        "identifier": identifier,
        "annotator_kind": annotator_kind,
        "start_time": start_time,
        "end_time": end_time,
        "delete_all": delete_all,
    }


def send_frame(
    resource: Resource[Any],
    target: Target,
    frame: Any,
    *,
    annotation_name: str | None,
    annotator_kind: str | None,
    sync: bool,
) -> Steps[list[Any] | None]:
    """Posts the rows of a frame, in order, 100 at a time."""
    annotations = list(read_frame(frame, target, annotation_name, annotator_kind))
    if not annotations:
        return [] if sync else None
    return (yield from send_annotations(resource, target, annotations, sync=sync, batch=ANNOTATIONS_PER_REQUEST))


def read_frame(
    frame: Any, target: Target, annotation_name: str | None, annotator_kind: str | None
) -> Iterator[dict[str, Any]]:
    """Annotations of the rows of a pandas or polars frame. TypeError for anything else, ValueError for missing columns."""
    columns, rows = _rows(frame)
    _check_columns(columns, annotation_name, annotator_kind)
    find_target = _target_reader(frame, columns, target)
    name_column = "name" if "name" in columns else "annotation_name"
    for number, row in enumerate(rows):
        name: Any = annotation_name or row.get(name_column)
        chosen: Any = annotator_kind or row.get("annotator_kind")
        try:
            annotation = build_annotation(
                find_target(number, row),
                annotation_name=name,
                annotator_kind=chosen,
                **{key: row.get(key) for key in ("label", "score", "explanation")},
                metadata=None if is_missing(row.get("metadata")) else row.get("metadata"),
                identifier=None if is_missing(row.get("identifier")) else str(row.get("identifier")),
            )
        except ValueError as error:
            raise ValueError(f"row {number}: {error}") from None
        yield annotation


def _rows(frame: Any) -> tuple[list[str], Iterator[dict[str, Any]]]:
    if hasattr(frame, "iter_rows") and hasattr(frame, "columns"):
        return list(frame.columns), frame.iter_rows(named=True)
    if not hasattr(frame, "iloc") or not hasattr(frame, "columns"):
        raise TypeError(f"expected a data frame of pandas or polars, got {type(frame).__name__}")
    columns = [str(name) for name in frame.columns]
    if len(set(columns)) < len(columns):
        raise ValueError("two columns have the same name; rename one")
    return columns, (dict(zip(columns, row)) for row in frame.itertuples(index=False, name=None))


def _check_columns(columns: Sequence[str], name: str | None, kind: str | None) -> None:
    both = "name" in columns and "annotation_name" in columns
    if not name and (both or not {"name", "annotation_name"} & set(columns)):
        raise ValueError("expected annotation_name, or exactly one of the columns name and annotation_name")
    if not kind and "annotator_kind" not in columns:
        raise ValueError("expected annotator_kind, or a column annotator_kind")
    if not {"label", "score", "explanation"} & set(columns):
        raise ValueError("expected at least one of the columns label, score, explanation")


def _target_reader(frame: Any, columns: Sequence[str], target: Target) -> Any:
    """A function from the number and the values of a row to the fields that name its target."""
    index = getattr(frame, "index", None)
    levels = list(getattr(index, "names", None) or [])
    found: dict[str, Any] = {}
    for key in target.keys:
        for name in (key, f"context.{key}"):
            if name in columns:
                found[key] = lambda number, row, name=name: row[name]
            elif name in levels:
                values = index.get_level_values(levels.index(name))  # type: ignore[union-attr]
                found[key] = lambda number, row, values=values: values[number]
            else:
                continue
            break
    plain = len(levels) == 1 and levels[0] is None and len(target.keys) == 1
    if not found and plain and all(isinstance(value, str) for value in index):  # type: ignore[union-attr]
        found[target.keys[0]] = lambda number, row: index[number]  # type: ignore[index]
    missing = [key for key in target.keys if key not in found]
    if missing:
        raise ValueError(f"expected {' and '.join(missing)} as a column or as a level of the index")

    def read(number: int, row: Mapping[str, Any]) -> dict[str, Any]:
        fields = {key: get(number, row) for key, get in found.items()}
        if "document_position" in fields:
            fields["document_position"] = int(fields["document_position"])
        return fields

    return read
