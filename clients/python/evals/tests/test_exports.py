"""docs/exports.md against the package: names, parameters, defaults, inputs and labels."""

from __future__ import annotations

import importlib
import inspect
import re
import unittest
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import spandrel_evals
from spandrel_evals import FakeModel, Score, evaluate_dataframe, metrics, to_annotation_dataframe

PAGE = (Path(__file__).resolve().parents[1] / "docs/exports.md").read_text("utf-8")
NAME = r"`([\w.]+)"


def section(title: str) -> str:
    return PAGE.split(f"## {title}\n")[1].split("\n## ")[0]


def stated(name: str, parameters: str) -> list[inspect.Parameter]:
    """The parameters as the page states them. A method has no self there."""
    namespace: dict[str, Any] = {}
    exec(f"def stated({parameters}): ...", namespace)
    return list(inspect.signature(namespace["stated"]).parameters.values())


def received(function: Any, is_method: bool) -> dict[str, inspect.Parameter]:
    parameters = inspect.signature(function).parameters
    return dict(list(parameters.items())[1:]) if is_method else dict(parameters)


class TestExports(unittest.TestCase):
    def test_signatures_are_those_of_the_page(self) -> None:
        rows = re.findall(rf"^\| {NAME}\((.*?)\)` \| `([\w.]+)` \|", section("Classes and functions"), re.M)
        self.assertGreater(len(rows), 30)
        for name, parameters, module in rows:
            with self.subTest(name):
                value: Any = importlib.import_module(module)
                for part in name.split("."):
                    value = getattr(value, part)
                found = received(value, is_method="." in name)
                for wanted in stated(name, parameters):
                    if wanted.kind is inspect.Parameter.VAR_KEYWORD:
                        self.assertIn(wanted.kind, [one.kind for one in found.values()])
                        continue
                    ours = found.pop(wanted.name)
                    self.assertEqual(ours.kind, wanted.kind, wanted.name)
                    if wanted.default is not inspect.Parameter.empty:
                        self.assertEqual(ours.default, wanted.default, wanted.name)
                for ours in found.values():
                    optional = ours.kind in (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
                    self.assertTrue(optional or ours.default is not inspect.Parameter.empty, ours.name)

    def test_other_names_exist(self) -> None:
        text = section("Classes and functions").split("\n\n")[-1]
        for name in re.findall(rf"{NAME}`", text):
            owner = metrics if name == "exact_match" else spandrel_evals
            if not name.startswith("spandrel_evals"):
                self.assertTrue(hasattr(owner, name), name)

    def test_judges_have_the_inputs_and_labels_of_the_page(self) -> None:
        rows = re.findall(rf"^\| {NAME}` \| (\w+) \| (.*?) \| (.*?) \| (\w+) \|", section("Judges"), re.M)
        self.assertEqual(len(rows), 14)
        for name, metric, inputs, labels, direction in rows:
            with self.subTest(name):
                judge = getattr(metrics, name)(FakeModel().llm())
                self.assertEqual((judge.name, judge.direction), (metric, direction))
                self.assertEqual(sorted(judge.fields()[0]), sorted(inputs.split(", ")))
                self.assertEqual(list(judge.scores_by_label.items()), list(zip(labels.split(", "), (1, 0), strict=True)))

    @unittest.skipUnless(find_spec("pandas"), "pandas is not installed")
    def test_frames_have_the_columns_of_the_page(self) -> None:
        import pandas

        frame = evaluate_dataframe(pandas.DataFrame({"span_id": ["a"], "output": ["x"], "expected": ["x"]}), [metrics.exact_match], hide_tqdm_bar=True)
        columns = section("Columns")
        self.assertEqual(list(frame.columns[-2:]), ["exact_match_execution_details", "exact_match_score"])
        for key in frame["exact_match_execution_details"][0]:
            self.assertIn(f"`{key}`", columns)
        self.assertEqual(list(to_annotation_dataframe(frame).columns), ["span_id", *re.findall(r"`(\w+)`", columns.split("then ")[1].split(" |")[0].replace("(with `direction`)", ""))])
        self.assertEqual(frame["exact_match_score"][0], Score(name="exact_match", score=1.0, kind="code").to_dict())


if __name__ == "__main__":
    unittest.main()
