"""Cache of answers in SQLite, by the whole request."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..json_values import canonical_json, dump_json
from ..llm.contract import ModelReply, ModelRequest, Usage

# Answers that are written together, and seconds that one waits for others.
_WRITE_COUNT = 200
_WRITE_SECONDS = 0.5
_PREFIX_COUNT_MAX = 256


class Cache:
    """Answers of models. The key is provider, address, model, messages, parameters, schema and repetition.

    `max_age_seconds` leaves older answers out. A file may serve several processes.
    """

    def __init__(self, path: Any, *, max_age_seconds: float | None = None) -> None:
        self.path = Path(path)
        self._max_age = max_age_seconds
        self._lock = threading.Lock()
        self._waiting: dict[bytes, tuple[str, float]] = {}
        self._written_at = time.monotonic()
        self._prefixes: dict[Any, tuple[Any, bytes]] = {}
        self.hits = 0
        try:
            new = not self.path.exists()
            self._db = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None, timeout=30)
            if new:
                os.chmod(self.path, 0o600)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute("CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, reply TEXT NOT NULL, at REAL NOT NULL) WITHOUT ROWID")
        except sqlite3.Error as error:
            raise InputError(f"the cache {self.path} cannot be opened: {error}; give another path, or delete the file") from None

    def key(self, llm: Any, request: ModelRequest, repetition: int) -> bytes:
        named = (*llm.identity(), id(request.schema), request.mode, request.logprobs, repr(request.parameters), repetition)
        known = self._prefixes.get(named)
        if known is None:
            if len(self._prefixes) >= _PREFIX_COUNT_MAX:
                self._prefixes.clear()
            parts = [llm.identity(), request.schema, request.mode, request.logprobs, dict(request.parameters), repetition]
            # The schema is kept, so that its id is not given to another one.
            known = self._prefixes[named] = (request.schema, hashlib.sha256(canonical_json(parts).encode()).digest())
        digest = hashlib.sha256(known[1])
        digest.update(dump_json(request.messages).encode("utf-8", "replace"))
        return digest.digest()

    def find(self, key: bytes) -> ModelReply | None:
        with self._lock:
            found = self._waiting.get(key) or self._db.execute("SELECT reply, at FROM answers WHERE key = ?", (key,)).fetchone()
        if found is None or (self._max_age is not None and time.time() - found[1] > self._max_age):
            return None
        self.hits += 1
        stored = json.loads(found[0])
        usage = stored.pop("usage", None)
        return ModelReply(**stored, usage=Usage(*usage) if usage else None)

    def store(self, key: bytes, reply: ModelReply) -> None:
        usage = reply.usage
        stored = {"text": reply.text, "data": reply.data, "logprobs": reply.logprobs, "model": reply.model, "stop_reason": reply.stop_reason}
        kept = {name: value for name, value in stored.items() if value is not None}
        if usage is not None:
            kept["usage"] = [usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens]
        with self._lock:
            self._waiting[key] = (dump_json(kept), time.time())
            if len(self._waiting) >= _WRITE_COUNT or time.monotonic() - self._written_at > _WRITE_SECONDS:
                self._write()

    def _write(self) -> None:
        rows = [(key, reply, at) for key, (reply, at) in self._waiting.items()]
        self._written_at = time.monotonic()
        if not rows:
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.Error:
            # A cache that cannot be written costs money, not results; the answers stay in memory for this run.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if len(self._waiting) > 100 * _WRITE_COUNT:
                self._waiting.clear()
            return
        self._waiting.clear()

    def flush(self) -> None:
        """Writes what waits."""
        with self._lock:
            self._write()

    def close(self) -> None:
        self.flush()
        self._db.close()


def open_cache(given: Any) -> Cache | None:
    return given if given is None or isinstance(given, Cache) else Cache(given)
