"""Calibration of fake judges whose quality is known."""

from __future__ import annotations

import json
import unittest
from typing import Any

from spandrel_evals import FakeJudge, FakeModel, bind_evaluator, metrics
from spandrel_evals.calibration import Shares, calibrate, find_drift, read_labels
from spandrel_evals.improve import choose_examples, compare_versions

LABELS = ("correct", "incorrect")


def rows(count: int, people: int = 1) -> list[dict[str, Any]]:
    made = []
    for number in range(count):
        truth = number % 2
        label: Any = LABELS[1 - truth]
        if people > 1:
            # Every tenth row divides them.
            label = {f"p{person}": LABELS[(1 - truth + (person == 0 and number % 10 == 0)) % 2] for person in range(people)}
        text = f"answer {number} truth={truth}"
        made.append({"id": f"r{number}", "question": f"q{number}", "output": text, "human_label": label})
    return made


def judge(sensitivity: float = 0.9, specificity: float = 0.8, seed: int = 1, **options: Any) -> Any:
    model = FakeModel(FakeJudge(sensitivity=sensitivity, specificity=specificity, seed=seed)).llm()
    return bind_evaluator(evaluator=metrics.CorrectnessEvaluator(model, **options), input_mapping={"input": "question"})


class TestCalibrate(unittest.TestCase):
    def test_finds_the_quality_of_the_judge_and_keeps_the_parts_apart(self) -> None:
        report = calibrate(judge(), rows(600))
        quality = report.held_out.quality
        self.assertTrue((quality.sensitivity.low or 1) <= 0.9 <= (quality.sensitivity.high or 0), quality)
        self.assertTrue((quality.specificity.low or 1) <= 0.8 <= (quality.specificity.high or 0), quality)
        self.assertEqual(report.held_out.positive, "correct")
        self.assertEqual(sum(map(sum, report.held_out.matrix.matrix)), report.held_out.count)
        self.assertEqual({row.labelled.split for row in report.disagreements}, {"tuning", "examples"})
        self.assertEqual(report.judge, {"model": "fake-model", "judge": "correctness", "judge_version": "1"})
        corrected = report.corrected_rate(positives=550, count=1_000)
        self.assertTrue(corrected.low < corrected.rate < corrected.high)
        self.assertGreater(report.labels_to_halve or 0, report.held_out.count)
        self.assertIn("agrees with people on", str(report))
        self.assertIn("disagreements", json.loads(json.dumps(report.to_dict())))

    def test_people_are_the_ceiling_and_split_rows_do_not_count(self) -> None:
        report = calibrate(judge(), rows(100, people=2))
        assert report.people is not None
        self.assertAlmostEqual(report.people.share.value or 0, 0.9)
        self.assertEqual(report.split_count, 10)
        self.assertIn("People agree with each other on 90.0%", str(report))
        self.assertIsNotNone(report.people.alpha.alpha)

    def test_failures_are_counted_apart(self) -> None:
        model = FakeModel(lambda text, labels: "nonsense" if "answer 3 " in text else labels[0]).llm()
        evaluator = bind_evaluator(evaluator=metrics.CorrectnessEvaluator(model), input_mapping={"input": "question"})
        report = calibrate(evaluator, rows(40), shares=Shares(1, 0))
        self.assertEqual((report.error_count, report.held_out.count), (1, 39))
        self.assertIn("nonsense", report.errors[0])

    def test_bad_labels_are_one_line(self) -> None:
        cases: list[tuple[Any, dict[str, Any], str]] = [
            ([{"output": "a"}], {}, "row 0 has no column human_label"),
            ([{"output": "a", "human_label": None}], {}, "no row has a label"),
            ([{"output": "a", "human_label": 3}], {}, "expected a text"),
            ([{"id": "1", "human_label": "correct"}] * 2, {}, "has the key 1 of another row"),
            (rows(4), {"positive": "good"}, "positive has the label good; expected one of correct, incorrect"),
            ([{"id": "1", "human_label": "good"}], {}, "people gave the label good; correctness has only correct, incorrect"),
            (rows(4), {"shares": Shares(0.9, 0.5)}, "from 0 to 1 together"),
        ]
        for data, options, problem in cases:
            with self.subTest(problem), self.assertRaisesRegex(ValueError, problem):
                calibrate(judge(), data, **options)

    def test_a_row_in_the_prompt_measures_nothing(self) -> None:
        data = rows(40)
        row = next(each for each in read_labels(data) if each.split == "held_out")
        shown = metrics.Example({"input": row.row["question"], "output": row.row["output"]}, "Because.", "correct")
        evaluator = bind_evaluator(
            evaluator=metrics.CorrectnessEvaluator(FakeModel().llm(), examples=[shown]), input_mapping={"input": "question"}
        )
        with self.assertRaisesRegex(ValueError, "of the part held_out is an example in the prompt"):
            calibrate(evaluator, data)

    def test_drift_is_the_change_with_its_interval(self) -> None:
        data = rows(300)
        earlier, later = calibrate(judge(0.95, 0.95), data), calibrate(judge(0.7, 0.7, seed=2), data)
        drift = find_drift(earlier, later)
        self.assertEqual(drift.count, 300)
        self.assertEqual(drift.agreement.verdict, "worse")
        self.assertRegex(drift.sentence, r"its agreement with people fell by 2\d\.\d points")
        same = find_drift(earlier, calibrate(judge(0.95, 0.95), data))
        self.assertEqual((same.changed, same.agreement.verdict), (0, "unclear"))


class TestImprove(unittest.TestCase):
    def test_examples_come_from_disagreements_of_their_part_and_never_measure(self) -> None:
        data = rows(400)
        evaluator = judge(0.7, 0.7)
        report = calibrate(evaluator, data)
        examples = choose_examples(evaluator, report, 4)
        self.assertEqual(len(examples), 4)
        self.assertEqual([example.label for example in examples], ["correct", "incorrect"] * 2)
        parts = {(row.row["question"], row.row["output"]): row.split for row in read_labels(data)}
        self.assertEqual({parts[each.values["input"], each.values["output"]] for each in examples}, {"examples"})
        judge_file = metrics.find_judge("correctness").with_examples(examples)
        calibrate(evaluator.with_judge(judge_file), data)

    def test_versions_are_compared_on_the_same_rows(self) -> None:
        comparison = compare_versions({"v1": judge(0.7, 0.7), "v2": judge(0.97, 0.97, seed=3)}, rows(500))
        self.assertEqual((comparison.best, comparison.is_clear), ("v2", True))
        self.assertGreater(comparison.versions[1].fixed, comparison.versions[1].broken)
        self.assertIn("Best: v2 (clearly better than v1). On the", str(comparison))
        same = compare_versions({"v1": judge(0.9, 0.9), "v2": judge(0.9, 0.9)}, rows(100))
        self.assertEqual((same.best, same.is_clear), ("v1", False))
