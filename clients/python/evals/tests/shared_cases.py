"""The case files that the server, the Python package and the TypeScript package share."""

from __future__ import annotations

import json
import math
import re
import unittest
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[4] / "test/fixtures/evaluations"


def check_cases(test: unittest.TestCase, file: str, functions: Mapping[str, Callable[..., Any]]) -> None:
    """Runs every case of a file. Arguments are given by name, in snake_case."""
    cases = json.loads((FOLDER / file).read_text("utf-8"))["cases"]
    unknown = {case["function"] for case in cases if "python" in case.get("onlyIn", ["python"])} - set(functions)
    test.assertEqual(unknown, set(), "functions without cases in Python")
    for case in cases:
        if "python" not in case.get("onlyIn", ["python"]):
            continue
        with test.subTest(case["function"], arguments=str(case["arguments"])[:300]):
            arguments = {to_snake(name): value for name, value in case["arguments"].items()}
            run = functions[case["function"]]
            if "error" in case:
                with test.assertRaises(ValueError) as caught:
                    run(**arguments)
                test.assertIn(case["error"], str(caught.exception))
            else:
                assert_close(test, run(**arguments), case["expected"])


def to_snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda found: "_" + found[0].lower(), name)


def assert_close(test: unittest.TestCase, actual: Any, expected: Any, path: str = "$") -> None:
    """Equality of JSON values, with numbers to 1e-9 of their size. Keys of objects may be in snake_case."""
    if hasattr(actual, "_asdict"):
        actual = actual._asdict()
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            actual = vars(actual)
        actual = {to_snake(str(key)): value for key, value in actual.items()}
        for key, value in expected.items():
            test.assertIn(to_snake(key), actual, path)
            assert_close(test, actual[to_snake(key)], value, f"{path}.{key}")
    elif isinstance(expected, list):
        test.assertEqual(len(actual), len(expected), path)
        for index, value in enumerate(expected):
            assert_close(test, actual[index], value, f"{path}[{index}]")
    elif isinstance(expected, (int, float)) and not isinstance(expected, bool):
        test.assertIsInstance(actual, (int, float), path)
        test.assertTrue(math.isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-12), f"{path}: {actual} instead of {expected}")
    else:
        test.assertEqual(actual, expected, path)
