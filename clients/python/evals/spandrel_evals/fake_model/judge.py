"""A judge whose sensitivity, specificity and biases are known."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence

_TRUTH = re.compile(r"truth=([01])")
_LABELLED = re.compile(r"\[\[truth: ([^\]]{1,200})\]\]")
# Biases by name, as what they look for in the material.
_NAMED = {
    "formatting": re.compile(r"(^|\n)(#+ |[-*] |\d+\. |```)|\*\*"),
    "instructions": re.compile(r"ignore (all|the|any|previous)|you must (answer|rate|choose)|give (it )?(a|the) (full|best)", re.I),
}


def chance(*parts: object) -> float:
    """A number from 0 to 1 that depends on the parts alone."""
    digest = hashlib.blake2b("\x00".join(map(str, parts)).encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


class FakeJudge:
    """Answers the positive label with probability `sensitivity` where the truth is good, and with `1 - specificity` elsewhere.

    `truth` reads it from the text of the prompt without its system messages; by default from a mark `truth=1`, `truth=0` or
    `[[truth: LABEL]]`. `positive` is the label of good material, by default the first one. `biases` are probabilities that a negative answer becomes a positive one:
    `length` (material over `long_characters`), `first_label` (the answer becomes the label that is listed first),
    `formatting`, `instructions`, or any regular expression.
    """

    def __init__(
        self,
        *,
        sensitivity: float = 0.9,
        specificity: float = 0.9,
        truth: Callable[[str], bool] | None = None,
        positive: str | None = None,
        biases: Mapping[str, float] | None = None,
        long_characters: int = 600,
        seed: int = 0,
    ) -> None:
        for name, value in (("sensitivity", sensitivity), ("specificity", specificity), *(biases or {}).items()):
            if not 0 <= value <= 1:
                raise ValueError(f"{name} is {value}; expected a probability from 0 to 1")
        self.sensitivity = sensitivity
        self.specificity = specificity
        self.positive = positive
        self.seed = seed
        self._truth = truth or _marked_truth
        self._biases = dict(biases or {})
        self._long = long_characters
        self._patterns = {name: _NAMED.get(name) or re.compile(name) for name in self._biases if name not in ("length", "first_label")}

    def decide(self, text: str, labels: Sequence[str], repetition: int = 0) -> str:
        """The label for the text of a prompt. The same text and repetition give the same label."""
        positive = self.positive if self.positive in labels else labels[0]
        negative = next(label for label in labels if label != positive)
        limit = self.sensitivity if self._is_good(text, positive) else 1 - self.specificity
        is_positive = chance(self.seed, "label", repetition, text) < limit
        for name, probability in self._biases.items():
            drawn = chance(self.seed, name, repetition, text) < probability
            if not drawn:
                continue
            if name == "first_label":
                is_positive = labels[0] == positive
            elif name == "length":
                is_positive = is_positive or len(text) > self._long
            else:
                is_positive = is_positive or self._patterns[name].search(text) is not None
        return positive if is_positive else negative

    def probability(self, text: str, positive: str) -> float:
        """Probability of the positive label without biases, which answers with log-probabilities state."""
        return self.sensitivity if self._is_good(text, positive) else 1 - self.specificity

    def _is_good(self, text: str, positive: str) -> bool:
        labelled = _LABELLED.search(text)
        return labelled.group(1) == positive if labelled is not None and self._truth is _marked_truth else self._truth(text)


def _marked_truth(text: str) -> bool:
    found = _TRUTH.search(text)
    return chance("truth", text) < 0.5 if found is None else found.group(1) == "1"
