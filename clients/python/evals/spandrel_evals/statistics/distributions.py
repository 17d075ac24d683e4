"""Distribution functions that the standard library lacks."""

from __future__ import annotations

from math import erfc, exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

# Quantile of the standard normal distribution that leaves 2.5 % above it.
Z_95 = 1.959963984540054
normal_quantile = NormalDist().inv_cdf


def normal_cdf(z: float) -> float:
    return 0.5 * erfc(-z / sqrt(2))


def t_cdf(t: float, degrees: float) -> float:
    tail = 0.5 * incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5)
    return 1 - tail if t > 0 else tail


def t_quantile(p: float, degrees: float) -> float:
    """Inverse of ``t_cdf``, by bisection."""
    if p < 0.5:
        return -t_quantile(1 - p, degrees)
    low, high = 0.0, 1.0
    while t_cdf(high, degrees) < p:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if t_cdf(middle, degrees) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def half_binomial_cdf(successes: int, count: int) -> float:
    """Probability of at most ``successes`` in ``count`` trials with probability 1/2 each."""
    return 1.0 if successes >= count else incomplete_beta(0.5, count - successes, successes + 1)


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    # The fraction converges quickly below this point; above it, the function is symmetric.
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a)
    front = exp(a * log(x) + b * log1p(-x) - (lgamma(a) + lgamma(b) - lgamma(a + b))) / a
    tiny = 1e-300
    c = 1.0
    d = 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    fraction = d
    for m in range(1, 10_000):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + factor * d) or tiny)
            c = (1 + factor / c) or tiny
            fraction *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return front * fraction


def beta_quantile(p: float, a: float, b: float) -> float:
    """Inverse of ``incomplete_beta``: Newton's steps, halved into the bracket where they leave it. For 0 < p < 1."""
    low, high = 0.0, 1.0
    x = a / (a + b)
    constant = lgamma(a + b) - lgamma(a) - lgamma(b)
    for _ in range(200):
        error = incomplete_beta(x, a, b) - p
        if error > 0:
            high = x
        else:
            low = x
        density = exp(constant + (a - 1) * log(x) + (b - 1) * log1p(-x)) if 0 < x < 1 else 0.0
        following = x - error / density if density > 0 else -1.0
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) <= 1e-15 * x or high - low <= 1e-16:
            return following
        x = following
    return x
