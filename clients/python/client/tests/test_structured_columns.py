"""Structured columns of a frame, and what people do with them in pandas."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa

from spandrel_client import Client
from spandrel_client.frames.json_array import JsonArray
from support import SERVER_URL, unique

VALUES = [{"a": 1}, None, [1, {"b": "x"}], {"a": 3, "b": "ü"}]


def column():
    return JsonArray(pa.array([None if value is None else json.dumps(value) for value in VALUES], pa.large_string()))


class StructuredColumns(unittest.TestCase):
    def setUp(self):
        self.frame = pd.DataFrame({"json": pd.Series(column()), "n": [1, 2, 3, 4], "group": ["p", "p", "q", "q"]})

    def test_results_of_functions_have_their_own_type(self):
        lengths = self.frame["json"].map(lambda value: len(value or []))
        parts = self.frame["json"].map(lambda value: value.get("a") if isinstance(value, dict) else None)
        same = self.frame["json"].map(lambda value: {"kept": value})

        self.assertEqual((lengths.sum(), lengths.dtype), (5, "int64"))
        self.assertEqual(parts.sum(), 4)
        self.assertEqual(same.tolist(), [{"kept": value} for value in VALUES])
        self.assertEqual(self.frame["json"].astype(object).tolist(), VALUES)
        self.assertEqual(self.frame["json"].dropna().astype(str).tolist(), [str(value) for value in VALUES if value])

    def test_cells_are_replaced_one_by_one_and_together(self):
        self.frame.at[1, "json"] = [1, 2]
        self.assertEqual(self.frame["json"].tolist(), [VALUES[0], [1, 2], *VALUES[2:]])
        self.frame.loc[[3, 0], "json"] = [{"new": 3}, {"new": 0}]
        self.assertEqual(self.frame["json"].tolist(), [{"new": 0}, [1, 2], VALUES[2], {"new": 3}])
        self.frame.loc[self.frame["n"] > 2, "json"] = None
        self.assertEqual(self.frame["json"].tolist(), [{"new": 0}, [1, 2], None, None])

        array = column()
        with self.assertRaisesRegex(ValueError, "expected 2 values, got 3"):
            array[[0, 1]] = [1, 2, 3]
        self.assertEqual(list(array), VALUES)
        array[[-1, 0, 0]] = [{"last": 1}, 1, [2]]
        array[1:2] = "text"
        self.assertEqual(list(array), [[2], "text", VALUES[2], {"last": 1}])

    def test_gaps_are_filled_from_another_column(self):
        other = pd.Series(JsonArray._from_sequence([{"other": n} for n in range(4)]))

        self.assertEqual(self.frame["json"].combine_first(other).tolist(), [VALUES[0], {"other": 1}, *VALUES[2:]])
        self.assertEqual(self.frame["json"].where(self.frame["n"] > 2).tolist(), [None, None, *VALUES[2:]])

    def test_lists_are_exploded_to_a_row_an_element(self):
        exploded = self.frame.explode("json")

        self.assertEqual(exploded["json"].tolist(), [VALUES[0], None, 1, {"b": "x"}, VALUES[3]])
        self.assertEqual(exploded["n"].tolist(), [1, 2, 3, 3, 4])

    def test_equal_values_are_found_whatever_the_order_of_their_keys(self):
        twice = JsonArray(pa.array(['{"a":1,"b":2}', '{"b":2,"a":1}', "[1]", None], pa.large_string()))
        frame = pd.DataFrame({"json": pd.Series(twice), "n": [1, 2, 3, 4]})

        self.assertEqual(frame.drop_duplicates("json")["n"].tolist(), [1, 3, 4])
        self.assertEqual(list(frame["json"].unique()), [{"a": 1, "b": 2}, [1], None])
        self.assertEqual(frame["json"].value_counts().tolist(), [2, 1])
        self.assertEqual(sorted(frame.groupby("json")["n"].sum().tolist()), [3, 3])
        self.assertEqual((frame["json"] == frame["json"].iloc[[1, 0, 2, 3]].reset_index(drop=True)).tolist(), [True, True, True, False])
        self.assertEqual(len(frame.sort_values("json")), 4)
        self.assertIn("json", frame.describe(include="all").columns)

    def test_files_are_read_where_this_package_is_not(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "frame.parquet"
            self.frame.to_parquet(path)
            # It does not wait for the threads of pyarrow 22, which abort the process now and then when it ends while they start.
            code = (
                f"import os, pandas; print(pandas.read_parquet({str(path)!r})['json'].dropna().tolist(), flush=True); os._exit(0)"
            )
            read = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

        self.assertEqual((read.returncode, read.stderr), (0, ""))
        self.assertEqual([json.loads(text) for text in eval(read.stdout)], [value for value in VALUES if value])
        self.assertEqual(pl.from_pandas(self.frame)["json"].dtype, pl.String)

    def test_a_dataset_of_them_has_their_values(self):
        client = Client(base_url=SERVER_URL)
        frame = self.frame.assign(json=JsonArray._from_sequence([{"a": n} for n in range(4)]), plain=["u", "v", "w", "x"])

        made = client.datasets.create_dataset(
            name=unique("structured"), dataframe=frame, input_keys=["json"], output_keys=["plain"]
        )

        self.assertEqual([example["input"]["json"] for example in made.examples], [{"a": n} for n in range(4)])
