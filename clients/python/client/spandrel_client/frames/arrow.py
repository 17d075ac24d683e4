"""Tables of spans from Arrow streams, batch by batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..exceptions import UnexpectedAnswer
from .libraries import load, load_pandas, load_pyarrow
from .streams import is_json, pandas_metadata, read_table

if TYPE_CHECKING:
    import io

    import httpx


def read_frame(headers: httpx.Headers, file: Any, library: str) -> Any:
    """The table of an answer as a frame. UnexpectedAnswer if the stream ends early."""
    kind = headers.get("content-type", "").split(";")[0].strip()
    if library not in ("pandas", "polars"):
        raise ValueError(f"library is {library!r}; expected pandas or polars")
    if "arrow" not in kind:
        raise UnexpectedAnswer(f"POST /v1/spans: expected an Arrow stream, got {kind or 'no content type'}; check base_url")
    pyarrow = load_pyarrow(library)
    try:
        table = read_table(file)
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise UnexpectedAnswer(f"POST /v1/spans: the Arrow stream ends early or is damaged ({error}); try again") from None
    tables = [table]
    del table
    return _to_pandas(tables.pop()) if library == "pandas" else _to_polars(tables.pop())


def _layout(table: Any) -> tuple[list[str], dict[str, Any]]:
    """Names of the fields that are the index, and of each field the name of its column."""
    told = pandas_metadata(table.schema)
    titles = {column["field_name"]: column["name"] for column in told.get("columns", [])}
    return [name for name in told.get("index_columns", []) if isinstance(name, str)], titles


def _storage(column: Any) -> Any:
    """One array of the texts of a JSON column."""
    pyarrow = load_pyarrow()
    chunks = [chunk.storage if hasattr(chunk, "storage") else chunk for chunk in column.chunks]
    chunks = [chunk.cast(pyarrow.large_string()) for chunk in chunks]
    return pyarrow.concat_arrays(chunks) if chunks else pyarrow.array([], pyarrow.large_string())


def _to_pandas(table: Any) -> Any:
    pandas = load_pandas()
    from .json_array import JsonArray

    index_names, titles = _layout(table)
    columns: dict[int, Any] = {}
    index: list[Any] = []
    names: list[str] = []
    schema, remaining = table.schema, table.columns
    del table
    for position, field in enumerate(schema):
        # Each column is given up once it is converted, so that the table does not exist twice.
        column, remaining[position] = remaining[position], None
        if is_json(field):
            values: Any = pandas.Series(JsonArray(_storage(column)))
        else:
            values = column.to_pandas()
        if field.name in index_names:
            index.append(values)
        else:
            columns[len(names)] = values
            names.append(titles.get(field.name, field.name))
    frame = pandas.DataFrame(columns, copy=False)
    frame.columns = names
    if index:
        labels = [titles.get(name) for name in index_names]
        frame.index = (
            pandas.Index(index[0], name=labels[0]) if len(index) == 1 else pandas.MultiIndex.from_arrays(index, names=labels)
        )
    return frame


def _to_polars(table: Any) -> Any:
    polars = load("polars", "polars")
    pyarrow = load_pyarrow("polars")
    index_names, titles = _layout(table)
    others = [titles.get(field.name, field.name) for field in table.schema if field.name not in index_names]
    columns, names = [], []
    for position, field in enumerate(table.schema):
        name = titles.get(field.name, field.name)
        if field.name in index_names and name in others:
            continue
        column = table.column(position)
        columns.append(pyarrow.chunked_array([_storage(column)]) if is_json(field) else column)
        names.append(name)
    return polars.from_arrow(pyarrow.table(columns, names=names))


