"""Scores from probabilities of tokens."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

# Probability that the alternatives must cover, so that the rest cannot change the score much.
_MASS_MIN = 0.5


def graded_score(
    logprobs: Sequence[Mapping[str, Any]], scores: Mapping[str, float | int | None]
) -> tuple[float, dict[str, float]] | None:
    """The mean score of the labels by their probabilities, and these. None if the tokens do not tell the labels apart.

    `logprobs` has tokens with their `top_logprobs`, each `{token, logprob}`.
    """
    if any(score is None for score in scores.values()):
        return None
    text = "".join(str(one.get("token", "")) for one in logprobs)
    keyed = list(re.finditer(r'"label"\s*:\s*"', text))
    start = keyed[-1].end() if keyed else len(text) - len(text.lstrip())
    position = 0
    for one in logprobs:
        token = str(one.get("token", ""))
        if position + len(token) > start:
            return _weigh(one, text[position:start], scores)
        position += len(token)
    return None


def _weigh(token: Mapping[str, Any], before: str, scores: Mapping[str, float | int | None]) -> Any:
    mass: dict[str, float] = dict.fromkeys(scores, 0.0)
    for one in token.get("top_logprobs") or [token]:
        text = str(one.get("token", ""))
        # The token may hold the quotation mark before the label.
        part = text[len(before) :] if before and text.startswith(before) else text.lstrip(' "')
        part = part.rstrip('"}, \n')
        fitting = [label for label in scores if part and (label.startswith(part) or part.startswith(label))]
        exact = [label for label in fitting if label == part]
        chosen = exact or fitting
        if len(chosen) == 1:
            mass[chosen[0]] += math.exp(min(float(one.get("logprob", -math.inf)), 0.0))
    total = sum(mass.values())
    if total < _MASS_MIN:
        return None
    shares = {label: value / total for label, value in mass.items()}
    return sum(shares[label] * float(score or 0) for label, score in scores.items()), shares
