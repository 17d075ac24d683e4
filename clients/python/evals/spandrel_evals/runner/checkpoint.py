"""Checkpoint: a file to which each result is appended before it counts, so that a killed run goes on.

The first line names the evaluators; each other line is one result, or a batch that a vendor has accepted. Lines survive the end of
the process at once, and a power failure after the next fsync, which follows within half a second. A failed result is asked again
when the run goes on.
"""

from __future__ import annotations

import array
import errno
import hashlib
import json
import os
import re
import threading
import time
import warnings
from pathlib import Path
from typing import Any

from ..errors import CheckpointError, InputError, quote
from ..json_values import canonical_json, dump_json
from ..limits import CHECKPOINT_SYNC_COUNT, CHECKPOINT_SYNC_SECONDS
from .results import FAILED, EvaluatorResult

_FORMAT = 2
_START = re.compile(rb'\{"s":(\d{1,9}),"f":([01]),')


class Checkpoint:
    """Results by slot, which is the number of a row, a repetition and an evaluator."""

    def __init__(self, path: Any, identity: dict[str, Any]) -> None:
        self.path = Path(path)
        self._offsets = array.array("q")
        # Batches by the requests in them that have no result yet, and these requests by their slot.
        self._batches: dict[str, str] = {}
        self._requests: dict[int, list[str]] = {}
        # Lines that cannot be read, such as after a power failure. Their results are asked again.
        self.damaged = 0
        self._unsynced = 0
        self._synced_at = time.monotonic()
        self._sync_lock = threading.Lock()
        self._is_closed = False
        self.results = 0
        text = dump_json({"spandrel_checkpoint": _FORMAT, **identity})
        try:
            self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise CheckpointError(f"the checkpoint {self.path} cannot be opened: {error.strerror}") from None
        try:
            _lock(self._fd, self.path)
            if os.fstat(self._fd).st_size == 0:
                self._append(text.encode() + b"\n")
            else:
                self._read(json.loads(text))
        except BaseException:
            os.close(self._fd)
            raise

    def _read(self, identity: dict[str, Any]) -> None:
        position = 0
        with open(os.dup(self._fd), "rb") as file:
            file.seek(0)
            first = file.readline()
            self._check(first, identity)
            position = len(first)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._read_line(line, position)
                position += len(line)
        # What was written when the process ended may be half a line.
        os.ftruncate(self._fd, position)
        if self.damaged:
            warnings.warn(f"the checkpoint {self.path} has {self.damaged} lines that cannot be read; their results are asked again", stacklevel=2)

    def _read_line(self, line: bytes, position: int) -> None:
        if line.startswith(b'{"b":'):
            try:
                found = json.loads(line)
                self._add_batch(found["b"], found["r"])
            except (ValueError, KeyError, TypeError):
                self.damaged += 1
            return
        slot, is_failed = _slot_of(line)
        if slot is None:
            self.damaged += 1
            return
        self._drop_requests(slot)
        if not is_failed:
            self._set(slot, position)

    def _check(self, line: bytes, identity: dict[str, Any]) -> None:
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("spandrel_checkpoint") != _FORMAT:
            raise CheckpointError(f"{self.path} is no checkpoint; give another path, or delete the file")
        for key, value in identity.items():
            if found.get(key) != value:
                raise CheckpointError(
                    f"the checkpoint {self.path} belongs to a run with other {key.replace('_', ' ')} "
                    f"({_difference(found.get(key), value)}); give another path, or delete the file"
                )

    def _set(self, slot: int, position: int) -> None:
        missing = slot + 1 - len(self._offsets)
        if missing > 0:
            self._offsets.extend([0] * missing)
        self.results += self._offsets[slot] == 0
        self._offsets[slot] = position

    def find(self, slot: int, row_digest: str) -> EvaluatorResult | None:
        """The stored result. CheckpointError if the row is another one now."""
        if slot >= len(self._offsets) or not self._offsets[slot]:
            return None
        try:
            found = json.loads(_read_line(self._fd, self._offsets[slot]))
            result = EvaluatorResult.of_json(found["r"])
        except (ValueError, KeyError, TypeError):
            return None
        if found.get("h") != row_digest:
            raise CheckpointError(
                f"the checkpoint {self.path} belongs to other data: row {found.get('i')} differs; give another path, or delete the file"
            )
        return result

    def store(self, slot: int, index: int, row_digest: str, result: EvaluatorResult) -> None:
        """Appends a result. CheckpointError if the disk does not take it."""
        fields = {"s": slot, "f": int(result.status == FAILED), "i": index, "h": row_digest, "r": result.to_json()}
        self._append(dump_json(fields).encode("utf-8", "backslashreplace") + b"\n")
        self._drop_requests(slot)
        self._unsynced += 1

    # Batches

    def store_batch(self, name: str, requests: list[str]) -> None:
        """Appends a batch that the vendor has accepted. Its requests are `<slot>-<digest>`."""
        self._append(dump_json({"b": name, "r": requests}).encode("utf-8", "backslashreplace") + b"\n")
        self._add_batch(name, requests)

    def find_batch(self, request: str) -> str | None:
        """The batch in which an earlier run has sent the request, if its answer has no result yet."""
        return self._batches.get(request)

    def _add_batch(self, name: str, requests: list[str]) -> None:
        for request in requests:
            self._batches[request] = str(name)
            self._requests.setdefault(int(request.partition("-")[0]), []).append(request)

    def _drop_requests(self, slot: int) -> None:
        for request in self._requests.pop(slot, ()):
            self._batches.pop(request, None)

    def _append(self, data: bytes) -> None:
        try:
            written = os.write(self._fd, data)
            if written < len(data):
                # Half a line would make the next one unreadable, if there is a next one.
                os.ftruncate(self._fd, os.fstat(self._fd).st_size - written)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise CheckpointError(
                f"the checkpoint {self.path} cannot be written: {error.strerror}; free space and start again, the run goes on"
            ) from None

    def wants_sync(self) -> bool:
        if not self._unsynced:
            return False
        return self._unsynced >= CHECKPOINT_SYNC_COUNT or time.monotonic() - self._synced_at > CHECKPOINT_SYNC_SECONDS

    def sync(self) -> None:
        """Waits until the disk has everything. Called in a thread."""
        self._unsynced = 0
        self._synced_at = time.monotonic()
        with self._sync_lock:
            if not self._is_closed:
                os.fsync(self._fd)

    def close(self) -> None:
        """Waits for a sync in another thread, which would hold the lock of the file longer than this."""
        with self._sync_lock:
            self._is_closed = True
            try:
                os.fsync(self._fd)
            finally:
                os.close(self._fd)


def digest_of_row(row: dict[str, Any]) -> str:
    try:
        text = canonical_json(row)
    except (InputError, RecursionError):
        # A row that is nested too deeply fails in its evaluators, and is asked again.
        text = "unreadable"
    return hashlib.blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()


def _slot_of(line: bytes) -> tuple[int | None, bool]:
    """Slot and failure from the start of a line, which is `{"s":1,"f":0,`."""
    found = _START.match(line)
    return (int(found.group(1)), found.group(2) == b"1") if found else (None, False)


def _read_line(fd: int, offset: int) -> bytes:
    parts = bytearray()
    while True:
        chunk = os.pread(fd, 4096, offset + len(parts))
        end = chunk.find(b"\n")
        if end >= 0 or not chunk:
            return bytes(parts + chunk[: end if end >= 0 else len(chunk)])
        parts += chunk


def _difference(stored: Any, now: Any) -> str:
    def named(value: Any) -> str:
        if isinstance(value, list):
            return ", ".join(str(one.get("name", one)) if isinstance(one, dict) else str(one) for one in value)
        return str(value)

    if named(stored) == named(now):
        return f"{quote(named(now))} with another prompt, model or code"
    return f"{quote(named(stored))}, now {quote(named(now))}"


def _lock(fd: int, path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows: two runs at a time are not detected there.
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise CheckpointError(f"another run writes the checkpoint {path}; wait for it, or give another path") from None
