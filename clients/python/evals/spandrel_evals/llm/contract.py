"""What the wrapper and the adapters of vendors exchange."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import ModelError

# How an object is asked for: strict JSON schema, a tool call that is forced, JSON in words.
SCHEMA, TOOL, JSON = "schema", "tool", "json"
TOOL_NAME = "extract_structured_data"


@dataclass(frozen=True)
class Usage:
    """Tokens of one request. `cached_tokens` are part of `prompt_tokens`."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0


@dataclass
class ModelRequest:
    """One request in no vendor's form. Messages are `{role: system | user | assistant, content}`."""

    messages: list[dict[str, Any]]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    schema: dict[str, Any] | None = None
    mode: str | None = None
    logprobs: bool = False


@dataclass
class ModelReply:
    """One answer. `data` is the object of a tool call; otherwise the text holds it. `headers` may state limits."""

    text: str = ""
    data: Any = None
    usage: Usage | None = None
    logprobs: list[dict[str, Any]] | None = None
    model: str | None = None
    stop_reason: str | None = None
    headers: Mapping[str, str] | None = None
    is_cached: bool = False


class Adapter(ABC):
    """One vendor's client. `modes` are tried in order; `is_local` answers need no limiter and no timeout.

    With `has_key`, the first request of a run goes alone, so that a wrong key is rejected once.
    """

    modes: tuple[str, ...] = (SCHEMA, TOOL, JSON)
    # A key or address that tells two deployments of one model apart.
    address: str = ""
    is_local = False
    has_key = True
    # Whether `send` ends at its timeout by itself.
    has_timeout = True

    @abstractmethod
    def send(self, request: ModelRequest, timeout: float | None) -> ModelReply:
        """Answer of the vendor. Raises what the vendor's client raises."""

    @abstractmethod
    async def async_send(self, request: ModelRequest, timeout: float | None) -> ModelReply: ...

    @abstractmethod
    def to_error(self, error: BaseException) -> ModelError:
        """The error in our terms."""

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """The request in the vendor's form, for batches and for reading."""
        raise NotImplementedError

    def batch(self) -> Any:
        """The vendor's batch interface, or None."""
        return None

    async def check_key(self, timeout: float) -> bool | None:
        """Whether the vendor accepts the key, by a question that costs nothing. None if it cannot be told."""
        return None

    async def aclose(self) -> None:
        """Closes connections of the event loop that ends."""
