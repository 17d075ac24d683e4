"""Rows of anything: frames, sequences, iterators, files, datasets, spans. Read in pieces, so that memory stays bounded."""

from __future__ import annotations

import csv
import itertools
import json
import os
import sys
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, quote
from ..limits import LINE_BYTES_MAX, ROWS_PER_CHUNK
from ..threads import run_in_thread

# Rows that are read from a network in one visit of a thread.
_ROWS_PER_READ = 100


@dataclass
class Source:
    """Rows as dicts. `count` is None where it is unknown; exactly one of `rows` and `async_rows` is set.

    Rows that `blocks` is true of are read from a network, so in a thread.
    """

    rows: Iterator[dict[str, Any]] | None
    count: int | None = None
    async_rows: Any = None
    blocks: bool = False

    async def iterate_async(self) -> AsyncIterator[Any]:
        if self.rows is None:
            async for row in self.async_rows:
                yield row
            return
        while True:
            found, error = await run_in_thread(_read_some, self.rows)
            for row in found:
                yield row
            if error is not None:
                raise error
            if len(found) < _ROWS_PER_READ:
                return


def _read_some(rows: Iterator[Any]) -> tuple[list[Any], Exception | None]:
    """The next rows, and the error that ended them."""
    found: list[Any] = []
    try:
        for row in itertools.islice(rows, _ROWS_PER_READ):
            found.append(row)
    except Exception as error:
        return found, error
    return found, None


def open_source(data: Any) -> Source:
    """InputError for what has no rows."""
    if isinstance(data, (str, os.PathLike)):
        return _open_file(Path(data))
    if isinstance(data, Mapping):
        raise InputError("the data are one dict; expected rows: a list of dicts, a frame, an iterator or a file")
    if hasattr(data, "rows_of_source"):
        return Source(iter(data.rows_of_source()), getattr(data, "count", None), blocks=True)
    if hasattr(data, "iloc") and hasattr(data, "columns"):
        return Source(_rows_of_pandas(data), len(data))
    if hasattr(data, "iter_rows") and hasattr(data, "columns"):
        return Source(data.iter_rows(named=True), len(data))
    if hasattr(data, "collect") and hasattr(data, "sink_parquet"):
        frame = data.collect()
        return Source(frame.iter_rows(named=True), len(frame))
    if hasattr(data, "examples") and hasattr(data, "version_id"):
        return Source((row_of_example(one) for one in data.examples), len(data.examples))
    if isinstance(data, AsyncIterable):
        return Source(None, None, data.__aiter__())
    if isinstance(data, Iterable):
        count = len(data) if hasattr(data, "__len__") else None
        return Source((_check_row(number, row) for number, row in enumerate(data)), count)
    raise InputError(f"the data are {type(data).__name__}; expected a frame, a list of dicts, an iterator, a path or a dataset")


def check_async_row(number: int, row: Any) -> dict[str, Any]:
    return _check_row(number, row)


def _check_row(number: int, row: Any) -> dict[str, Any]:
    if isinstance(row, dict):
        return row
    if isinstance(row, Mapping):
        return dict(row)
    if hasattr(row, "model_dump"):
        return row.model_dump()
    raise InputError(f"row {number} is {quote(repr(row))}; expected a dict")


def row_of_example(example: Mapping[str, Any]) -> dict[str, Any]:
    """An example of a dataset as a row: `input`, `expected` (also `reference`), `metadata`, `example_id`."""
    return {
        "example_id": example.get("id"),
        "input": example.get("input"),
        "output": example.get("output"),
        "expected": example.get("output"),
        "reference": example.get("output"),
        "metadata": example.get("metadata"),
    }


def _rows_of_pandas(frame: Any) -> Iterator[dict[str, Any]]:
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        doubled = next(name for name in names if names.count(name) > 1)
        raise InputError(f"two columns have the name {doubled!r}; rename one")
    index_names = [name for name in frame.index.names if isinstance(name, str) and name not in names]
    for start in range(0, len(frame), ROWS_PER_CHUNK):
        chunk = frame.iloc[start : start + ROWS_PER_CHUNK]
        levels = [chunk.index.get_level_values(name) for name in index_names]
        for number, values in enumerate(chunk.itertuples(index=False, name=None)):
            row = dict(zip(names, values))
            for name, level in zip(index_names, levels):
                row[name] = level[number]
            yield row


def _open_file(path: Path) -> Source:
    if not path.is_file():
        raise InputError(f"there is no file {path}; expected a .csv, .tsv, .jsonl, .json or .parquet file")
    kind = path.suffix.lower()
    if kind in (".csv", ".tsv"):
        return Source(_rows_of_csv(path, "\t" if kind == ".tsv" else ","))
    if kind in (".jsonl", ".ndjson"):
        return Source(_rows_of_jsonl(path))
    if kind == ".json":
        return open_source(_list_of_json(path))
    if kind == ".parquet":
        return _open_parquet(path)
    raise InputError(f"{path.name} has an unknown ending; expected .csv, .tsv, .jsonl, .json or .parquet")


def _rows_of_csv(path: Path, delimiter: str) -> Iterator[dict[str, Any]]:
    csv.field_size_limit(min(LINE_BYTES_MAX, sys.maxsize))
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file, delimiter=delimiter, strict=True)
        try:
            names = reader.fieldnames or []
            if len(set(names)) < len(names):
                raise InputError(f"{path.name} has two columns of one name; rename one")
            for row in reader:
                if None in row:
                    raise InputError(f"{path.name}, line {reader.line_num}: there are more values than columns; quote the commas")
                yield row
        except csv.Error as error:
            raise InputError(f"{path.name}, line {reader.line_num}: {error}") from None
        except UnicodeDecodeError as error:
            raise InputError(f"{path.name}, after line {reader.line_num}: no UTF-8 ({error.reason}); save the file as UTF-8") from None


def _rows_of_jsonl(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file:
        number = 0
        while True:
            line = file.readline(LINE_BYTES_MAX + 1)
            if not line:
                return
            number += 1
            if len(line) > LINE_BYTES_MAX:
                raise InputError(f"{path.name}, line {number}: over {LINE_BYTES_MAX // 2**20} MiB; split the row")
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path.name}, line {number}: no JSON: {error}") from None
            if not isinstance(row, dict):
                raise InputError(f"{path.name}, line {number}: {quote(repr(row))}; expected a JSON object")
            yield row


def _list_of_json(path: Path) -> Any:
    try:
        rows = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path.name} is no JSON: {error}") from None
    if not isinstance(rows, list):
        raise InputError(f"{path.name} holds {type(rows).__name__}; expected a list of objects")
    return rows


def _open_parquet(path: Path) -> Source:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        try:
            import polars
        except ImportError:
            raise InputError("a .parquet file needs pyarrow or polars; run: pip install pyarrow") from None
        return open_source(polars.read_parquet(path))
    file = parquet.ParquetFile(path)

    def rows() -> Iterator[dict[str, Any]]:
        with file:
            for batch in file.iter_batches(ROWS_PER_CHUNK):
                yield from batch.to_pylist()

    return Source(rows(), file.metadata.num_rows)
