"""Statistics of inputs that follow from a seed, as test/clients/evaluations/random-study.ts computes them in TypeScript.

    python random_study.py 60 > test/fixtures/evaluations/random-statistics.json
"""

from __future__ import annotations

import json
import sys
from typing import Any

from spandrel_evals.bias.stratified import GroupedVerdict, stratified_difference
from spandrel_evals.statistics.agreement import cohen_kappa, krippendorff_alpha, label_quality, weighted_kappa
from spandrel_evals.statistics.comparison import Row, compare_systems, mid_p_sign_test
from spandrel_evals.statistics.corrected_rate import Calibration, corrected_rate
from spandrel_evals.statistics.intervals import bootstrap_interval
from spandrel_evals.statistics.seeded_random import random_floats

LABELS = ("a", "b", "c")
REPLICATES = 40


def random_study(seed: str) -> dict[str, Any]:
    """The order of the draws is part of the study."""
    draw = random_floats(seed)

    def below(count: int) -> int:
        return int(draw() * count)

    pairs = []
    for _ in range(5 + below(60)):
        human = LABELS[below(3)]
        pairs.append((human, human if draw() < 0.6 else LABELS[below(3)]))
    units = [[None if draw() < 0.2 else below(4) for _ in range(3)] for _ in range(4 + below(20))]
    values = [below(200) / 10 - 8 for _ in range(2 + below(30))]
    rows = []
    for _ in range(8 + below(40)):
        a, b = below(2), below(2)
        rows.append(Row(a, b, f"s{below(12)}"))
    count = 1 + below(900)
    positives = below(count + 1)
    true_positives = 10 + below(90)
    false_negatives = below(10)
    true_negatives = 10 + below(90)
    false_positives = below(10)
    calibration = Calibration(true_positives, false_negatives, true_negatives, false_positives)
    verdicts = [GroupedVerdict(LABELS[below(3)], draw() < 0.5, below(3) / 2) for _ in range(below(80))]
    ups, downs = below(40), below(40)
    return {
        "quality": label_quality(pairs, "a"),
        "kappa": cohen_kappa(pairs),
        "weightedKappa": weighted_kappa(pairs, LABELS, "quadratic", seed=seed, replicates=REPLICATES),
        "alpha": krippendorff_alpha(units, "ordinal", seed=seed, replicates=REPLICATES),
        "bootstrap": bootstrap_interval(values, seed, REPLICATES),
        "plain": compare_systems([Row(row.a, row.b) for row in rows]).difference,
        "clustered": compare_systems(rows, calibration=calibration),
        "roganGladen": corrected_rate(positives, count, calibration),
        "predictionPowered": corrected_rate(positives, count, calibration, "prediction_powered"),
        "bias": stratified_difference(verdicts),
        "midP": mid_p_sign_test(ups, downs),
    }


def to_json(value: Any) -> Any:
    """Named tuples as objects with keys in camelCase."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    elif hasattr(value, "__dataclass_fields__"):
        value = vars(value)
    if isinstance(value, dict):
        return {_to_camel(key): to_json(each) for key, each in value.items() if key != "agreed"}
    return [to_json(each) for each in value] if isinstance(value, list) else value


def _to_camel(key: str) -> str:
    first, *rest = key.split("_")
    return first + "".join(part.capitalize() for part in rest)


if __name__ == "__main__":
    cases = [
        {"function": "randomStudy", "arguments": {"seed": f"study {number}"}, "expected": to_json(random_study(f"study {number}"))}
        for number in range(int(sys.argv[1]))
    ]
    print('{"cases": [\n' + ",\n".join(json.dumps(case) for case in cases) + "\n]}")
