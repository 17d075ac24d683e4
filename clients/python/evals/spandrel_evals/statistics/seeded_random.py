"""Random numbers that are the same in Python, in TypeScript and on the server."""

from __future__ import annotations

from collections.abc import Callable

_MASK = 0xFFFFFFFF


def random_indices(seed: str | int) -> Callable[[int], int]:
    """A function of ``count`` that returns the next random integer below it: the generator sfc32, seeded with a text by FNV-1a."""
    next_float = random_floats(seed)
    return lambda count: int(next_float() * count)


def random_floats(seed: str | int) -> Callable[[], float]:
    """A function that returns the next random number from 0 to below 1, in steps of 2**-32."""
    text = str(seed)
    a, b, c = _hash(text, 0x9E3779B9), _hash(text, 0x243F6A88), _hash(text, 0xB7E15162)
    counter = 1

    def next_float() -> float:
        nonlocal a, b, c, counter
        total = (a + b + counter) & _MASK
        counter += 1
        a = b ^ (b >> 9)
        b = (c + (c << 3)) & _MASK
        c = (((c << 21) | (c >> 11)) + total) & _MASK
        return total / 4_294_967_296

    # The first values depend on few bits of the seed.
    for _ in range(12):
        next_float()
    return next_float


def _hash(text: str, start: int) -> int:
    value = start
    units = text.encode("utf-16-le", "surrogatepass")
    for index in range(0, len(units), 2):
        value = ((value ^ (units[index] | units[index + 1] << 8)) * 16_777_619) & _MASK
    return value
