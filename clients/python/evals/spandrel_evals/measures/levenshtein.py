"""Levenshtein distance in code points."""

from __future__ import annotations

from collections.abc import Callable

from .limits import EDIT_DISTANCE_CHARS_MAX


def levenshtein_distance(expected: str, output: str, *, case_sensitive: bool = True) -> int:
    """Number of characters to insert, delete or replace.

    :raises ValueError: if the texts differ within more than 50,000 characters
    """
    if not case_sensitive:
        expected, output = expected.lower(), output.lower()
    if expected == output:
        return 0
    start = 0
    length = min(len(expected), len(output))
    if expected[0:1] == output[0:1]:
        while start < length and expected[start] == output[start]:
            start += 1
    end = 0
    while end < length - start and expected[-1 - end] == output[-1 - end]:
        end += 1
    first = expected[start : len(expected) - end]
    second = output[start : len(output) - end]
    if len(first) > len(second):
        first, second = second, first
    if not first:
        return len(second)
    if len(second) > EDIT_DISTANCE_CHARS_MAX:
        raise ValueError(
            f"The texts are too long to compare: they differ within {len(second):,} characters,"
            f" the maximum is {EDIT_DISTANCE_CHARS_MAX:,}"
        )
    return _native(first, second) if _native else bit_parallel_distance(first, second)


def bit_parallel_distance(first: str, second: str) -> int:
    """The distance by bit vectors (Myers 1999): a column of the table is one integer, so a column takes a few operations of
    Python whatever the length of ``first``."""
    rows: dict[str, int] = {}
    bit = 1
    for character in first:
        rows[character] = rows.get(character, 0) | bit
        bit <<= 1
    mask = bit - 1
    last = bit >> 1
    more, less = mask, 0
    distance = len(first)
    find = rows.get
    for character in second:
        equal = find(character, 0)
        diagonal = (((equal & more) + more) ^ more) | equal | less
        horizontal_more = less | (mask & ~(diagonal | more))
        horizontal_less = more & diagonal
        if horizontal_more & last:
            distance += 1
        elif horizontal_less & last:
            distance -= 1
        horizontal_more = (horizontal_more << 1) | 1
        more = ((horizontal_less << 1) | ~(equal | less | horizontal_more)) & mask
        less = horizontal_more & (equal | less) & mask
    return distance


def _find_native() -> Callable[[str, str], int] | None:
    """The compiled function of rapidfuzz or Levenshtein, which gives the same numbers, where one is installed."""
    try:
        from rapidfuzz.distance.Levenshtein import distance
    except ImportError:
        try:
            from Levenshtein import distance
        except ImportError:
            return None
    return distance


_native = _find_native()
