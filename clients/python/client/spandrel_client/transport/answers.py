"""Answers of a server as values, and its errors as exceptions of one line."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx

from ..exceptions import (
    AccessError,
    AuthenticationError,
    ConflictError,
    ConnectionFailed,
    NotFoundError,
    RateLimitedError,
    StatusError,
    TimedOut,
    UnexpectedAnswer,
)
from ..limits import QUOTED_CHARACTER_COUNT_MAX
from .clock import ADVICE as CLOCK_ADVICE
from .clock import clock_problem
from .server import COMPATIBLE_HEADER

_CLASSES: dict[int, type[StatusError]] = {
    401: AuthenticationError,
    403: AccessError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitedError,
}
# What servers say of a path that they do not have, in place of the name of what is missing.
_UNKNOWN_PATH = "Not Found"
_ADVICE = {
    403: "use a key whose role allows it",
    404: "check the name or ID, and that base_url is the address of the right server",
    413: "send less at a time",
    429: "wait, or send fewer calls at a time",
    500: "look up the request in the log of the server",
    502: "the proxy cannot reach the server; try again",
    503: "the server is busy or starting; try again",
    504: "the proxy waited too long for the server; try again",
    507: "the server's storage is full; delete data or give it more",
}
_BEARER = re.compile(r"(?i)\b(bearer|basic|api[_-]?key)(\s*[:=]?\s+|[:=])\S+")


def to_json(response: httpx.Response) -> Any:
    """The JSON value of an answer. UnexpectedAnswer for a web page or half a text."""
    try:
        return json.loads(response.content)
    except ValueError:
        raise unexpected(response) from None


def unexpected(response: httpx.Response) -> UnexpectedAnswer:
    what = _what(response.request)
    kind = response.headers.get("content-type", "no content type").split(";")[0].strip()
    if is_page(response):
        return UnexpectedAnswer(
            f"{what}: expected JSON, got a web page ({response.status_code}); a proxy, a sign-in page or another program "
            "answers there: check base_url"
        )
    if "json" in kind:
        return UnexpectedAnswer(
            f"{what}: expected JSON, got {len(response.content)} bytes that end in the middle or are no JSON; try again, "
            "and check what stands between here and the server"
        )
    return UnexpectedAnswer(f"{what}: expected JSON, got {kind} ({response.status_code}); check base_url")


def status_error(response: httpx.Response, secrets: tuple[str, ...] = ()) -> Exception:
    """The exception for an answer of status 300 or more."""
    request, status = response.request, response.status_code
    what = _what(request)
    if 300 <= status < 400:
        target = httpx.URL(response.headers.get("location", "")).copy_with(userinfo=b"", query=None)
        return UnexpectedAnswer(f"{what}: expected an answer, got {status} to {target}; use that address as base_url")
    if is_page(response) and status != 401:
        if status in (404, 405):
            return NotFoundError(
                f"{what}: {status} with a web page: the server does not know this call; check base_url, or update the server",
                request=request,
                response=response,
            )
        detail, given = "a web page of a proxy or of another program", ""
    else:
        detail = given = redact(_detail(response), secrets)
    code = response.headers.get("x-spandrel-error-code")
    request_id = response.headers.get("x-request-id")
    quoted = detail if len(detail) <= QUOTED_CHARACTER_COUNT_MAX else f"{detail[:QUOTED_CHARACTER_COUNT_MAX]}…"
    message = f"{what}: {status} {response.reason_phrase}: {' '.join(quoted.split())}"
    if request_id:
        message += f" (request {request_id})"
    # A call that the server knows has a code, whatever its text.
    if status == 405 or (status == 404 and detail == _UNKNOWN_PATH and code is None):
        version = response.headers.get(COMPATIBLE_HEADER)
        message += f"; the server{f', of version {version},' if version else ''} does not know this call; check base_url, or update it"
    elif status == 401:
        message += f"; {_key_advice(request, code)}{_clock_advice(response)}"
    elif status in _ADVICE:
        message += f"; {_ADVICE[status]}"
    return _CLASSES.get(status, StatusError)(
        message, request=request, response=response, detail=given, code=code, request_id=request_id
    )


def _key_advice(request: httpx.Request, code: str | None) -> str:
    if not any(name in request.headers for name in ("authorization", "api_key")):
        return "no key was sent: set SPANDREL_API_KEY or pass api_key with a key of this server"
    if code == "CREDENTIAL_EXPIRED":
        return "the key has expired: create another one, and set SPANDREL_API_KEY or pass api_key with it"
    return "set SPANDREL_API_KEY or pass api_key with a key that is valid"


def _clock_advice(response: httpx.Response) -> str:
    """A key that was made or is renewed by a clock that is wrong looks expired, or not valid yet."""
    problem = clock_problem(response.headers, _origin(response.request.url))
    return f"; {problem}: {CLOCK_ADVICE}" if problem else ""


def connection_error(error: httpx.TransportError, request: httpx.Request, attempts: int) -> ConnectionFailed:
    """The exception for a call that got no answer."""
    where = _origin(request.url)
    tried = f" after {attempts} attempts" if attempts > 1 else ""
    if isinstance(error, httpx.ConnectError) and "WRONG_VERSION_NUMBER" in str(error):
        message = f"{_what(request)}: the server at {where} does not speak https; use {where.replace('https', 'http', 1)} as base_url"
    elif isinstance(error, httpx.ConnectError):
        message = (
            f"{_what(request)}: expected a server at {where}, got no connection{tried} ({error}); "
            "start it, or set SPANDREL_ENDPOINT or base_url"
        )
    elif isinstance(error, httpx.TimeoutException):
        kind = TimedOut(f"{_what(request)}: no byte from {where} within the timeout{tried}; pass a longer timeout")
        return kind
    elif isinstance(error, httpx.RemoteProtocolError) and "illegal" in str(error):
        message = f"{_what(request)}: what listens at {where} does not speak HTTP ({error}); check the port of base_url"
    else:
        message = f"{_what(request)}: the connection to {where} broke{tried} ({error or type(error).__name__}); try again"
    return ConnectionFailed(message)


def redact(text: str, secrets: tuple[str, ...]) -> str:
    """The text without credentials, which a proxy may have repeated."""
    for secret in secrets:
        text = text.replace(secret, "***")
    return _BEARER.sub(r"\1 ***", text)


def _what(request: httpx.Request) -> str:
    return f"{request.method} {request.url.path}"


def _origin(url: httpx.URL) -> str:
    """Scheme, host and port, without credentials."""
    return f"{url.scheme}://{url.netloc.decode('ascii', 'replace').rpartition('@')[2]}"


def is_page(response: httpx.Response) -> bool:
    """Whether an answer is a web page, which no call of the API answers."""
    if response.headers.get("content-type", "").lower().startswith(("text/html", "application/xhtml")):
        return True
    return response.content[:200].lstrip()[:15].lower().startswith((b"<!doctype html", b"<html"))


def _detail(response: httpx.Response) -> str:
    text = response.content.decode("utf-8", "replace").strip()
    try:
        value = json.loads(text)
    except ValueError:
        return text or response.reason_phrase
    if isinstance(value, dict):
        value = value.get("detail", value.get("error", value))
    if isinstance(value, list):
        return "; ".join(_problem(item) for item in value[:5]) + ("; …" if len(value) > 5 else "")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _problem(item: Any) -> str:
    if isinstance(item, dict) and "msg" in item:
        return f"{'.'.join(str(step) for step in item.get('loc', []))}: {item['msg']}"
    return str(item)
