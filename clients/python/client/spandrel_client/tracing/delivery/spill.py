"""Batches on disk while the server is away: segments of records in one directory for each address.

A record is a header and a compressed batch. A segment is written by one process, which holds a lock on it as long as it
lives. A process that starts later locks and sends the segments that nobody holds. Records are sent at least once; the server
stores a span once.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import struct
import threading
import time
import zlib
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from ... import limits
from .losses import DAMAGED, SPILL_FULL, TOO_OLD, Losses, log_problem

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# Magic, state, spans, bytes and CRC-32 of the batch.
_HEADER = struct.Struct("<4sBIII")
_MAGIC = b"SPN1"
_PENDING, _DONE = 0, 1
_STATE_OFFSET = 4
_SUFFIX = ".spans"
# Without locks, a segment is taken over when nobody has written to it for so long.
_IDLE_SECONDS = 120.0


@dataclass(eq=False)
class Segment:
    path: Path
    fd: int
    size: int = 0
    # Records that are not sent.
    pending: int = 0
    is_sealed: bool = False


@dataclass(eq=False)
class Record:
    """One batch on disk. `attempts` counts answers that were an error of the server."""

    segment: Segment
    offset: int
    byte_count: int
    span_count: int
    attempts: int = 0


class Spill:
    """The spill directory of one address. May be used from any thread."""

    def __init__(self, folder: Path, losses: Losses, bytes_max: int, age_seconds_max: float) -> None:
        self.folder = folder
        self._losses = losses
        self._bytes_max = bytes_max
        self._age_max = age_seconds_max
        self._lock = threading.Lock()
        self._queue: deque[Record] = deque()
        self._own: list[Segment] = []
        self._current: Segment | None = None
        self._is_unusable = False
        self._synced_at = 0.0
        self._is_dirty = False
        # Counted and reported once the lock is free.
        self._lost: list[tuple[int, str, str]] = []

    def append(self, payload: bytes, span_count: int, is_queued: bool = True) -> Record | None:
        """Writes a batch. None if the disk or the directory has no room for it. Synced at most half a second later, or by `sync`.

        A record that is not queued is one whose sender still waits for an answer.
        """
        try:
            with self._lock:
                return self._append(payload, span_count, is_queued)
        finally:
            self._report()

    def _append(self, payload: bytes, span_count: int, is_queued: bool) -> Record | None:
        size = _HEADER.size + len(payload)
        if size > self._bytes_max or not self._make_room(size):
            return None
        try:
            segment = self._writable(size)
            header = _HEADER.pack(_MAGIC, _PENDING, span_count, len(payload), zlib.crc32(payload))
            _write_at(segment, header + payload)
        except OSError as error:
            if not self._is_unusable:
                self._is_unusable = True
                log_problem(f"Spans cannot be kept in {self.folder}; set SPANDREL_SPILL_DIR to a directory that can be written", error)
            return None
        self._is_unusable = False
        record = Record(segment, segment.size, len(payload), span_count)
        segment.size += size
        segment.pending += 1
        self._is_dirty = True
        if is_queued:
            self._queue.append(record)
        if time.monotonic() - self._synced_at > limits.SPILL_SYNC_SECONDS:
            self._sync()
        return record

    def sync(self) -> None:
        """Returns when everything that was appended survives a crash of the machine."""
        with self._lock:
            self._sync()

    def put_back(self, record: Record, is_last: bool = False) -> None:
        """Queues a record that was not sent: before the others, or after them."""
        with self._lock:
            (self._queue.append if is_last else self._queue.appendleft)(record)

    def next(self) -> tuple[Record, bytes] | None:
        """The oldest record and its batch."""
        while True:
            with self._lock:
                if not self._queue:
                    return None
                record = self._queue.popleft()
                try:
                    data = _read_at(record)
                except OSError:
                    data = b""
                payload = data[_HEADER.size :]
                if len(payload) == record.byte_count and zlib.crc32(payload) == _HEADER.unpack(data[: _HEADER.size])[4]:
                    return record, payload
                self._settle(record)
            self._losses.add(record.span_count, DAMAGED, f"{record.segment.path} has a damaged record.")

    def done(self, record: Record) -> None:
        """Marks a record as sent, or as given up. The mark needs no sync: sending again changes nothing."""
        with self._lock:
            self._settle(record)

    @property
    def record_count(self) -> int:
        with self._lock:
            return len(self._queue)

    def adopt(self) -> int:
        """Takes over the segments of processes that have ended; returns how many records they have."""
        try:
            with self._lock:
                return self._adopt()
        finally:
            self._report()

    def _adopt(self) -> int:
        known = {segment.path for segment in self._own}
        found = 0
        for path in self._segment_paths():
            if path in known:
                continue
            segment = self._claim(path)
            if segment is None:
                continue
            if time.time() - os.fstat(segment.fd).st_mtime > self._age_max:
                self._drop_segment(segment, _records(segment), TOO_OLD, f"they were kept for more than {self._age_max / 86400:g} days.")
                continue
            records = _records(segment)
            segment.pending = len(records)
            if not records:
                self._remove(segment)
                continue
            self._own.append(segment)
            # Those of earlier processes are older than what this one has written.
            self._queue.extendleft(reversed(records))
            found += len(records)
        return found

    def close(self) -> None:
        """Syncs and unlocks. Segments with records stay for the next process."""
        with self._lock:
            self._sync()
            for segment in self._own:
                if segment.pending == 0:
                    _unlink(segment.path)
                with contextlib.suppress(OSError):
                    os.close(segment.fd)
            self._own, self._current = [], None
            self._queue.clear()

    def forget(self) -> None:
        """In a forked child: the parent keeps its segments and their locks."""
        self._lock = threading.Lock()
        for segment in self._own:
            with contextlib.suppress(OSError):
                os.close(segment.fd)
        self._own, self._current = [], None
        self._queue = deque()
        self._is_dirty = False

    def _writable(self, size: int) -> Segment:
        current = self._current
        if current is not None and current.size + size <= limits.SPILL_SEGMENT_BYTES:
            return current
        if current is not None:
            self._sync()
            current.is_sealed = True
            self._current = None
            self._remove_if_empty(current)
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self.folder / f"{time.time_ns():020d}-{os.getpid()}-{secrets.token_hex(4)}{_SUFFIX}"
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        if fcntl is not None:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._current = Segment(path, fd)
        self._own.append(self._current)
        return self._current

    def _sync(self) -> None:
        self._synced_at = time.monotonic()
        if self._is_dirty and self._current is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._current.fd)
            self._is_dirty = False

    def _settle(self, record: Record) -> None:
        segment = record.segment
        if segment not in self._own:
            return
        with contextlib.suppress(OSError):
            os.lseek(segment.fd, record.offset + _STATE_OFFSET, os.SEEK_SET)
            os.write(segment.fd, bytes([_DONE]))
        segment.pending -= 1
        self._remove_if_empty(segment)

    def _remove_if_empty(self, segment: Segment) -> None:
        if segment.pending == 0 and segment in self._own:
            if segment is self._current:
                self._current = None
            self._remove(segment)

    def _remove(self, segment: Segment) -> None:
        # Removed before it is unlocked, so that nobody takes it over.
        _unlink(segment.path)
        with contextlib.suppress(OSError):
            os.close(segment.fd)
        if segment in self._own:
            self._own.remove(segment)

    def _segment_paths(self) -> list[Path]:
        try:
            return sorted(Path(entry.path) for entry in os.scandir(self.folder) if entry.name.endswith(_SUFFIX))
        except OSError:
            return []

    def _claim(self, path: Path) -> Segment | None:
        """Opens and locks a segment. None if another process has it or has just removed it."""
        try:
            fd = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
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
        return Segment(path, fd, size=info.st_size, is_sealed=True)

    def _make_room(self, size: int) -> bool:
        """Drops the oldest segments until a record fits. False if other running processes hold all of them."""
        while (total := self._total()) + size > self._bytes_max:
            if not self._drop_oldest():
                return False
            if self._total() >= total:
                return False
        return True

    def _total(self) -> int:
        total = 0
        for path in self._segment_paths():
            with contextlib.suppress(OSError):
                total += path.stat().st_size
        return total

    def _drop_oldest(self) -> bool:
        for path in self._segment_paths():
            segment = next((one for one in self._own if one.path == path), None) or self._claim(path)
            if segment is not None:
                if segment is self._current:
                    self._current = None
                detail = f"{self.folder} has its maximum of {self._bytes_max} bytes, so the oldest are dropped."
                self._drop_segment(segment, _records(segment), SPILL_FULL, detail)
                return True
        return False

    def _drop_segment(self, segment: Segment, records: list[Record], reason: str, detail: str) -> None:
        self._queue = deque(record for record in self._queue if record.segment is not segment)
        self._remove(segment)
        count = sum(record.span_count for record in records)
        if count:
            self._lost.append((count, reason, detail))

    def _report(self) -> None:
        while self._lost:
            self._losses.add(*self._lost.pop())


def _write_at(segment: Segment, data: bytes) -> None:
    """Appends at the known end. What a failed attempt left behind it is written over or cut off."""
    try:
        os.lseek(segment.fd, segment.size, os.SEEK_SET)
        view = memoryview(data)
        while view:
            view = view[os.write(segment.fd, view) :]
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(segment.fd, segment.size)
        raise


def _read_at(record: Record) -> bytes:
    os.lseek(record.segment.fd, record.offset, os.SEEK_SET)
    return os.read(record.segment.fd, _HEADER.size + record.byte_count)


def _records(segment: Segment) -> list[Record]:
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


def _unlink(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
