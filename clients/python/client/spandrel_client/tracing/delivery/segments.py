"""Segments of a spill directory: files of records, each a header and a compressed batch."""

from __future__ import annotations

import contextlib
import os
import secrets
import struct
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# Magic, state, spans, bytes and CRC-32 of the batch.
_HEADER = struct.Struct("<4sBIII")
_MAGIC = b"SPN1"
_PENDING, _DONE = 0, 1
_STATE_OFFSET = 4
_BINARY = getattr(os, "O_BINARY", 0)
SUFFIX = ".spans"
# A segment that is not locked yet.
_NEW_SUFFIX = ".new"
# Without locks, a segment is taken over when nobody has written to it for so long.
_IDLE_SECONDS = 120.0


@dataclass(eq=False)
class Segment:
    path: Path
    fd: int
    size: int = 0
    # Records that are not sent.
    pending: int = 0


@dataclass(eq=False)
class Record:
    """One batch on disk. `attempts` counts answers that were an error of the server."""

    segment: Segment
    offset: int
    byte_count: int
    span_count: int
    attempts: int = 0


def create_segment(folder: Path) -> Segment:
    """A new segment that is locked. It gets its name afterwards, so that no other process takes it over before."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{time.time_ns():020d}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
    unlocked = path.with_suffix(_NEW_SUFFIX)
    fd = os.open(unlocked, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        unlocked.rename(path)
    except OSError:
        os.close(fd)
        unlink(unlocked)
        raise
    return Segment(path, fd)


def claim_segment(path: Path) -> Segment | None:
    """Opens and locks a segment of another process. None if that has it still, or has just removed it."""
    try:
        fd = os.open(path, os.O_RDWR | _BINARY)
    except OSError:
        return None
    try:
        if fcntl is not None:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif time.time() - os.fstat(fd).st_mtime < _IDLE_SECONDS:
            raise OSError
        info = os.fstat(fd)
        if fcntl is not None and info.st_nlink == 0:
            raise OSError
    except OSError:
        os.close(fd)
        return None
    return Segment(path, fd, size=info.st_size)


def record_bytes(payload: bytes) -> int:
    """Bytes on disk of a batch with its header."""
    return _HEADER.size + len(payload)


def append_record(segment: Segment, payload: bytes, span_count: int) -> Record:
    """Writes a batch at the known end. What a failed attempt left behind it is written over or cut off. OSError."""
    data = _HEADER.pack(_MAGIC, _PENDING, span_count, len(payload), zlib.crc32(payload)) + payload
    try:
        os.lseek(segment.fd, segment.size, os.SEEK_SET)
        view = memoryview(data)
        while view:
            view = view[os.write(segment.fd, view) :]
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(segment.fd, segment.size)
        raise
    record = Record(segment, segment.size, len(payload), span_count)
    segment.size += len(data)
    segment.pending += 1
    return record


def read_batch(record: Record) -> bytes | None:
    """The batch of a record. None if it is damaged."""
    try:
        os.lseek(record.segment.fd, record.offset, os.SEEK_SET)
        data = os.read(record.segment.fd, _HEADER.size + record.byte_count)
    except OSError:
        return None
    payload = data[_HEADER.size :]
    is_whole = len(payload) == record.byte_count and zlib.crc32(payload) == _HEADER.unpack(data[: _HEADER.size])[4]
    return payload if is_whole else None


def mark_sent(record: Record) -> None:
    """Marks a record, so that nobody sends it again. Without a sync: sending again changes nothing."""
    with contextlib.suppress(OSError):
        os.lseek(record.segment.fd, record.offset + _STATE_OFFSET, os.SEEK_SET)
        os.write(record.segment.fd, bytes([_DONE]))
    record.segment.pending -= 1


def pending_records(segment: Segment) -> list[Record]:
    """Whole records of a segment that are not sent. What a crash cut off at the end is left out."""
    found: list[Record] = []
    offset = 0
    end = os.fstat(segment.fd).st_size
    while offset + _HEADER.size <= end:
        os.lseek(segment.fd, offset, os.SEEK_SET)
        magic, state, span_count, byte_count, _ = _HEADER.unpack(os.read(segment.fd, _HEADER.size))
        if magic != _MAGIC or offset + _HEADER.size + byte_count > end:
            break
        if state == _PENDING:
            found.append(Record(segment, offset, byte_count, span_count))
        offset += _HEADER.size + byte_count
    return found


def segment_paths(folder: Path) -> list[Path]:
    """Segments of a folder, the oldest first."""
    try:
        return sorted(Path(entry.path) for entry in os.scandir(folder) if entry.name.endswith(SUFFIX))
    except OSError:
        return []


def unlink(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
