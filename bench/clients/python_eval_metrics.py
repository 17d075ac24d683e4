"""Speed of metrics without a model over pairs of texts: python_eval_metrics.py PAIRS. Prints one line of JSON.

Packages that are not installed are left out: rapidfuzz, rouge-score, deepdiff, jsondiff.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from spandrel_evals.measures import json_values, levenshtein, overlap

PAIRS = int(sys.argv[1])
WORDS = "the refund was sent to your bank account today and it will arrive within three working days please wait".split()


def texts(draw: random.Random) -> tuple[str, str]:
    """Two answers of 8 to 40 words; about a fifth of the words differ."""
    words = draw.choices(WORDS, k=draw.randrange(8, 40))
    other = [draw.choice(WORDS) if draw.random() < 0.2 else word for word in words]
    return " ".join(words), " ".join(other)


def objects(draw: random.Random) -> tuple[Any, Any]:
    """Two arguments of a tool call with a list of three items."""

    def make() -> Any:
        items = [{"sku": draw.randrange(5), "count": draw.randrange(3)} for _ in range(3)]
        return {"city": draw.choice(WORDS), "days": draw.randrange(9), "items": items, "note": None}

    first = make()
    return first, first if draw.random() < 0.5 else make()


def usual() -> dict[str, tuple[str, Callable[[Any, Any], Any]]]:
    found: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {}
    try:
        from rapidfuzz.distance import Levenshtein

        found["levenshtein"] = ("rapidfuzz", Levenshtein.distance)
    except ImportError:
        pass
    try:
        from rouge_score.rouge_scorer import RougeScorer

        found["rouge_l"] = ("rouge-score", RougeScorer(["rougeL"]).score)
    except ImportError:
        pass
    try:
        from jsondiff import diff

        found["json_distance"] = ("jsondiff", diff)
    except ImportError:
        pass
    try:
        from deepdiff import DeepDiff

        found["json_distance"] = ("deepdiff", DeepDiff)
    except ImportError:
        pass
    return found


def seconds(run: Callable[[Any, Any], Any], pairs: list[tuple[Any, Any]]) -> float:
    started = time.process_time()
    for first, second in pairs:
        run(first, second)
    return time.process_time() - started


DRAW = random.Random(5)
TEXTS = [texts(DRAW) for _ in range(PAIRS)]
VALUES = [objects(DRAW) for _ in range(PAIRS)]
OTHERS = usual()
ROWS = []
for name, run, pairs in (
    ("levenshtein", levenshtein.levenshtein_distance, TEXTS),
    ("levenshtein, pure Python", levenshtein.bit_parallel_distance, TEXTS),
    ("rouge_l", overlap.rouge_l, TEXTS),
    ("json_distance", json_values.json_distance, VALUES),
    ("bleu", overlap.bleu, TEXTS),
    ("chrf", overlap.chrf, TEXTS),
):
    row: dict[str, Any] = {"metric": name, "seconds": seconds(run, pairs)}
    if name in OTHERS:
        other, compute = OTHERS[name]
        # The others may be so slow that a tenth of the pairs tells.
        part = pairs[: max(1, PAIRS // 10)]
        row |= {"other": other, "other_seconds": seconds(compute, part) * PAIRS / len(part)}
    ROWS.append(row)
print(json.dumps({"rows": ROWS, "has_native_levenshtein": levenshtein._native is not None}))
