"""Frames whose columns are plain as Arrow streams, which take a fraction of the time of JSON lines on both sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..limits import UPLOAD_ARROW_BATCH_BYTES, UPLOAD_ARROW_ROWS
from .upload import Columns, frame_headers


def arrow_chunks(frame: Any, columns: Columns) -> Iterator[bytes] | None:
    """The chosen columns as an Arrow stream, whose rows mean the same as the JSON lines of `frame_lines`.

    None where they would not, for cells that are empty, blank or structured and ids that are no texts; for long rows, and without
    pyarrow.
    """
    try:
        import pyarrow
        import pyarrow.compute as compute
    except ImportError:
        return None
    headers = frame_headers(frame)
    texts = {columns.split, columns.span_id, columns.example_id, *columns.splits}
    arrays = []
    for name in columns.all:
        array = _to_array(pyarrow, frame, headers.index(name))
        if array is None or not _is_plain(pyarrow, compute, array, name in texts):
            return None
        arrays.append(array)
    row_bytes = sum(_bytes_max(pyarrow, compute, array) for array in arrays)
    if row_bytes > UPLOAD_ARROW_BATCH_BYTES:
        return None
    row_count = max(1, min(UPLOAD_ARROW_ROWS, UPLOAD_ARROW_BATCH_BYTES // max(1, row_bytes)))
    return _stream(pyarrow, pyarrow.table(arrays, names=list(columns.all)), row_count)


def _to_array(pyarrow: Any, frame: Any, place: int) -> Any:
    if hasattr(frame, "iter_rows"):
        array = frame.to_series(place).to_arrow()
    else:
        from ..frames.json_array import JsonDtype

        column = frame.iloc[:, place]
        if isinstance(column.dtype, JsonDtype):
            # Its cells are objects; in Arrow they would be texts.
            return None
        try:
            # Only texts are read from objects: of other values pyarrow would guess a type.
            array = pyarrow.array(column, pyarrow.string() if column.dtype == object else None)
        except (pyarrow.ArrowException, TypeError, ValueError):
            return None
    return array.cast(pyarrow.string()) if str(array.type) in ("large_string", "string_view") else array


def _is_plain(pyarrow: Any, compute: Any, array: Any, must_be_text: bool) -> bool:
    kind = array.type
    if array.null_count or (must_be_text and not pyarrow.types.is_string(kind)):
        return False
    if pyarrow.types.is_string(kind):
        return not compute.any(compute.equal(compute.utf8_trim_whitespace(array), "")).as_py()
    if pyarrow.types.is_floating(kind):
        # In JSON lines, 1.0 has its fraction, and what is not finite is null.
        return bool(compute.all(compute.and_(compute.is_finite(array), compute.not_equal(compute.floor(array), array))).as_py())
    return pyarrow.types.is_integer(kind) or pyarrow.types.is_boolean(kind)


def _bytes_max(pyarrow: Any, compute: Any, array: Any) -> int:
    return int(compute.max(compute.binary_length(array)).as_py() or 0) if pyarrow.types.is_string(array.type) else 8


def _stream(pyarrow: Any, table: Any, row_count: int) -> Iterator[bytes]:
    sink = _Sink()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        for batch in table.to_batches(max_chunksize=row_count):
            writer.write_batch(batch)
            yield from sink.take()
    yield from sink.take()


class _Sink:
    """A file that hands on what is written."""

    closed = False

    def __init__(self) -> None:
        self._chunks: list[bytes] = []

    def write(self, data: Any) -> int:
        self._chunks.append(bytes(data))
        return len(self._chunks[-1])

    def take(self) -> list[bytes]:
        chunks, self._chunks = self._chunks, []
        return chunks

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Its owner drops it."""
