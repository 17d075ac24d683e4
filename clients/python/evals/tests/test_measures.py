"""Metrics without a model, and the prompts of the judges, against the cases that all languages share."""

from __future__ import annotations

import random
import unittest
from typing import Any

from shared_cases import check_cases
from spandrel_evals import PromptTemplate, metrics
from spandrel_evals.measures import json_values, levenshtein, lists, overlap, precision_recall, trajectory


def one(evaluator: Any, **fields: Any) -> Any:
    (score,) = evaluator.evaluate(fields)
    return score


def limited(evaluator: Any, **fields: Any) -> dict[str, Any]:
    score = one(evaluator, **fields)
    return {"score": score.score, "label": score.label}


FUNCTIONS = {
    "exactMatch": lambda expected, output, case_sensitive=True: (
        metrics.exact_match(output, expected)
        if case_sensitive
        else metrics.exact_match(output.lower(), expected.lower())
    ),
    "contains": lambda words, text, **options: one(metrics.Contains(words, **options), output=text).score,
    "matchesRegex": lambda pattern, output, **options: one(metrics.MatchesRegex(pattern, **options), output=output).score,
    "validJson": lambda output: one(metrics.ValidJson(), output=output).score,
    "jsonSchema": lambda output, schema: one(metrics.MatchesJsonSchema(schema), output=output).score,
    "jsonDistance": lambda expected, actual, **options: json_values.json_distance(expected, actual, **options),
    "levenshtein": lambda expected, actual, **options: levenshtein.levenshtein_distance(expected, actual, **options),
    "numericDifference": lists.numeric_difference,
    "listOverlap": lists.list_overlap,
    "bleu": overlap.bleu,
    "rougeL": overlap.rouge_l,
    "chrf": overlap.chrf,
    "trajectoryMatch": lambda **arguments: int(trajectory.trajectory_match(**arguments)),
    "precisionRecallF": precision_recall.precision_recall_f,
    "embeddingSimilarity": lists.cosine_similarity,
    "latency": lambda latency_ms, maximum_ms=None: limited(metrics.Latency(maximum_ms), latency_ms=latency_ms),
    "cost": lambda cost, maximum=None: limited(metrics.Cost(maximum), cost=cost),
}


def render(template: str, variables: dict[str, Any]) -> str:
    return PromptTemplate(template=template, template_format="mustache").render(variables)[0]["content"]


def judge_messages(judge: str, values: dict[str, str], examples: Any = ()) -> Any:
    file = metrics.find_judge(judge)
    return file.with_examples([metrics.Example(**each) for each in examples]).messages(values)


class TestSharedCases(unittest.TestCase):
    def test_metrics_give_the_numbers_of_other_languages(self) -> None:
        check_cases(self, "metrics.json", FUNCTIONS)

    def test_templates_in_mustache_render_as_on_the_server(self) -> None:
        check_cases(self, "mustache.json", {"renderMustache": render})

    def test_judges_ask_with_the_bytes_of_the_server(self) -> None:
        check_cases(self, "judge-messages.json", {"judgeMessages": judge_messages})


class TestMeasures(unittest.TestCase):
    def test_bit_parallel_distances_are_those_of_the_table(self) -> None:
        draw = random.Random(7)
        for _ in range(300):
            first, second = ("".join(draw.choices("abé😀", k=draw.randrange(1, 40))) for _ in range(2))
            self.assertEqual(levenshtein.bit_parallel_distance(first, second), plain_distance(first, second))
            self.assertEqual(levenshtein.levenshtein_distance(first, second), plain_distance(first, second))
            words = ["".join(draw.choices("ab", k=2)) for _ in range(12)], ["".join(draw.choices("ab", k=2)) for _ in range(9)]
            self.assertEqual(overlap.common_length(*words), plain_common(*words))

    def test_values_that_cannot_be_compared_say_why(self) -> None:
        for evaluator, fields, problem in (
            (metrics.LevenshteinDistance(), {"output": "a" * 60_000, "expected": "b"}, "at most|maximum is 50,000"),
            (metrics.LevenshteinDistance(), {"output": None, "expected": "b"}, "output is missing"),
            (metrics.LevenshteinDistance(), {"output": "b"}, "expected"),
            (metrics.JsonDistance(), {"output": "{", "expected": "{}"}, "'output' is not valid JSON"),
            (metrics.JsonDistance(), {"output": "[" * 200_000, "expected": "{}"}, "not valid JSON: .*deep"),
            (metrics.TrajectoryMatch(), {"output": 5, "expected": []}, "expected a list of tool calls"),
            (metrics.Cost(), {"model": "no-such-model"}, "price of the model no-such-model|price of the model 'no-such-model'"),
            (metrics.Latency(), {"latency_ms": float("nan")}, "expected a number"),
        ):
            with self.subTest(problem), self.assertRaisesRegex(ValueError, problem):
                evaluator.evaluate(fields)
        for make, problem in (
            (lambda: metrics.MatchesRegex("("), "no regular expression"),
            (lambda: metrics.MatchesJsonSchema({"type": "text"}), "'text' is not one of"),
            (lambda: metrics.MatchesJsonSchema({"$ref": "#"}), "without an end"),
            (lambda: metrics.TrajectoryMatch("any"), "must be one of"),  # type: ignore[arg-type]
            (lambda: metrics.PrecisionRecallFScore(average="mean"), "must be one of"),  # type: ignore[arg-type]
            (lambda: metrics.find_judge("../correctness"), "there is no judge"),
        ):
            with self.subTest(problem), self.assertRaisesRegex(ValueError, problem):
                make()

    def test_precision_recall_and_f_are_three_scores_with_names(self) -> None:
        row = {"expected": ["a", "b", "a"], "output": ["a", "a", "b"]}
        names = [score.name for score in metrics.PrecisionRecallFScore(beta=0.5, average="weighted").evaluate(row)]
        self.assertEqual(names, ["precision_weighted", "recall_weighted", "f0_5_weighted"])
        scores = metrics.PrecisionRecallFScore(positive_label="a").evaluate(row)
        self.assertEqual([score.name for score in scores], ["precision", "recall", "f1"])
        self.assertEqual(scores[0].metadata["labels"], ["a", "b"])

    def test_embeddings_come_from_a_function(self) -> None:
        evaluator = metrics.EmbeddingSimilarity(lambda texts: [[len(text), 1] for text in texts])
        self.assertAlmostEqual(one(evaluator, output="abc", expected="xyz").score, 1.0)


def plain_distance(first: str, second: str) -> int:
    row = list(range(len(second) + 1))
    for i, x in enumerate(first):
        following = [i + 1]
        for j, y in enumerate(second):
            following.append(min(row[j + 1] + 1, following[j] + 1, row[j] + (x != y)))
        row = following
    return row[-1]


def plain_common(first: list[str], second: list[str]) -> int:
    row = [0] * (len(second) + 1)
    for x in first:
        following = [0]
        for j, y in enumerate(second):
            following.append(row[j] + 1 if x == y else max(row[j + 1], following[j]))
        row = following
    return row[-1]
