"""Labels of people, from a table or from the server."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InputError, quote
from ..json_values import canonical_json, is_missing
from ..limits import LABELLED_ROWS_MAX
from ..runner.sources import open_source
from ..server.rows import row_of_span
from ..statistics.agreement import majority
from ..statistics.samples import Split, split_of

LABEL_COLUMN = "human_label"


@dataclass(frozen=True)
class LabelledRow:
    """A row with the labels of one or more people."""

    # Decides about the part, so it must not change from run to run: an id, or a digest of the row.
    key: str
    row: Mapping[str, Any]
    # By person. A table with one label a row has one person without a name.
    labels: Mapping[str, str]
    # The label that most people gave; None if two lead.
    label: str | None
    split: Split


@dataclass(frozen=True)
class Shares:
    """Shares of the parts; the rest is for tuning."""

    held_out: float = 0.5
    examples: float = 0.2


def read_labels(
    data: Any, *, label_column: str = LABEL_COLUMN, key_column: str | None = None, shares: Shares = Shares()
) -> list[LabelledRow]:
    """Rows with labels of a table: anything that `evaluate` takes. Rows without a label are left out.

    :param label_column: a label, `{person: label}`, or a list with a label for each person (None: that person gave none)
    :param key_column: an id; without it `id`, `span_id` or `example_id` if the rows have one, else a digest of the row
    :raises InputError: if no row has a label, or two rows have one key
    """
    if isinstance(data, Sequence) and data and isinstance(data[0], LabelledRow):
        return list(data)
    source = open_source(data)
    if source.rows is None:
        raise InputError("the labels are an async iterator; expected a table, a file or a list of dicts")
    found: list[LabelledRow] = []
    keys: set[str] = set()
    for number, row in enumerate(source.rows):
        if label_column not in row:
            raise InputError(f"row {number} has no column {quote(label_column)}; expected labels of people in it (label_column=)")
        labels = _labels_of(row[label_column], number, label_column)
        if not labels:
            continue
        values = {name: value for name, value in row.items() if name != label_column}
        key = _key_of(values, key_column, number)
        if key in keys:
            raise InputError(f"row {number} has the key {quote(key)} of another row; leave repetitions out, or give key_column")
        keys.add(key)
        if len(found) == LABELLED_ROWS_MAX:
            raise InputError(f"there are over {LABELLED_ROWS_MAX:,} labelled rows; give a part of them")
        found.append(LabelledRow(key, values, labels, majority(list(labels.values())), split_of(key, shares.held_out, shares.examples)))
    if not found:
        raise InputError(f"no row has a label in {quote(label_column)}; label some rows first")
    return found


def _labels_of(value: Any, number: int, column: str) -> dict[str, str]:
    if isinstance(value, Mapping):
        given = {str(person): label for person, label in value.items()}
    elif isinstance(value, (list, tuple)):
        given = {str(person): label for person, label in enumerate(value)}
    else:
        given = {"": value}
    labels = {person: label for person, label in given.items() if not is_missing(label) and label != ""}
    for label in labels.values():
        if not isinstance(label, str):
            raise InputError(f"row {number} has the label {quote(repr(label))} in {quote(column)}; expected a text")
    return labels


def _key_of(row: Mapping[str, Any], column: str | None, number: int) -> str:
    names = [column] if column else ["id", "span_id", "example_id"]
    for name in names:
        if name is not None and not is_missing(row.get(name)):
            return str(row[name])
    if column:
        raise InputError(f"row {number} has no value in {quote(column)}, the column of keys")
    return hashlib.sha256(canonical_json(dict(row)).encode()).hexdigest()


def labels_from_server(
    client: Any,
    *,
    project: str,
    annotation_name: str,
    limit: int = 5_000,
    shares: Shares = Shares(),
    **span_filters: Any,
) -> list[LabelledRow]:
    """Spans of a project that people have annotated, newest first.

    Rows are those of `SpanRows`; map the inputs of the evaluator to them (`bind_evaluator`). Annotations of judges and code do not
    count.

    :param client: a `spandrel_client.Client`
    :param limit: spans that are looked through
    :param span_filters: options of `client.spans.get_spans`, such as `span_kind` and `start_time`
    """
    spans = {
        span["context"]["span_id"]: span
        for span in client.spans.get_spans(project_identifier=project, limit=limit, **span_filters)
    }
    annotations = client.spans.get_span_annotations(
        project_identifier=project, span_ids=list(spans), include_annotation_names=[annotation_name]
    )
    labels: dict[str, dict[str, str]] = {}
    for annotation in annotations:
        label = (annotation.get("result") or {}).get("label")
        if annotation.get("annotator_kind") == "HUMAN" and label:
            # Without sign-in nobody has an id; then the identifier of the annotation tells people apart.
            person = annotation.get("user_id") or annotation.get("identifier") or ""
            labels.setdefault(annotation["span_id"], {})[person] = label
    if not labels:
        raise InputError(
            f"no person has given a label {quote(annotation_name)} to the {len(spans):,} newest spans of {quote(project)};"
            " annotate some spans first, or raise limit"
        )
    rows = [{**row_of_span(spans[span_id]), LABEL_COLUMN: given} for span_id, given in labels.items()]
    return read_labels(rows, key_column="span_id", shares=shares)
