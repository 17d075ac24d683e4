"""Files that the server writes while it sends them, and files that are sent to it."""

from __future__ import annotations

import contextlib
import io
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Union

from ..exceptions import UnexpectedAnswer
from ..limits import DOWNLOAD_CHUNK_BYTES
from .calls import Call, Steps
from .retry import Transport

Target = Union[str, "os.PathLike[str]", BinaryIO]


def download(transport: Transport, call: Call, target: Target) -> Steps[int]:
    """Writes the body of an answer to a path, or to a binary file that is open. Returns the number of bytes.

    A path has the file once it is complete: a broken connection leaves what was there before.
    """
    if isinstance(target, io.TextIOBase) or not (hasattr(target, "write") or isinstance(target, (str, os.PathLike))):
        raise TypeError(f"file is {type(target).__name__}; expected a path or a file that is open in binary mode")
    name = f"{call.method} {call.path}"
    return (yield from transport.read(call, lambda headers, source: _save(headers, source, target, name)))


def _save(headers: Mapping[str, str], source: BinaryIO, target: Any, name: str) -> int:
    if hasattr(target, "write"):
        return _copy(headers, source, target, name)
    path = Path(target)
    incomplete = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        with open(incomplete, "wb") as file:
            count = _copy(headers, source, file, name)
        os.replace(incomplete, path)
    except OSError as error:
        raise OSError(error.errno, f"expected to write {path}, got: {error.strerror}; choose another path, or make room") from None
    finally:
        with contextlib.suppress(OSError):
            incomplete.unlink()
    return count


def _copy(headers: Mapping[str, str], source: BinaryIO, target: Any, name: str) -> int:
    count = 0
    while chunk := source.read(DOWNLOAD_CHUNK_BYTES):
        target.write(chunk)
        count += len(chunk)
    expected = headers.get("x-file-bytes")
    if expected is not None and int(expected) != count:
        raise UnexpectedAnswer(f"{name}: expected a file of {expected} bytes, got {count}; try again")
    return count


def upload(call: Call, path: str | os.PathLike[str], content_type: str) -> Call:
    """The call with a file as its body, which is read while it is sent. A name that ends with .gz means gzip."""
    size = os.stat(path).st_size
    headers = {**call.headers, "content-type": content_type, "content-length": str(size)}
    if os.fspath(path).endswith(".gz"):
        headers["content-encoding"] = "gzip"
    return Call(
        call.method,
        call.path,
        params=call.params,
        content=lambda: open(path, "rb"),  # noqa: SIM115 - closed when it was sent
        headers=headers,
        timeout=call.timeout,
        creates=call.creates,
        is_repeatable=call.is_repeatable,
    )
