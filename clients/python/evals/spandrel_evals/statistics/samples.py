"""Sizes and splits of samples."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

from .intervals import wilson_interval

Split = Literal["examples", "tuning", "held_out"]
# More labels than that are not worth naming.
COUNT_MAX = 10_000_000


def split_of(key: str, held_out: float = 0.5, examples: float = 0.2) -> Split:
    """The part that a row belongs to, by the hash of its key: the same on every machine and in every run.

    ``held_out`` alone decides about the judge, ``tuning`` compares its versions, and ``examples`` may be shown in its prompt.
    """
    if not (0 <= held_out <= 1 and 0 <= examples <= 1 - held_out + 1e-9):
        raise ValueError(f"The shares of the parts must be from 0 to 1 together, received {held_out} and {examples}")
    place = int.from_bytes(sha256(key.encode()).digest()[:6], "big") / 2**48
    if place < held_out:
        return "held_out"
    return "examples" if place >= 1 - examples else "tuning"


def labels_to_halve(share: float, count: int) -> int:
    """How many more rows people must label until the interval of a share is half as wide, if the share stays."""
    interval = wilson_interval(share * count, count)
    if interval is None:
        raise ValueError("Without labels there is no interval to halve: label some rows first")
    half = (interval.high - interval.low) / 2

    def is_half(number: int) -> bool:
        other = wilson_interval(share * number, number)
        return other is not None and other.high - other.low <= half

    low, high = count, max(2 * count, 2)
    while not is_half(high) and high < COUNT_MAX:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if is_half(middle):
            high = middle
        else:
            low = middle
    return high - count
