"""Options of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import InputError, quote
from ..limits import CONCURRENCY_DEFAULT_MAX, CONCURRENCY_MAX, RETRIES_DEFAULT, TIMEOUT_SECONDS_DEFAULT


@dataclass
class Options:
    """See `evaluate`."""

    concurrency: int | None = None
    max_retries: int = RETRIES_DEFAULT
    timeout: float | None = TIMEOUT_SECONDS_DEFAULT
    exit_on_error: bool = False
    checkpoint: Any = None
    cache: Any = None
    repetitions: int = 1
    max_cost: float | None = None
    batch: bool = False
    output: Any = None
    progress: bool | None = None
    input_mapping: Mapping[str, Any] | None = None
    keep_rows: bool = True
    on_progress: Callable[[Any], None] | None = None
    trace_project: str | None = None
    client: Any = None

    def __post_init__(self) -> None:
        _check_count("concurrency", self.concurrency, 1, CONCURRENCY_MAX, optional=True)
        _check_count("max_retries", self.max_retries, 0, 1_000)
        _check_count("repetitions", self.repetitions, 1, 1_000)
        if self.timeout is not None and not self.timeout > 0:
            raise InputError(f"timeout is {self.timeout}; expected seconds above 0, or None for no limit")

    @property
    def workers(self) -> int:
        return self.concurrency or CONCURRENCY_DEFAULT_MAX


def _check_count(name: str, value: Any, least: int, most: int, optional: bool = False) -> None:
    if value is None and optional:
        return
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputError(f"{name} is {quote(repr(value))}; expected a whole number from {least} to {most}")
