"""Bias checks of fake judges whose biases are known."""

from __future__ import annotations

import json
import random
import unittest
from typing import Any

from spandrel_evals import ClassificationEvaluator, FakeJudge, FakeModel, metrics
from spandrel_evals.bias import CHECKS, check_biases, family_of
from spandrel_evals.bias.finding import Finding
from spandrel_evals.bias.report import BiasReport


def rows(count: int = 400) -> list[dict[str, Any]]:
    draw = random.Random(4)
    made = []
    for number in range(count):
        truth = draw.randrange(2)
        text = f"Answer {number} truth={truth}. " + "More words follow here. " * draw.choice([1, 30])
        label = "correct" if truth else "incorrect"
        made.append({"input": "q", "output": text, "human_label": label, "model": draw.choice(["gpt-4o", "claude-3"])})
    return made


def found(report: BiasReport) -> list[str]:
    return [finding.check for finding in report.found]


def check(judge: Any, checks: tuple[str, ...] = CHECKS, data: Any = None) -> BiasReport:
    return check_biases(metrics.CorrectnessEvaluator(FakeModel(judge).llm()), data or rows(), checks=checks)


class TestBiases(unittest.TestCase):
    def test_a_judge_without_biases_raises_no_alarm(self) -> None:
        report = check(FakeJudge(sensitivity=0.9, specificity=0.9, seed=2))
        self.assertEqual(found(report), [], str(report))
        self.assertEqual([finding.check for finding in report.findings], list(CHECKS))
        self.assertRegex(str(report), "order +skipped")

    def test_planted_biases_are_found(self) -> None:
        for bias, name in (
            ("length", "length"),
            ("formatting", "formatting"),
            ("instructions", "instructions"),
            ("first_label", "labels reversed"),
        ):
            with self.subTest(name):
                judge = FakeJudge(sensitivity=0.9, specificity=0.9, positive="correct", biases={bias: 0.4}, seed=5)
                report = check(judge, (name,))
                self.assertEqual(found(report), [name], str(report))
                self.assertGreater(abs(report.findings[0].effect or 0), 0.05)

    def test_a_judge_that_knows_the_names_of_the_labels_only(self) -> None:
        report = check(lambda text, labels: "correct" if "correct" in labels else labels[1], ("labels renamed",))
        self.assertEqual(found(report), ["labels renamed"])
        self.assertIn("With neutral names of the labels, it chooses correct less often: -100.0 points", str(report))

    def test_a_judge_that_wavers(self) -> None:
        model = FakeModel(FakeJudge(sensitivity=0.6, specificity=0.6), is_repeatable=False).llm()
        report = check_biases(metrics.CorrectnessEvaluator(model), rows(100), checks=["repetition"])
        self.assertEqual(found(report), ["repetition"])
        self.assertRegex(report.sentences()[0], r"changes \d\d\.\d% of its verdicts")

    def test_the_order_of_two_answers(self) -> None:
        data = [{"input": "q", "first": f"a {number}", "second": "b"} for number in range(60)]
        model = FakeModel(lambda text, labels: "first").llm()
        report = check_biases(metrics.PreferenceEvaluator(model), data, checks=["order", "labels renamed"])
        self.assertEqual(found(report), ["order"])
        self.assertIn("It prefers whatever comes first: +100.0 points", report.findings[0].sentence)

    def test_the_family_of_the_judge(self) -> None:
        model = FakeModel(lambda text, labels: labels["gpt" not in text])
        data = [{**row, "output": f"{row['output']} by {row['model']}"} for row in rows(200)]
        evaluator = metrics.CorrectnessEvaluator(model.llm("gpt-4o-mini"))
        report = check_biases(evaluator, data, checks=["own family"])
        self.assertIn("more often to texts of OpenAI, its own family", report.findings[0].sentence)
        names = ["us.anthropic.claude-3", "o3-mini", "models/gemini-2", "deepseek-r1-distill-llama", "my-model"]
        self.assertEqual([family_of(name) for name in names], ["Anthropic", "OpenAI", "Google", "DeepSeek", None])

    def test_checks_that_cannot_run_say_why(self) -> None:
        data = [{"text": "a", "label": "x"}] * 3
        evaluator = ClassificationEvaluator(
            name="plain", llm=FakeModel().llm(), prompt_template="Judge {{text}}", choices=["good", "bad"]
        )
        report = check_biases(evaluator, data)
        reasons = {finding.check: finding.sentence for finding in report.findings if finding.status == "skipped"}
        self.assertIn("no row has a label of people", reasons["length"])
        self.assertIn("is unknown", reasons["own family"])
        self.assertIn("cannot be renamed", reasons["labels renamed"])
        with self.assertRaisesRegex(ValueError, "there is no check colour"):
            check_biases(evaluator, data, checks=["colour"])
        with self.assertRaisesRegex(ValueError, "row 0: .*text"):
            check_biases(evaluator, [{"other": "a"}])

    def test_the_report_is_html_without_markup_of_rows_and_json(self) -> None:
        finding = Finding("length", "found", 1, 0.1, 0.0, 0.2, 0.01, "<script>alert(1)</script>", 0.0001)
        report = BiasReport("<b>judge</b>", "output", "good", 1, [finding])
        self.assertNotIn("<script>", report.to_html())
        self.assertNotIn("<b>", report.to_html())
        self.assertEqual(json.loads(json.dumps(report.to_dict()))["findings"][0]["effect"], 0.1)
