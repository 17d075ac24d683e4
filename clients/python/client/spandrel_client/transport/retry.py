"""Sends calls: builds the request, repeats it where that is safe, and turns failures into exceptions."""

from __future__ import annotations

import email.utils
import random
import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Callable

import httpx

from .. import limits
from ..frames.values import dump_json
from .answers import connection_error, is_page, status_error, to_json, unexpected
from .calls import Call, ClientDefault, Read, Send, Sleep, Steps, query
from .server import ServerIdentity

RETRIED_STATUSES = frozenset({429, 502, 503, 504})
# A call with one of these answers was not carried out.
_NOT_DONE = frozenset({429, 503})
# A generator of its own: the program's global one is left as it is.
_random = random.SystemRandom()


@dataclass
class Transport:
    """How calls of one client are sent. Shared by all of its resources."""

    build: Callable[..., httpx.Request]
    base_url: str
    secrets: tuple[str, ...] = ()
    server: ServerIdentity = field(default_factory=ServerIdentity)
    closed: threading.Event = field(default_factory=threading.Event)
    attempt_count: int = limits.ATTEMPT_COUNT_MAX
    attempt_seconds: float = limits.ATTEMPT_SECONDS_MAX

    def send(self, call: Call) -> Steps[httpx.Response]:
        """Sends a call; returns its answer, of status 200 to 299, with its body."""
        return (yield from self._attempts(call, is_stream=False))

    def read(self, call: Call, reader: Callable[[httpx.Headers, BinaryIO], Any]) -> Steps[Any]:
        """Sends a call and gives the body of its answer as a file to the reader, without holding it whole."""
        response: httpx.Response = yield from self._attempts(call, is_stream=True)
        try:
            return (yield Read(response, lambda file: reader(response.headers, file)))
        except httpx.TransportError as error:
            raise connection_error(error, response.request, 1) from None

    def json(self, call: Call) -> Steps[Any]:
        """Sends a call; returns the JSON value of its answer."""
        return to_json((yield from self.send(call)))

    def identify(self) -> Steps[ServerIdentity]:
        """Make and version of the server; asks for them unless an answer has told."""
        if not self.server.is_known:
            response = yield from self.send(Call("GET", "arize_phoenix_version"))
            if not self.server.is_known:
                self.server.compatible_version = response.text.strip()
                self.server.is_known = True
        return self.server

    def require(self, capability: str, version: str) -> Steps[None]:
        """Raises ServerTooOld unless the server has a capability. A server of ours is never asked."""
        (yield from self.identify()).require(capability, version)

    def _attempts(self, call: Call, is_stream: bool) -> Steps[httpx.Response]:
        headers = dict(call.headers)
        if call.creates:
            headers["idempotency-key"] = uuid.uuid4().hex
        deadline = time.monotonic() + self.attempt_seconds
        attempt = 0
        while True:
            attempt += 1
            is_running = False
            request = self._request(call, headers)
            try:
                response: httpx.Response = yield Send(request, is_stream)
            except httpx.TransportError as error:
                failure: Exception = connection_error(error, request, attempt)
                wanted = None
                may_repeat = not isinstance(error, _LATE) and (
                    isinstance(error, _NOT_SENT) or (yield from self._repeats(call))
                )
            else:
                self.server.learn(response.headers)
                if response.status_code < 300:
                    if not is_stream and is_page(response):
                        raise unexpected(response)
                    return response
                if is_stream:
                    response = yield Read(response, _Reread(response))
                failure = status_error(response, self.secrets)
                wanted = _retry_after(response)
                is_running = response.headers.get("x-spandrel-error-code") == _RUNNING
                may_repeat = is_running or response.status_code in _NOT_DONE or (
                    response.status_code in RETRIED_STATUSES and (yield from self._repeats(call))
                )
            delay = wanted if wanted is not None else _jitter(attempt)
            out_of_time = time.monotonic() + delay > deadline
            # The server still carries out an earlier attempt, however often one asks.
            is_last = attempt >= self.attempt_count and not is_running
            if not may_repeat or is_last or out_of_time or self.closed.is_set():
                raise failure from None
            yield Sleep(delay)

    def _repeats(self, call: Call) -> Steps[bool]:
        """Whether a call may be repeated although it was perhaps carried out."""
        if call.repeats_safely:
            return True
        if not call.creates:
            return False
        if not self.server.is_known:
            try:
                response: httpx.Response = yield Send(self._request(Call("GET", "arize_phoenix_version"), {}))
            except httpx.TransportError:
                return False
            self.server.learn(response.headers)
        # A server of another make ignores the key and would create a second thing.
        return self.server.is_ours

    def _request(self, call: Call, headers: dict[str, str]) -> httpx.Request:
        options: dict[str, Any] = {"params": query(call.params), "headers": headers}
        if call.json is not None:
            options["content"] = dump_json(call.json)
            headers.setdefault("content-type", "application/json")
        if not isinstance(call.timeout, ClientDefault):
            options["timeout"] = _timeout(call.timeout)
        request = self.build(call.method, call.path, **options)
        if call.content is not None:
            request.stream = _Upload(call.content)
        return request


class _Upload(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Body from a file, in chunks, for both kinds of clients."""

    def __init__(self, open_file: Callable[[], BinaryIO]) -> None:
        self._open = open_file

    def __iter__(self):  # type: ignore[no-untyped-def]
        with self._open() as file:
            while chunk := file.read(limits.UPLOAD_CHUNK_BYTES):
                yield chunk

    async def __aiter__(self):  # type: ignore[no-untyped-def]
        for chunk in self:
            yield chunk


class _Reread:
    """Reads the body of an error, which a stream has not read yet, into a response that has it."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    def __call__(self, file: BinaryIO) -> httpx.Response:
        old = self._response
        headers = [(name, value) for name, value in old.headers.multi_items() if name.lower() not in _BODY_HEADERS]
        return httpx.Response(old.status_code, headers=headers, content=file.read(1 << 20), request=old.request)


_BODY_HEADERS = ("content-encoding", "content-length", "transfer-encoding")
# Code of an answer to a repeated creation whose first attempt has no answer yet.
_RUNNING = "IDEMPOTENT_REQUEST_RUNNING"
# The request did not reach the server.
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
# The server works on it; a repetition would only add work.
_LATE = (httpx.ReadTimeout, httpx.WriteTimeout, httpx.UnsupportedProtocol)


def _timeout(seconds: float | None) -> httpx.Timeout:
    """A timeout between bytes. Connecting takes no longer than usual."""
    if seconds is None:
        return httpx.Timeout(None)
    return httpx.Timeout(seconds, connect=min(seconds, limits.CONNECT_SECONDS))


def _jitter(attempt: int) -> float:
    return _random.uniform(0, min(limits.RETRY_DELAY_SECONDS_MAX, limits.RETRY_BASE_SECONDS * 2**attempt))


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds that the server asks for, as a number or as a date."""
    value = response.headers.get("retry-after", "").strip()
    if not value:
        return None
    if value.isdigit():
        return float(value)
    try:
        moment = email.utils.parsedate_to_datetime(value)
        now = email.utils.parsedate_to_datetime(response.headers["date"]) if "date" in response.headers else None
    except (ValueError, TypeError):
        return None
    # The server's own clock, because this machine's may be a day off.
    return max(0.0, (moment - now).total_seconds()) if now else max(0.0, moment.timestamp() - time.time())
