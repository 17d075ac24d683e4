"""The package on one Python, with pydantic and httpx alone: every module, the code metrics, and runs with the fake model.

test/clients/python-evals.test.ts runs it on each Python that scripts/python-clients.sh has found. The name keeps it out of the other tests.
"""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
import sys
import tempfile
import unittest
from pathlib import Path

import spandrel_evals
from spandrel_evals import FakeJudge, FakeModel, async_evaluate, create_classifier, create_evaluator, evaluate, metrics


class TestPython(unittest.TestCase):
    def test_every_module_is_imported(self) -> None:
        names = [one.name for one in pkgutil.walk_packages(spandrel_evals.__path__, "spandrel_evals.") if not one.name.endswith("__main__")]
        self.assertGreater(len(names), 90)
        for name in names:
            importlib.import_module(name)
        for name in dir(spandrel_evals):
            getattr(spandrel_evals, name)

    def test_runs_give_scores_and_errors(self) -> None:
        @create_evaluator(name="later")
        async def later(output: str, least: "int | None" = None) -> bool:
            await asyncio.sleep(0)
            return len(output) > (least or 3)

        llm = FakeModel(FakeJudge(sensitivity=1, specificity=1)).llm()
        judges = [create_classifier("ok", "{{output}}", llm, {"good": 1, "bad": 0}), metrics.Contains("truth"), later]
        rows = [{"output": f"answer {number} truth={number % 2}"} for number in range(40)]
        with tempfile.TemporaryDirectory() as folder:
            options = {"checkpoint": Path(folder) / "run", "cache": Path(folder) / "answers.sqlite", "progress": False}
            first = evaluate([*rows, {"other": 1}], judges, **options)
            second = asyncio.run(async_evaluate([*rows, {"other": 1}], judges, **options))
        self.assertEqual([row.score("ok").score for row in first.rows[:40]], [number % 2 for number in range(40)])
        self.assertEqual((len(first.errors()), second.summary.restored), (3, 40))


if __name__ == "__main__":
    tests = unittest.TestSuite()
    for module in ("__main__", "test_measures", "test_exports"):
        tests.addTests(unittest.defaultTestLoader.loadTestsFromName(module))
    sys.exit(not unittest.TextTestRunner().run(tests).wasSuccessful())
