"""A table of several Arrow streams, one after the other, each with the columns of the one before or more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .libraries import load_pyarrow

if TYPE_CHECKING:
    import io

    import pyarrow

_JSON = {b"ARROW:extension:name": b"arrow.json", b"ARROW:extension:metadata": b""}
Key = "tuple[str, int]"


def read_table(file: io.BufferedReader) -> pyarrow.Table:
    """All streams of a file as one table. A column has the widest type of its streams, and null where a stream lacks it."""
    pyarrow = load_pyarrow()
    tables: list[Any] = []
    while not tables or file.peek(1):
        tables.append(pyarrow.ipc.open_stream(file).read_all())
    return tables[0] if len(tables) == 1 else _join(tables)


def is_json(field: Any) -> bool:
    name = (field.metadata or {}).get(b"ARROW:extension:name")
    return name == b"arrow.json" or str(getattr(field.type, "extension_name", "")) == "arrow.json"


def pandas_metadata(schema: pyarrow.Schema) -> dict[str, Any]:
    return json.loads((schema.metadata or {}).get(b"pandas", b"{}"))


def _join(tables: list[pyarrow.Table]) -> pyarrow.Table:
    pyarrow = load_pyarrow()
    placed = [dict(zip(_keys(table.schema), range(len(table.schema)))) for table in tables]
    fields: dict[Any, Any] = {}
    for table, places in zip(tables, placed):
        for key, place in places.items():
            fields[key] = _widen(fields.get(key), table.schema.field(place), table.column(place))
    columns = []
    for key, field in fields.items():
        chunks: list[Any] = []
        for table, places in zip(tables, placed):
            if key in places:
                chunks += _converted(table.schema.field(places[key]), table.column(places[key]), field)
            else:
                chunks.append(pyarrow.nulls(len(table), field.type))
        columns.append(pyarrow.chunked_array(chunks, field.type))
    metadata = {b"pandas": json.dumps(_join_metadata(tables)).encode()}
    return pyarrow.table(columns, schema=pyarrow.schema(list(fields.values()), metadata))


def _keys(schema: pyarrow.Schema) -> list[Any]:
    """Names of the columns, and how often each occurs before: several columns may have the same name."""
    counts: dict[str, int] = {}
    keys = []
    for name in schema.names:
        counts[name] = counts.get(name, 0) + 1
        keys.append((name, counts[name]))
    return keys


def _widen(known: Any, field: Any, column: Any) -> Any:
    pyarrow = load_pyarrow()
    own = pyarrow.field(field.name, pyarrow.string(), metadata=_JSON) if is_json(field) else field
    if known is None or (not is_json(known) and known.type == own.type):
        return own
    # A column without values is one of texts.
    if is_json(known) or (own.type == pyarrow.string() and not is_json(own) and column.null_count == len(column)):
        return known
    if is_json(own) or known.type == pyarrow.string():
        return own
    if {str(known.type), str(own.type)} == {"int64", "double"}:
        return pyarrow.field(field.name, pyarrow.float64())
    return pyarrow.field(field.name, pyarrow.string(), metadata=_JSON)


def _converted(field: Any, column: Any, target: Any) -> list[Any]:
    pyarrow = load_pyarrow()
    if is_json(field):
        return [getattr(chunk, "storage", chunk).cast(pyarrow.string()) for chunk in column.chunks]
    if column.null_count == len(column):
        return [pyarrow.nulls(len(column), target.type)]
    if is_json(target):
        return [pyarrow.array([_json_text(value) for value in column.to_pylist()], pyarrow.string())]
    return column.cast(target.type).chunks


def _json_text(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, default=str)


def _join_metadata(tables: list[pyarrow.Table]) -> dict[str, Any]:
    told = [pandas_metadata(table.schema) for table in tables]
    columns = {column["field_name"]: column for one in told for column in one.get("columns", [])}
    return {**told[-1], "columns": list(columns.values())}
