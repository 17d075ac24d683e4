"""Checkpoint: a file to which each result is appended before it counts, so that a killed run goes on.

The first line names the evaluators; each other line is one result. Results survive the end of the process at once, and a
power failure after the next fsync, which follows within half a second. A failed result is asked again when the run goes on.
"""

from __future__ import annotations

import array
import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

from ..errors import CheckpointError, quote
from ..json_values import canonical_json, dump_json
from ..limits import CHECKPOINT_SYNC_COUNT, CHECKPOINT_SYNC_SECONDS
from .results import FAILED, EvaluatorResult

_FORMAT = 1


class Checkpoint:
    """Results by slot, which is the number of a row, a repetition and an evaluator."""

    def __init__(self, path: Any, identity: dict[str, Any]) -> None:
        self.path = Path(path)
        self._offsets = array.array("q")
        self._unsynced = 0
        self._synced_at = time.monotonic()
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
                slot, is_failed = _slot_of(line)
                if slot is None:
                    break
                if not is_failed:
                    self._set(slot, position)
                position += len(line)
        # What was written when the process ended may be half a line.
        os.ftruncate(self._fd, position)

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

    def find(self, slot: int, row: dict[str, Any]) -> EvaluatorResult | None:
        """The stored result. CheckpointError if the row is another one now."""
        if slot >= len(self._offsets) or not self._offsets[slot]:
            return None
        line = _read_line(self._fd, self._offsets[slot])
        found = json.loads(line)
        if found["h"] != row_hash(row):
            raise CheckpointError(
                f"the checkpoint {self.path} belongs to other data: row {found.get('i')} differs; give another path, or delete the file"
            )
        return EvaluatorResult.of_json(found["r"])

    def store(self, slot: int, index: int, row: dict[str, Any], result: EvaluatorResult) -> None:
        """Appends a result. CheckpointError if the disk does not take it."""
        fields = {"s": slot, "f": int(result.status == FAILED), "i": index, "h": row_hash(row), "r": result.to_json()}
        self._append(dump_json(fields).encode("utf-8", "replace") + b"\n")
        self._unsynced += 1

    def _append(self, data: bytes) -> None:
        try:
            written = os.write(self._fd, data)
            if written < len(data):
                raise OSError(28, "No space left on device")
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
        os.fsync(self._fd)

    def close(self) -> None:
        try:
            os.fsync(self._fd)
        finally:
            os.close(self._fd)


def row_hash(row: dict[str, Any]) -> str:
    return hashlib.blake2b(canonical_json(row).encode("utf-8", "replace"), digest_size=8).hexdigest()


def _slot_of(line: bytes) -> tuple[int | None, bool]:
    """Slot and failure from the start of a line, which is `{"s":1,"f":0,`."""
    if not line.startswith(b'{"s":'):
        return None, False
    end = line.find(b",", 5)
    return int(line[5:end]), line[end + 5 : end + 6] == b"1"


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
