"""Cache of answers in SQLite, by the whole request."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
import warnings
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..json_values import dump_json
from ..llm.contract import ModelReply, ModelRequest, Usage
from .request_key import RequestKeys

# Answers that are written together, and seconds that one waits for others.
_WRITE_COUNT = 200
_WRITE_SECONDS = 0.5
# Answers that wait in memory while the file cannot be written.
_WAITING_MAX = 20_000
# Seconds that a write waits for another process; requests wait too.
_BUSY_SECONDS = 5.0
_FIELDS = ("text", "data", "logprobs", "model", "stop_reason")


class Cache:
    """Answers of models. The key is provider, address, model, messages, parameters, schema and repetition.

    `max_age_seconds` leaves older answers out. A file may serve several processes. A file that fails later costs requests, not
    results: a warning says so once.
    """

    def __init__(self, path: Any, *, max_age_seconds: float | None = None) -> None:
        self.path = Path(path)
        self._max_age = max_age_seconds
        self._lock = threading.Lock()
        self._waiting: dict[bytes, tuple[str, float]] = {}
        self._next_count = _WRITE_COUNT
        self._written_at = time.monotonic()
        self._keys = RequestKeys()
        self._has_warned = False
        self.hits = 0
        try:
            new = not self.path.exists()
            self._db = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None, timeout=_BUSY_SECONDS)
            if new:
                os.chmod(self.path, 0o600)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute("CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, reply TEXT NOT NULL, at REAL NOT NULL) WITHOUT ROWID")
        except (sqlite3.Error, OSError) as error:
            raise InputError(f"the cache {self.path} cannot be opened: {error}; give another path, or delete the file") from None

    def key(self, llm: Any, request: ModelRequest, repetition: int) -> bytes:
        return self._keys.of(llm, request, repetition)

    def find(self, key: bytes) -> ModelReply | None:
        try:
            with self._lock:
                found = self._waiting.get(key) or self._db.execute("SELECT reply, at FROM answers WHERE key = ?", (key,)).fetchone()
            if found is None or (self._max_age is not None and time.time() - found[1] > self._max_age):
                return None
            stored = json.loads(found[0])
            usage = stored.pop("usage", None)
            reply = ModelReply(**stored, usage=Usage(*usage) if usage else None)
        except (sqlite3.Error, ValueError, TypeError, AttributeError) as error:
            self._warn(f"cannot be read ({error})")
            return None
        self.hits += 1
        return reply

    def store(self, key: bytes, reply: ModelReply) -> None:
        usage = reply.usage
        kept = {name: value for name in _FIELDS if (value := getattr(reply, name)) is not None}
        if usage is not None:
            kept["usage"] = [usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens]
        text = dump_json(kept).encode("utf-8", "backslashreplace").decode()
        with self._lock:
            self._waiting[key] = (text, time.time())
            if len(self._waiting) >= self._next_count or time.monotonic() - self._written_at > _WRITE_SECONDS:
                self._write()

    def _write(self) -> None:
        self._written_at = time.monotonic()
        if not self._waiting:
            return
        rows = [(key, reply, at) for key, (reply, at) in self._waiting.items()]
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._warn(f"cannot be written ({error})")
            if len(self._waiting) > _WAITING_MAX:
                self._waiting.clear()
            # A file that is locked or on a full disk is not tried for each answer.
            self._next_count = len(self._waiting) + _WRITE_COUNT
            self._written_at += _BUSY_SECONDS
            return
        self._waiting.clear()
        self._next_count = _WRITE_COUNT

    def _warn(self, what: str) -> None:
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(f"the cache {self.path} {what}; the run goes on, and asks models for what it lacks", stacklevel=2)

    def flush(self) -> None:
        """Writes what waits."""
        with self._lock:
            self._write()

    def close(self) -> None:
        self.flush()
        self._db.close()


def open_cache(given: Any) -> Cache | None:
    return given if given is None or isinstance(given, Cache) else Cache(given)
