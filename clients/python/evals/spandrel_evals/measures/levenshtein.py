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
    if _native is not None and len(expected) <= EDIT_DISTANCE_CHARS_MAX and len(output) <= EDIT_DISTANCE_CHARS_MAX:
        return _native(expected, output)
    first, second = _without_equal_ends(expected, output)
    if not first:
        return len(second)
    if len(second) > EDIT_DISTANCE_CHARS_MAX:
        raise ValueError(
            f"The texts are too long to compare: they differ within {len(second):,} characters,"
            f" the maximum is {EDIT_DISTANCE_CHARS_MAX:,}"
        )
    return (_native or bit_parallel_distance)(first, second)


def _without_equal_ends(first: str, second: str) -> tuple[str, str]:
    """What is between the equal starts and ends, the shorter text first."""
    start, end = 0, 0
    length = min(len(first), len(second))
    while start < length and first[start] == second[start]:
        start += 1
    while end < length - start and first[-1 - end] == second[-1 - end]:
        end += 1
    first, second = first[start : len(first) - end], second[start : len(second) - end]
    return (second, first) if len(first) > len(second) else (first, second)


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
    found: Callable[[str, str], int] = distance
    return found


_native = _find_native()
