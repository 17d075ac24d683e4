"""Forms of uploads: a file of CSV or JSON lines, compressed while it is written, with the names of its columns."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import re
import secrets
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from ..frames.values import dump_json, is_missing, to_json_value
from ..limits import UPLOAD_CHUNK_BYTES, UPLOAD_MEMORY_BYTES_MAX
from ..transport.drivers import ChunkFile

_OUTPUT = re.compile(r"(responses?|answers?|outputs?)$", re.IGNORECASE)
BUCKETS = ("input", "output", "metadata")


@dataclass(frozen=True)
class Columns:
    """Which columns are input, output, metadata, splits, span ids and example ids."""

    input: tuple[str, ...] = ()
    output: tuple[str, ...] = ()
    metadata: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    split: str | None = None
    span_id: str | None = None
    example_id: str | None = None
    flatten: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        one = [name for name in (self.split, self.span_id, self.example_id) if name]
        return tuple(dict.fromkeys([*self.input, *self.output, *self.metadata, *self.splits, *one]))

    def fields(self) -> list[tuple[str, str]]:
        many = {"input_keys[]": self.input, "output_keys[]": self.output, "metadata_keys[]": self.metadata}
        many |= {"split_keys[]": self.splits, "flatten_keys[]": self.flatten}
        one = {"split_key": self.split, "span_id_key": self.span_id, "example_id_key": self.example_id}
        return [(name, key) for name, keys in many.items() for key in keys] + [(k, v) for k, v in one.items() if v]


def choose_columns(headers: Sequence[str], given: Columns) -> Columns:
    """The given columns, or input and output by their names. ValueError for columns that do not fit."""
    duplicates = sorted({name for name in headers if list(headers).count(name) > 1})
    if duplicates:
        raise ValueError(f"the column {duplicates[0]!r} occurs twice; rename one")
    if not (given.input or given.output or given.metadata):
        special = {given.split, given.span_id, given.example_id, *given.splits}
        rest = [name for name in headers if name not in special]
        place = next((number for number, name in enumerate(rest) if _OUTPUT.search(name)), None)
        inputs, outputs, metadata = (rest, [], []) if place is None else (rest[:place], [rest[place]], rest[place + 1 :])
        given = replace(given, input=tuple(inputs), output=tuple(outputs), metadata=tuple(metadata), flatten=())
    unknown = [name for name in given.all if name not in headers]
    if unknown:
        raise ValueError(f"there is no column {unknown[0]!r}; the columns are {', '.join(headers)}")
    keys = [*given.input, *given.output, *given.metadata]
    overlap = sorted({name for name in keys if keys.count(name) > 1})
    if overlap:
        raise ValueError(f"the column {overlap[0]!r} is in two of input_keys, output_keys, metadata_keys")
    return given


class Form:
    """A form whose only file is written compressed. `open` reads it from its start, any number of times."""

    def __init__(
        self,
        fields: list[tuple[str, str]],
        columns: Columns,
        file_name: str,
        content_type: str,
        chunks: Iterable[bytes],
    ) -> None:
        self._boundary = secrets.token_hex(16)
        self._fields = [*fields, *columns.fields()]
        self._file_name = file_name.replace('"', "%22").replace("\r", "").replace("\n", "")
        self._content_type = content_type
        self._chunks = chunks
        self._file: Any = tempfile.SpooledTemporaryFile(max_size=UPLOAD_MEMORY_BYTES_MAX)  # noqa: SIM115
        self._is_compressed = False
        self._action = "create"

    def set_action(self, action: str) -> None:
        self._action = action
        if not self._is_compressed:
            with gzip.GzipFile(fileobj=self._file, mode="wb", compresslevel=1, mtime=0) as compressed:
                for chunk in self._chunks:
                    compressed.write(chunk)
            self._is_compressed = True

    @property
    def headers(self) -> dict[str, str]:
        size = len(self._start()) + self._file.seek(0, 2) + len(self._end())
        return {"content-type": f"multipart/form-data; boundary={self._boundary}", "content-length": str(size)}

    def open(self) -> BinaryIO:
        self._file.seek(0)
        parts = itertools.chain([self._start()], self._file_chunks(), [self._end()])
        return io.BufferedReader(ChunkFile(parts.__next__), UPLOAD_CHUNK_BYTES)

    def close(self) -> None:
        self._file.close()

    def _file_chunks(self) -> Iterable[bytes]:
        return iter(lambda: self._file.read(UPLOAD_CHUNK_BYTES), b"")

    def _start(self) -> bytes:
        fields = [("action", self._action), *self._fields]
        parts = [
            f'--{self._boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in fields
        ]
        file = (
            f'--{self._boundary}\r\nContent-Disposition: form-data; name="file"; filename="{self._file_name}"\r\n'
            f"Content-Type: {self._content_type}\r\nContent-Encoding: gzip\r\n\r\n"
        )
        return "".join([*parts, file]).encode()

    def _end(self) -> bytes:
        return f"\r\n--{self._boundary}--\r\n".encode()


def example_lines(examples: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Examples as JSON lines. ValueError names an example that is not an object with an object as input."""
    for number, example in enumerate(examples):
        checked = check_example(example, number)
        line: dict[str, Any] = {bucket: checked.get(bucket) or {} for bucket in BUCKETS}
        splits = checked.get("splits")
        if splits:
            line["splits"] = [splits] if isinstance(splits, str) else list(splits)
        for key, name in (("span_id", "span_id"), ("id", "example_id")):
            if checked.get(key):
                line[name] = checked[key]
        yield dump_json(line) + b"\n"


def check_example(example: Any, number: int) -> dict[str, Any]:
    if not isinstance(example, Mapping) or not isinstance(example.get("input"), Mapping):
        raise ValueError(f"example {number} is {type(example).__name__}; expected a dict whose input is a dict")
    for bucket in ("output", "metadata"):
        if example.get(bucket) is not None and not isinstance(example[bucket], Mapping):
            raise ValueError(f"the {bucket} of example {number} is {type(example[bucket]).__name__}; expected a dict")
    checked = dict(example)
    if checked.get("id") is not None and checked.get("id") == checked.get("node_id"):
        del checked["id"]
    return checked


def frame_headers(frame: Any) -> list[str]:
    """Names of the columns of a pandas or polars frame. TypeError for anything else."""
    if not hasattr(frame, "columns") or not (hasattr(frame, "itertuples") or hasattr(frame, "iter_rows")):
        raise TypeError(f"expected a data frame of pandas or polars, got {type(frame).__name__}")
    if len(frame) == 0:
        raise ValueError("the data frame has no rows")
    return [str(name) for name in frame.columns]


def frame_lines(frame: Any, columns: Columns) -> Iterator[bytes]:
    """Rows as JSON lines with the chosen columns. Empty cells are left out."""
    headers = frame_headers(frame)
    if hasattr(frame, "iter_rows"):
        rows: Iterable[Any] = frame.select(list(columns.all)).iter_rows()
    else:
        # By position, because names of columns need not be texts.
        rows = frame.iloc[:, [headers.index(name) for name in columns.all]].itertuples(index=False, name=None)
    names = columns.all
    texts = {columns.span_id, columns.example_id}
    lines: list[bytes] = []
    for row in rows:
        cells = {}
        for name, cell in zip(names, row):
            if is_missing(cell) or isinstance(cell, str) and not cell.strip():
                continue
            cells[name] = str(cell) if name in texts or name in columns.splits else cell
        lines.append(dump_json(cells))
        if len(lines) == 500:
            yield b"\n".join(lines) + b"\n"
            lines.clear()
    if lines:
        yield b"\n".join(lines) + b"\n"


def csv_headers(path: Any) -> list[str]:
    """First row of a CSV file. ValueError if there is no other row."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = csv.reader(file)
        headers = next(rows, None)
        if not headers or next(rows, None) is None:
            raise ValueError(f"{path} has no rows of data; expected a row of names and at least one more")
    return headers


def file_chunks(path: Any) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while chunk := file.read(UPLOAD_CHUNK_BYTES):
            yield chunk


def arrays_of(examples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Parallel arrays of the JSON form of an upload."""
    found = [check_example(example, number) for number, example in enumerate(examples)]
    arrays: dict[str, Any] = {
        "inputs": [example["input"] for example in found],
        "outputs": [example.get("output") or {} for example in found],
        "metadata": [example.get("metadata") or {} for example in found],
    }
    for key, name in (("splits", "splits"), ("span_id", "span_ids"), ("id", "example_ids")):
        values = [example.get(key) for example in found]
        if any(value is not None for value in values):
            arrays[name] = values
    return to_json_value(arrays)


