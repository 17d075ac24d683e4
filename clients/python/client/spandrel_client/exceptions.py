"""Errors of the client. Each message says what was expected, what arrived and what to do, and holds no credential."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import httpx


class SpandrelError(Exception):
    """Base of all errors of this package."""


# The name that code for the public client catches.
PhoenixException = SpandrelError


class ConfigurationError(SpandrelError, ValueError):
    """A setting cannot be used."""


class StatusError(SpandrelError, httpx.HTTPStatusError):
    """The server answered with an error.

    `status` is the HTTP status, `detail` the server's text, `code` its error code, `request_id` the id that its log has.
    """

    def __init__(
        self,
        message: str,
        *,
        request: httpx.Request,
        response: httpx.Response,
        detail: str = "",
        code: str | None = None,
        request_id: str | None = None,
    ) -> None:
        httpx.HTTPStatusError.__init__(self, message, request=request, response=response)
        self.status = response.status_code
        self.detail = detail
        self.code = code
        self.request_id = request_id


class NotFoundError(StatusError, ValueError):
    """404: there is no such thing."""


class ConflictError(StatusError):
    """409: it exists already, or another call changed it."""


class AuthenticationError(StatusError):
    """401: no credential, or one that the server does not accept."""


class AccessError(StatusError):
    """403: the credential does not allow the call."""


class RateLimitedError(StatusError):
    """429: too many calls."""


class ConnectionFailed(SpandrelError, httpx.TransportError):
    """No answer: the server is away, the address is wrong, or the connection broke."""


class TimedOut(ConnectionFailed, httpx.TimeoutException, TimeoutError):
    """No byte arrived within the timeout."""


class UnexpectedAnswer(SpandrelError):
    """The answer is no answer of this API: a web page of a proxy, another program, or half an answer."""


class GraphQLError(SpandrelError):
    """The server did not execute a GraphQL document. `errors` has its errors, `code` the code of the first one."""

    def __init__(self, errors: Sequence[Any]) -> None:
        self.errors = list(errors)
        first = self.errors[0] if isinstance(self.errors[0], Mapping) else {}
        extensions = first.get("extensions")
        self.code: str | None = extensions.get("code") if isinstance(extensions, Mapping) else None
        more = f" (and {len(self.errors) - 1} more)" if len(self.errors) > 1 else ""
        super().__init__(f"{first.get('message') or 'the server gives no reason'}{more}")


class ServerTooOld(SpandrelError):
    """The server does not have the capability. Raised for servers of another make only."""


class DatasetUploadError(SpandrelError):
    """The server did not accept an upload. `detail` is its text."""

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail


class TemplateFormatterError(SpandrelError, ValueError):
    """A template and its variables do not fit."""


class PromptConversionError(SpandrelError, ValueError):
    """A prompt has a part that the vendor's arguments cannot express."""


class RateLimitError(SpandrelError):
    """A task met the rate limit of a model."""


class InvalidSpanInfo(TypedDict):
    span_id: str
    trace_id: str
    error: str


class DuplicateSpanInfo(TypedDict):
    span_id: str
    trace_id: str


class SpanCreationError(SpandrelError):
    """Spans were not stored; nothing of the request was."""

    def __init__(
        self,
        message: str,
        invalid_spans: Sequence[Mapping[str, Any]] = (),
        duplicate_spans: Sequence[Mapping[str, Any]] = (),
        total_received: int = 0,
        total_queued: int = 0,
        total_invalid: int = 0,
        total_duplicates: int = 0,
    ) -> None:
        super().__init__(message)
        self.invalid_spans = list(invalid_spans)
        self.duplicate_spans = list(duplicate_spans)
        self.total_received = total_received
        self.total_queued = total_queued
        self.total_invalid = total_invalid
        self.total_duplicates = total_duplicates
