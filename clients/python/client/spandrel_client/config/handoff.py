"""The hand-off file: settings that a server leaves for the clients of a directory."""

from __future__ import annotations

import os
import stat
import warnings
from pathlib import Path

from ..limits import HANDOFF_DEPTH_MAX, HANDOFF_FILE_BYTES_MAX

PREFIXES = ("SPANDREL_", "PHOENIX_")
FILE_NAMES = (".env.spandrel", ".env.phoenix")
_OFF = {"false", "0", "no", "off"}
_cache: dict[str, dict[str, str]] = {}


def read_handoff_file() -> dict[str, str]:
    """Settings of the nearest hand-off file above the working directory; empty without one. Cached per directory."""
    for prefix in PREFIXES:
        if os.environ.get(f"{prefix}DISCOVER_CONFIG", "").strip().lower() in _OFF:
            return {}
    try:
        directory = os.getcwd()
    except OSError:
        return {}
    if directory not in _cache:
        path = _find(Path(directory))
        _cache[directory] = {} if path is None else _read(path)
    return _cache[directory]


def _find(directory: Path) -> Path | None:
    for folder in [directory, *directory.parents][:HANDOFF_DEPTH_MAX]:
        for name in FILE_NAMES:
            path = folder / name
            try:
                if stat.S_ISREG(path.stat().st_mode):
                    return path
            except OSError:
                continue
    return None


def _read(path: Path) -> dict[str, str]:
    try:
        info = path.stat()
        if hasattr(os, "getuid") and info.st_uid != os.getuid():
            warnings.warn(f"{path} is ignored: it belongs to another user", stacklevel=4)
            return {}
        if info.st_size > HANDOFF_FILE_BYTES_MAX:
            warnings.warn(f"{path} is ignored: it has more than {HANDOFF_FILE_BYTES_MAX} bytes", stacklevel=4)
            return {}
        if hasattr(os, "getuid") and info.st_mode & 0o077:
            warnings.warn(f"{path} is readable by other users; run: chmod 600 {path}", stacklevel=4)
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        warnings.warn(f"{path} is ignored: {error.strerror}", stacklevel=4)
        return {}
    return parse_handoff(text)


def parse_handoff(text: str) -> dict[str, str]:
    """Settings with one of the prefixes. Values are taken as they are, without expansion."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("export "):
            line = line[len("export ") :].lstrip()
        name, equals, value = line.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or name.startswith("#") or not name.startswith(PREFIXES):
            continue
        if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        if value.strip():
            found[name] = value.strip()
    return found
