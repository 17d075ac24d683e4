"""Limits that vendors state in headers of answers: OpenAI's form and Anthropic's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_FORMS = (
    ("x-ratelimit-limit-{}", "x-ratelimit-remaining-{}", "x-ratelimit-reset-{}"),
    ("anthropic-ratelimit-{}-limit", "anthropic-ratelimit-{}-remaining", "anthropic-ratelimit-{}-reset"),
)


class Allowance:
    """A bucket that the vendor fills at a steady rate: `limit` at most, `remaining` at the time `at`."""

    def __init__(self, limit: float, remaining: float, reset_seconds: float, at: float, is_tokens: bool) -> None:
        self.limit = limit
        self.remaining = remaining
        self.at = at
        self.is_tokens = is_tokens
        # `reset` is the time until the bucket is full again.
        self.rate = (limit - remaining) / reset_seconds if reset_seconds > 0 and limit > remaining else None

    def _level(self, now: float) -> float:
        return min(self.remaining + (self.rate or 0.0) * (now - self.at), self.limit)

    def wait(self, now: float, amount: float) -> float:
        """Seconds until the bucket holds the amount."""
        level = self._level(now)
        amount = min(amount, self.limit)
        if level >= amount or self.rate is None:
            return 0.0
        return min((amount - level) / self.rate, 60.0)

    def spend(self, now: float, amount: float) -> None:
        self.remaining, self.at = self._level(now) - amount, now

    def update(self, newer: Allowance, in_flight: int, tokens_per_request: float) -> None:
        """The vendor's own count. Requests in flight may not be in it yet."""
        if newer.rate is not None:
            self.rate = newer.rate
        self.limit = newer.limit
        reserved = in_flight * (tokens_per_request if self.is_tokens else 1.0)
        self.remaining, self.at = newer.remaining - reserved, newer.at


def read_allowances(headers: Mapping[str, str], now: float) -> dict[str, Allowance]:
    found: dict[str, Allowance] = {}
    for name in ("requests", "tokens", "input-tokens", "output-tokens"):
        for form in _FORMS:
            limit, remaining, reset = (headers.get(one.format(name)) for one in form)
            if limit is None or remaining is None or reset is None:
                continue
            try:
                seconds = parse_duration(reset)
                found[name] = Allowance(float(limit), float(remaining), seconds, now, name != "requests")
            except ValueError:
                continue
    return found


def parse_duration(text: str) -> float:
    """Seconds of `1s`, `6m0s`, `20ms`, a number, or the time until a date."""
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    parts = _DURATION.findall(text)
    if parts and "".join(number + unit for number, unit in parts) == text:
        return sum(float(number) * _UNITS[unit] for number, unit in parts)
    then = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return max((then - datetime.now(timezone.utc)).total_seconds(), 0.0)


def retry_after_seconds(headers: Mapping[str, str] | None) -> float | None:
    """The pause that an answer asks for, in seconds."""
    if not headers:
        return None
    millis = headers.get("retry-after-ms")
    text = headers.get("retry-after")
    try:
        if millis is not None:
            return float(millis) / 1000
        if text is None:
            return None
        if re.fullmatch(r"\d+(\.\d+)?", text):
            return float(text)
        return max((parsedate_to_datetime(text) - datetime.now(timezone.utc)).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None
