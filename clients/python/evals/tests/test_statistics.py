"""Statistics against the cases that all languages share."""

from __future__ import annotations

import random
import unittest
from typing import Any

from shared_cases import check_cases
from spandrel_evals import statistics
from spandrel_evals.statistics import Calibration, Row
from spandrel_evals.statistics.seeded_random import random_floats


def random_numbers(seed: str, count: int) -> list[float]:
    draw = random_floats(seed)
    return [draw() for _ in range(count)]


def to_calibration(value: dict[str, int]) -> Calibration:
    names = ("truePositives", "falseNegatives", "trueNegatives", "falsePositives")
    return Calibration(*(value[name] for name in names))


def pairs_of(pairs: list[list[str]]) -> list[tuple[str, str]]:
    return [(human, judge) for human, judge in pairs]


FUNCTIONS: dict[str, Any] = {
    "wilsonInterval": statistics.wilson_interval,
    "jeffreysInterval": statistics.jeffreys_interval,
    "pairedShareInterval": statistics.paired_share_interval,
    "randomFloats": random_numbers,
    "cohenKappa": lambda pairs: statistics.cohen_kappa(pairs_of(pairs)),
    "weightedKappa": lambda pairs, **options: statistics.weighted_kappa(pairs_of(pairs), **options),
    "krippendorffAlpha": statistics.krippendorff_alpha,
    "confusionMatrix": lambda pairs, labels: statistics.confusion_matrix(pairs_of(pairs), labels),
    "labelQuality": lambda pairs, positive: statistics.label_quality(pairs_of(pairs), positive),
    "peopleAgreement": statistics.people_agreement,
    "labelsToHalve": statistics.labels_to_halve,
    "splitOf": statistics.split_of,
    "correctedRate": lambda calibration, **arguments: statistics.corrected_rate(
        calibration=to_calibration(calibration), **arguments
    ),
    "bootstrapInterval": statistics.bootstrap_interval,
    "describeDifference": statistics.describe_difference,
    "compareSystems": lambda rows, calibration=None, **options: statistics.compare_systems(
        [Row(**row) for row in rows], calibration=calibration and to_calibration(calibration), **options
    ),
}


class TestStatistics(unittest.TestCase):
    def test_numbers_are_those_of_other_languages(self) -> None:
        check_cases(self, "statistics.json", FUNCTIONS)

    def test_a_judge_near_chance_is_refused_with_the_labels_of_people_alone(self) -> None:
        with self.assertRaisesRegex(statistics.JudgeNearChanceError, r"not clearly better than chance.*0\.500 \(0\.348"):
            statistics.corrected_rate(300, 1000, Calibration(10, 9, 10, 9))
        with self.assertRaisesRegex(statistics.JudgeNearChanceError, "gave no negative label"):
            statistics.corrected_rate(300, 1000, Calibration(10, 9, 0, 0))

    def test_a_perfect_judge_with_many_labels_corrects_nothing(self) -> None:
        for method in ("rogan_gladen", "prediction_powered"):
            found = statistics.corrected_rate(3_000, 10_000, Calibration(30_000, 0, 70_000, 0), method)  # type: ignore[arg-type]
            self.assertAlmostEqual(found.rate, 0.3, 6)
            self.assertAlmostEqual(found.low, found.naive.low or 0, delta=0.01)

    def test_splits_have_their_shares_and_do_not_overlap(self) -> None:
        parts = [statistics.split_of(f"row {number}") for number in range(4_000)]
        for part, share in (("held_out", 0.5), ("tuning", 0.3), ("examples", 0.2)):
            self.assertAlmostEqual(parts.count(part) / len(parts), share, 1)

    def test_sessions_widen_the_interval_if_their_rows_agree(self) -> None:
        draw = random.Random(3)
        rows = []
        for session in range(40):
            shift = draw.choice([0, 1])
            rows += [Row(0, shift, session) for _ in range(10)]
        clustered = statistics.compare_systems(rows).difference
        plain = statistics.compare_systems([Row(row.a, row.b) for row in rows]).difference
        self.assertGreater((clustered.high or 0) - (clustered.low or 0), 2.5 * ((plain.high or 0) - (plain.low or 0)))
