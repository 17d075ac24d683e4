"""Results of tests that the server did not take: files in the outbox, which the next run posts."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..experiments.outbox import outbox_folder
from ..frames.values import dump_json

_SUFFIX = ".tests.jsonl"
# Later, their experiments are hardly of interest, and a server that is gone must not fill the disk.
_AGE_SECONDS_MAX = 7 * 86_400.0


def keep_results(base_url: str, results: Sequence[dict[str, Any]]) -> Path | None:
    """Writes results, one a line. None if the disk does not take them."""
    path = _folder() / f"{time.time_ns():020d}-{os.getpid()}-{secrets.token_hex(4)}{_SUFFIX}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            for result in results:
                file.write(dump_json({"base_url": base_url, **result}) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        return None
    return path


def find_results(base_url: str) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """Files for a server that earlier runs have kept, with their results. Posting twice changes nothing, so a file is removed
    after its results are posted or kept again."""
    try:
        paths = sorted(path for path in _folder().iterdir() if path.name.endswith(_SUFFIX))
    except OSError:
        return
    for path in paths:
        with contextlib.suppress(OSError, ValueError):
            if time.time() - path.stat().st_mtime > _AGE_SECONDS_MAX:
                path.unlink()
                continue
            # A line that a crash cut off is left out.
            found = [json.loads(line) for line in path.read_bytes().splitlines() if line.endswith(b"}")]
            if all(one.get("base_url") == base_url for one in found):
                yield path, found


def _folder() -> Path:
    return outbox_folder() / "tests"
