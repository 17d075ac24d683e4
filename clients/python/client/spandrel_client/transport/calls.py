"""Calls of the API and the effects that a driver performs for them. Nothing here does I/O."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, Union
from urllib.parse import quote

if TYPE_CHECKING:
    import httpx

R = TypeVar("R")


class ClientDefault:
    """The timeout of the client."""

    def __repr__(self) -> str:
        return "CLIENT_DEFAULT"


CLIENT_DEFAULT = ClientDefault()
Timeout = Union[float, None, ClientDefault]


@dataclass(frozen=True)
class Call:
    """One call of the API.

    `path` is relative to the base URL. `creates` calls get an idempotency key, so that a repetition creates nothing
    twice. `is_repeatable` says that a repetition stores the same thing even without a key.
    """

    method: str
    path: str
    params: Mapping[str, Any] | None = None
    json: Any = None
    content: Callable[[], BinaryIO] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: Timeout = CLIENT_DEFAULT
    creates: bool = False
    is_repeatable: bool | None = None

    @property
    def repeats_safely(self) -> bool:
        return self.method in ("GET", "PUT", "DELETE") if self.is_repeatable is None else self.is_repeatable


@dataclass(frozen=True)
class Send:
    """Sends a request. The driver returns the response: with its body, or before it when `is_stream`."""

    request: httpx.Request
    is_stream: bool = False


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Read:
    """Gives the body of a streamed response as a file to `reader` and returns what that returns; closes the response."""

    response: httpx.Response
    reader: Callable[[BinaryIO], Any]


Effect = Union[Send, Sleep, Read]
Steps = Generator[Effect, Any, R]


def part(text: str) -> str:
    """A path part, percent-encoded. Names that no path can hold are a ValueError."""
    if not isinstance(text, str) or not text:
        raise ValueError(f"the name or id is {text!r}; expected a text that is not empty")
    if text in (".", ".."):
        raise ValueError(f"{text!r} is no name that a path can hold; use the id")
    if any(sign in text for sign in "/?#"):
        raise ValueError(f"the name {text!r} has one of / ? #, which a path cannot hold; use the id")
    return quote(text, safe="")


def query(values: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Query parameters: None is left out, lists repeat their key, booleans are `true` and `false`, times are in ISO form."""
    pairs: list[tuple[str, str]] = []
    for key, value in (values or {}).items():
        if value is None:
            continue
        items = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
        pairs.extend((key, _query_text(item)) for item in items)
    return pairs


def _query_text(item: Any) -> str:
    if isinstance(item, bool):
        return "true" if item else "false"
    return item.isoformat() if isinstance(item, datetime) else str(item)
