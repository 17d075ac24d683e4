"""The fake model over HTTP, in the forms of OpenAI, Anthropic, Google and Bedrock."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from typing import Any

from . import batches, wire
from .model import FakeModel, _size

_HEAD_BYTES_MAX = 64 * 1024
_BODY_BYTES_MAX = 256 * 1024 * 1024
_REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests", 500: "Internal Server Error"}


class FakeModelServer:
    """Serves a FakeModel on a free port of this machine, in a thread of its own. A context manager."""

    def __init__(self, model: FakeModel | None = None, *, host: str = "127.0.0.1", port: int = 0) -> None:
        self.model = model or FakeModel()
        self._host = host
        self.port = port
        self._batches = batches.Batches(self.model)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fake-model", daemon=True)
        self._error: BaseException | None = None
        self._stop: asyncio.Event | None = None

    @property
    def url(self) -> str:
        """The address without a path; OpenAI's clients want `url + "/v1"`."""
        return f"http://{self._host}:{self.port}"

    def start(self) -> FakeModelServer:
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            raise self._error
        return self

    def close(self) -> None:
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(5)

    def __enter__(self) -> FakeModelServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            self._error = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._connect, self._host, self.port, limit=_HEAD_BYTES_MAX, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
            while await self._answer(reader, writer):
                pass
        writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answers one request. False when the connection ends."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *lines = head.rstrip("\r\n").split("\r\n")
        method, target, _ = line.split(" ", 2)
        headers = {name.strip().lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)}
        body = await _read_body(reader, headers)
        path = target.partition("?")[0]
        outcome = None
        model = self.model
        route = wire.find_route(method, path)
        if route is None:
            status, answer = self._other(method, path, headers, body)
        elif not _is_key(model.api_key, headers):
            model.count("unauthorized")
            status, answer = 401, route.error(401, "Incorrect API key provided")
        else:
            status, answer, outcome = await self._complete(route, path, body)
        extra = dict(model.conditions.headers()) if route is not None else {}
        if outcome is not None and outcome.kind == "refused":
            extra["retry-after"] = f"{outcome.retry_after:.3f}"
        content = answer if isinstance(answer, bytes) else json.dumps(answer, separators=(",", ":")).encode()
        length = len(content)
        if outcome is not None and outcome.kind == "endless":
            return await _stream_endlessly(writer)
        if outcome is not None and outcome.kind == "half":
            content = content[: length // 2]
        named = "".join(f"{name}: {value}\r\n" for name, value in extra.items())
        writer.write(
            f"HTTP/1.1 {status} {_REASONS.get(status, 'Status')}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{named}\r\n".encode()
            + content
        )
        await writer.drain()
        return not (outcome is not None and outcome.kind == "half") and headers.get("connection", "").lower() != "close"

    async def _complete(self, route: wire.Route, path: str, body: bytes) -> tuple[int, Any, Any]:
        model = self.model
        try:
            data = json.loads(body)
            request = route.read(data)
        except (ValueError, KeyError, TypeError) as error:
            model.count("invalid")
            return 400, route.error(400, f"the request cannot be read: {error}"), None
        if request.schema is not None and request.mode in ("schema", "tool") and request.mode not in model.supports:
            model.count("unsupported")
            word = "response_format json_schema" if request.mode == "schema" else "tool calling"
            return 400, route.error(400, f"{word} is not supported by this model"), None
        outcome = model.conditions.next(_size(request))
        model.enter()
        try:
            if outcome.kind == "refused":
                model.count("refused")
                return 429, route.error(429, "Rate limit reached"), outcome
            if outcome.kind == "hang":
                model.count("hang")
                await asyncio.sleep(3_600)
            if outcome.delay:
                await asyncio.sleep(outcome.delay)
            if outcome.kind == "failed":
                model.count("failed")
                return 500, route.error(500, "The server had an error"), outcome
            if outcome.kind in ("half", "endless"):
                model.count(outcome.kind)
                return 200, {"half": "x" * 200}, outcome
            return 200, route.write(model.decide(request), request, route.model_of(data, path)), outcome
        finally:
            model.leave()

    def _other(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        if path == "/counts":
            return 200, self.model.counts()
        if path == "/v1/models" and method == "GET":
            if not _is_key(self.model.api_key, headers):
                return 401, wire.error_openai(401, "Incorrect API key provided")
            return 200, {"object": "list", "data": [], "has_more": False}
        if path == "/reset" and method == "POST":
            self.model.reset()
            return 200, {}
        found = self._batches.answer(method, path, headers, body)
        return found if found is not None else (404, {"error": {"message": f"there is no {method} {path}"}})


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() == "chunked":
        parts = bytearray()
        while True:
            size = int((await reader.readuntil(b"\r\n")).split(b";")[0], 16)
            parts += (await reader.readexactly(size + 2))[:-2]
            if not size or len(parts) > _BODY_BYTES_MAX:
                return bytes(parts)
    length = int(headers.get("content-length") or 0)
    return await reader.readexactly(min(length, _BODY_BYTES_MAX)) if length else b""


def _is_key(key: str | None, headers: dict[str, str]) -> bool:
    if key is None:
        return True
    given = headers.get("authorization", "").removeprefix("Bearer ")
    return key in (given, headers.get("x-api-key"), headers.get("api-key"), headers.get("x-goog-api-key"))


async def _stream_endlessly(writer: asyncio.StreamWriter) -> bool:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
    chunk = b" " * 1024
    while True:
        writer.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
        await writer.drain()
        await asyncio.sleep(0.01)
