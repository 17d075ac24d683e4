"""Errors of HTTP answers in our terms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..errors import (
    CredentialError,
    ModelError,
    ModelRequestError,
    ModelTimeoutError,
    RateLimitError,
    TransientModelError,
    UnsupportedRequestError,
    quote,
)
from .limit_headers import retry_after_seconds

_UNSUPPORTED = re.compile(
    r"response_format|json_schema|schema|tool|function|structured|not supported|unsupported|logprobs", re.IGNORECASE
)
# A quota that is used up does not come back by waiting.
_NO_QUOTA = re.compile(r"insufficient_quota|billing|credit balance", re.IGNORECASE)


def error_of_status(status: int | None, text: str, headers: Mapping[str, str] | None = None) -> ModelError:
    """The error of a status and the vendor's text."""
    shown = quote(text or "no text", 300)
    if status in (401, 403):
        return CredentialError(f"the vendor does not accept the key (HTTP {status}): {shown}; check the key and its rights", status)
    if status == 402 or (status == 429 and _NO_QUOTA.search(text or "")):
        return CredentialError(f"the account of the key has no credit left (HTTP {status}): {shown}", status)
    if status == 404:
        return CredentialError(f"the vendor does not know the model or the address (HTTP 404): {shown}; check both", status)
    if status in (429, 529) or (status == 503 and retry_after_seconds(headers) is not None):
        return RateLimitError(f"the vendor limits requests (HTTP {status}): {shown}", retry_after_seconds(headers))
    if status in (408, 504):
        return ModelTimeoutError(f"the vendor gave no answer in time (HTTP {status}): {shown}")
    if status is not None and 400 <= status < 500 and status != 409:
        kind = UnsupportedRequestError if _UNSUPPORTED.search(text or "") else ModelRequestError
        return kind(f"the vendor does not accept the request (HTTP {status}): {shown}")
    return TransientModelError(f"the vendor failed (HTTP {status}): {shown}")


def is_key_accepted(status: int) -> bool | None:
    """What an answer to a question about models says of the key: nothing if the vendor does not have the question."""
    return True if 200 <= status < 300 else False if status in (401, 403) else None


def error_of_exception(error: BaseException) -> ModelError:
    """The error of a vendor's exception by its status, its name and its text. Programming errors are not transient."""
    status: Any = getattr(error, "status_code", None) or getattr(error, "code", None)
    response = getattr(error, "response", None)
    if not isinstance(status, int):
        status = getattr(response, "status_code", None)
    headers = getattr(response, "headers", None)
    if not isinstance(headers, Mapping):
        headers = None
    name = type(error).__name__
    text = str(error)
    if isinstance(status, int) and status >= 400:
        return error_of_status(status, text, headers)
    if "RateLimit" in name or "RESOURCE_EXHAUSTED" in text or "Throttling" in name or "ThrottlingException" in text:
        return RateLimitError(f"the vendor limits requests: {quote(text, 300)}", retry_after_seconds(headers))
    if "Timeout" in name or isinstance(error, TimeoutError):
        return ModelTimeoutError(f"no answer in time ({name}): {quote(text, 300)}")
    if any(word in name for word in ("Connection", "Connect", "Protocol", "Network", "ReadError", "WriteError", "Transport")) or isinstance(error, OSError):
        return TransientModelError(f"the connection failed ({name}): {quote(text, 300)}")
    if "Authentication" in name or "PermissionDenied" in name or "NoCredentials" in name or "AccessDenied" in text:
        return CredentialError(f"the vendor does not accept the key ({name}): {quote(text, 300)}")
    if name in ("JSONDecodeError", "DecodingError", "APIResponseValidationError", "UnknownApiResponseError"):
        return TransientModelError(f"half an answer arrived ({name}): {quote(text, 300)}")
    return ModelRequestError(f"{name}: {quote(text, 300)}")
