"""Overlap of an output with a reference: BLEU, ROUGE-L and chrF, from 0 to 1."""

from __future__ import annotations

from collections import Counter
from math import exp, log
from typing import NamedTuple

from .tokens import words_of

BLEU_ORDER = 4
CHRF_ORDER = 6
CHRF_BETA = 2


class Overlap(NamedTuple):
    precision: float
    recall: float
    f1: float


def rouge_l(expected: str, output: str) -> Overlap:
    """Longest common subsequence of words (Lin 2004), without a stemmer. Two texts without words are equal."""
    reference, candidate = words_of(expected), words_of(output)
    if not reference or not candidate:
        value = 1.0 if reference == candidate else 0.0
        return Overlap(value, value, value)
    common = common_length(reference, candidate)
    precision, recall = common / len(candidate), common / len(reference)
    return Overlap(precision, recall, f_score(precision, recall))


def common_length(first: list[str], second: list[str]) -> int:
    """Length of the longest common subsequence by bit vectors (Hyyrö 2004): a step per item of ``second``."""
    if len(first) < len(second):
        first, second = second, first
    rows: dict[str, int] = {}
    bit = 1
    for item in first:
        rows[item] = rows.get(item, 0) | bit
        bit <<= 1
    mask = bit - 1
    state = mask
    find = rows.get
    for item in second:
        found = find(item)
        if found:
            matches = state & found
            state = ((state + matches) | (state - matches)) & mask
    return len(first) - state.bit_count()


def bleu(expected: str, output: str) -> float:
    """BLEU of one sentence with n-grams of up to 4 words. Orders above 1 have one match and one n-gram more (Lin and Och 2004)."""
    reference, candidate = words_of(expected), words_of(output)
    if not reference or not candidate:
        return 1.0 if reference == candidate else 0.0
    logs = 0.0
    for order in range(1, BLEU_ORDER + 1):
        wanted = _ngrams(reference, order)
        found = _ngrams(candidate, order)
        extra = 0 if order == 1 else 1
        matches = sum((found & wanted).values()) + extra
        if matches == 0:
            return 0.0
        logs += log(matches / (max(len(candidate) - order + 1, 0) + extra)) / BLEU_ORDER
    brevity = min(0.0, 1 - len(reference) / len(candidate))
    return exp(brevity + logs)


def chrf(expected: str, output: str) -> float:
    """chrF2 (Popović 2015) as sacrebleu computes it for a sentence: n-grams of up to 6 characters without white space,
    precision and recall averaged over the orders that both texts have, recall counts twice."""
    reference, candidate = "".join(expected.split()), "".join(output.split())
    if not reference or not candidate:
        return 1.0 if reference == candidate else 0.0
    orders = min(CHRF_ORDER, len(reference), len(candidate))
    precision = recall = 0.0
    for order in range(1, orders + 1):
        wanted, found = _ngrams(reference, order), _ngrams(candidate, order)
        matches = sum((found & wanted).values())
        precision += matches / (len(candidate) - order + 1) / orders
        recall += matches / (len(reference) - order + 1) / orders
    return f_score(precision, recall, CHRF_BETA)


def f_score(precision: float, recall: float, beta: float = 1.0) -> float:
    """F of a precision and a recall; 0 where both are."""
    square = beta * beta
    return (1 + square) * precision * recall / (square * precision + recall) if precision + recall else 0.0


def _ngrams(items: list[str] | str, order: int) -> Counter[object]:
    if order == 1:
        return Counter(items)
    if isinstance(items, str):
        return Counter(items[start : start + order] for start in range(len(items) - order + 1))
    return Counter(zip(*(items[start:] for start in range(order)), strict=False))
