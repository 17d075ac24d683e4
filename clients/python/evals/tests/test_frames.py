"""Frames, beside the library whose columns they have."""

from __future__ import annotations

import asyncio
import inspect
import unittest
import warnings
from typing import Any

import pandas
import phoenix.evals as theirs
import polars

import spandrel_evals as ours
from spandrel_evals import FakeJudge, FakeModel, async_evaluate_dataframe, create_classifier, create_evaluator, evaluate_dataframe
from spandrel_evals.errors import InputError, RunStopped
from spandrel_evals.fake_model import FakeModelServer
from spandrel_evals.frames.annotations import to_annotation_dataframe

FRAME = pandas.DataFrame(
    {"span_id": [f"{n:016x}" for n in range(6)], "output": [f"text {n} truth={n % 2}" for n in range(6)]}, index=[f"r{n}" for n in range(6)]
)


def functions(library: Any) -> list[Any]:
    """The same evaluators, made by either library."""

    @library.create_evaluator(name="size")
    def size(output: str) -> int:
        return len(output)

    @library.create_evaluator(name="odd", direction="minimize")
    def odd(output: str) -> bool:
        return output.endswith("1")

    @library.create_evaluator(name="parts", kind="human")
    def parts(output: str) -> Any:
        return {"score": 0.5, "label": "half", "explanation": "because", "other": 1}

    @library.create_evaluator(name="several")
    def several(output: str) -> Any:
        return (0.25, "low", "one two three four")

    @library.create_evaluator(name="sometimes")
    def sometimes(output: str) -> Any:
        if "3" in output:
            raise ValueError("not this one")
        return "fine"

    return [size, odd, parts, several, sometimes]


class TestBeside(unittest.TestCase):
    def test_both_libraries_give_the_same_columns_and_scores(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = theirs.evaluate_dataframe(FRAME, functions(theirs), hide_tqdm_bar=True, exit_on_error=False, max_retries=0)
        found = evaluate_dataframe(FRAME, functions(ours), hide_tqdm_bar=True, exit_on_error=False, max_retries=0)

        self.assertEqual(list(found.columns), list(expected.columns))
        self.assertEqual(list(found.index), list(expected.index))
        for column in expected.columns:
            for mine, other in zip(found[column], expected[column]):
                if column.endswith("_execution_details"):
                    mine, other = ({key: value for key, value in one.items() if key != "execution_seconds"} for one in (mine, other))
                self.assertEqual(mine, other if other is None or other == other else None, column)
        annotations = to_annotation_dataframe(found, ["odd", "parts"])
        other = theirs.utils.to_annotation_dataframe(expected, ["odd", "parts"])
        self.assertEqual(annotations.to_dict("records"), other.to_dict("records"))

    def test_both_libraries_give_the_same_labels_through_a_vendor(self) -> None:
        judge = FakeJudge(sensitivity=0.7, specificity=0.7)
        with FakeModelServer(FakeModel(lambda text, labels: judge.decide(text[-20:], labels))) as server:
            results = []
            for library in (theirs, ours):
                llm = library.LLM(provider="openai", model="gpt-4o-mini", base_url=f"{server.url}/v1", api_key="k")
                evaluator = library.create_classifier(name="ok", prompt_template="Judge {{output}}", llm=llm, choices={"good": 1, "bad": 0})
                frame = library.evaluate_dataframe(FRAME, [evaluator], hide_tqdm_bar=True)
                results.append((list(frame.columns), [(one["label"], one["score"], one["kind"], one["metadata"]["model"]) for one in frame["ok_score"]]))
        self.assertEqual(results[0], results[1])
        self.assertEqual({label for label, *_ in results[1][1]}, {"good", "bad"})

    def test_every_export_is_here_or_has_a_reason(self) -> None:
        without = {"download_benchmark_dataset"}  # a public bucket of another project
        self.assertEqual(set(theirs.__all__) - set(dir(ours)), without & set(theirs.__all__))
        for name in ("Score", "Evaluator", "LLMEvaluator", "ClassificationEvaluator", "create_classifier", "create_evaluator", "bind_evaluator", "PromptTemplate"):
            if not hasattr(theirs, name):
                continue
            wanted = set(inspect.signature(getattr(theirs, name)).parameters) - {"kwargs", "args"}
            have = set(inspect.signature(getattr(ours, name)).parameters)
            self.assertEqual(wanted - have, set(), name)


class TestFrames(unittest.TestCase):
    def evaluators(self) -> list[Any]:
        return [create_classifier("ok", "{{output}}", FakeModel(FakeJudge(sensitivity=1, specificity=1)).llm(), {"good": 1, "bad": 0}), *functions(ours)]

    def test_sync_and_async_give_the_same_frame(self) -> None:
        one = evaluate_dataframe(FRAME, self.evaluators(), hide_tqdm_bar=True)
        other = asyncio.run(async_evaluate_dataframe(FRAME, self.evaluators(), concurrency=2, hide_tqdm_bar=True))
        for column in [name for name in one.columns if name.endswith("_score")]:
            self.assertEqual(list(one[column]), list(other[column]))
        self.assertEqual(list(FRAME.columns), ["span_id", "output"])

    def test_a_frame_of_polars_gets_json_texts(self) -> None:
        frame = evaluate_dataframe(polars.from_pandas(FRAME), self.evaluators(), hide_tqdm_bar=True)
        long = to_annotation_dataframe(frame)
        self.assertEqual(len(long), 6 * 5 + 5)
        self.assertEqual(set(long["annotator_kind"]), {"LLM", "CODE", "HUMAN"})
        self.assertEqual(long.iloc[0]["metadata"]["direction"], "maximize")

    def test_a_stopped_run_leaves_the_rest_as_did_not_run(self) -> None:
        with FakeModelServer(FakeModel(api_key="right")) as server:
            llm = ours.LLM(provider="openai-compatible", model="m", base_url=f"{server.url}/v1", api_key="wrong")
            with self.assertRaises(RunStopped) as caught:
                evaluate_dataframe(FRAME, [create_classifier("ok", "{{output}}", llm, ["a", "b"])], hide_tqdm_bar=True)
        frame = caught.exception.dataframe  # type: ignore[attr-defined]
        self.assertEqual({one["status"] for one in frame["ok_execution_details"]}, {"DID NOT RUN"})
        self.assertEqual(list(frame["ok_score"]), [None] * 6)

    def test_what_cannot_be_a_frame_is_one_line(self) -> None:
        @create_evaluator(name="other")
        def other(output: str) -> int:
            return 1

        for data, evaluators, options, message in (
            ([{"output": "x"}], [other], {}, "expected a frame"),
            (FRAME, [other, other], {}, "two evaluators"),
            (FRAME, [other], {"repetitions": 2}, "one row for each"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                evaluate_dataframe(data, evaluators, **options)
        with self.assertRaisesRegex(InputError, "no column or index with span_id"):
            to_annotation_dataframe(pandas.DataFrame({"a_score": [None]}))
        with self.assertRaisesRegex(InputError, "there is no score b"):
            to_annotation_dataframe(FRAME.assign(a_score=None), ["b"])
        with self.assertRaisesRegex(InputError, "row 0, a_score: nonsense is no JSON"):
            to_annotation_dataframe(FRAME.assign(a_score="nonsense"))


if __name__ == "__main__":
    unittest.main()
