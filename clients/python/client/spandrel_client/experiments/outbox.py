"""Results on disk before they are posted: one file an experiment, appended and synced, removed when all is posted."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..config.handoff import PREFIXES
from ..exceptions import SpandrelError
from ..frames.values import dump_json
from ..limits import OUTBOX_LINE_BYTES_MAX


def outbox_folder() -> Path:
    """`SPANDREL_OUTBOX_DIR`, or a folder of the user's state."""
    for prefix in PREFIXES:
        if os.environ.get(f"{prefix}OUTBOX_DIR"):
            return Path(os.environ[f"{prefix}OUTBOX_DIR"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "spandrel" / "outbox"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "spandrel" / "outbox"


class Outbox:
    """Records of one experiment. A record is `{"n": number, "kind": "run" | "evaluation", "body": …}`."""

    def __init__(self, base_url: str, experiment_id: str) -> None:
        server = hashlib.sha256(base_url.encode()).hexdigest()[:12]
        name = re.sub(r"[^A-Za-z0-9_-]", "_", experiment_id)[:100]
        self.path = outbox_folder() / server / f"{name}.jsonl"
        self._file: Any = None
        self._lock = threading.Lock()
        self._number = 0
        self._unsent: set[int] = set()
        self._waiting: list[tuple[bytes, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    def open(self) -> list[dict[str, Any]]:
        """Opens the file; returns its records that were not posted. SpandrelError if another process has it open."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = open(self.path, "ab+", opener=lambda path, flags: os.open(path, flags, 0o600))
        except OSError as error:
            warnings.warn(
                f"results are not kept on disk, because {self.path} cannot be written ({error.strerror}); set "
                "SPANDREL_OUTBOX_DIR to a folder that can",
                stacklevel=2,
            )
            return []
        self._claim()
        records, end = _read(self._file)
        # A line that a crash cut off would join the next one.
        self._file.truncate(end)
        self._file.seek(0, 2)
        self._number = max(records, default=0)
        self._unsent = set(records)
        return [records[number] for number in sorted(records)]

    def _claim(self) -> None:
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            self._file = None
            raise SpandrelError("another process runs this experiment; wait for it, or end it") from None

    async def append(self, kind: str, body: dict[str, Any]) -> int:
        """Number of the record, once it is on disk. Records that arrive together share one sync."""
        self._number += 1
        number = self._number
        if self._file is None:
            return number
        line = dump_json({"n": number, "kind": kind, "body": body}) + b"\n"
        if len(line) > OUTBOX_LINE_BYTES_MAX:
            return number
        self._unsent.add(number)
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((line, written))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.ensure_future(self._write())
        await written
        return number

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                await loop.run_in_executor(None, self._sync, b"".join(line for line, _ in batch))
            except OSError as error:
                warnings.warn(f"results are not kept on disk any more: {error.strerror} ({self.path})", stacklevel=2)
                self.close(keep=True)
            for _, written in batch:
                if not written.done():
                    written.set_result(None)

    def _sync(self, data: bytes) -> None:
        with self._lock:
            if self._file is not None:
                self._file.write(data)
                self._file.flush()
                os.fsync(self._file.fileno())

    def sent(self, numbers: list[int]) -> None:
        """Marks records as posted. The mark needs no sync: a record that is posted again changes nothing."""
        with self._lock:
            self._unsent.difference_update(numbers)
            if self._file is not None:
                self._file.write(json.dumps({"sent": numbers}).encode() + b"\n")
                self._file.flush()

    def close(self, keep: bool = False) -> None:
        """Removes the file if all its records were posted."""
        with self._lock:
            if self._file is None:
                return
            if not self._unsent and not keep:
                self.path.unlink(missing_ok=True)
            # On a full disk the last lines cannot be written here either.
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None

    @property
    def unsent_count(self) -> int:
        return len(self._unsent)


def _read(file: Any) -> tuple[dict[int, dict[str, Any]], int]:
    """Records that were not posted, by number, and where the last whole line ends."""
    file.seek(0)
    records: dict[int, dict[str, Any]] = {}
    end = 0
    for line in _lines(file):
        try:
            record = json.loads(line)
        except ValueError:
            break
        end += len(line)
        if "sent" in record:
            for number in record["sent"]:
                records.pop(number, None)
        elif record.get("kind") in ("run", "evaluation"):
            records[record["n"]] = record
    return records, end


def _lines(file: Any) -> Iterator[bytes]:
    while line := file.readline(OUTBOX_LINE_BYTES_MAX + 1):
        if not line.endswith(b"\n"):
            return
        yield line
