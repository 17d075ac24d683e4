"""Datasets: uploads of every kind, lazy examples, and equality with the public client."""

import asyncio
import datetime
import decimal
import json
import random
import tempfile
import unittest
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow
from phoenix.client import Client as PublicClient

from spandrel_client import AsyncClient, Client
from spandrel_client.datasets import Dataset
from spandrel_client.datasets.frame_arrow import arrow_chunks
from spandrel_client.datasets.upload import Columns, frame_lines
from spandrel_client.exceptions import DatasetUploadError
from support import SERVER_URL, unique


class Datasets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = Client(base_url=SERVER_URL)
        cls.public = PublicClient(base_url=SERVER_URL)

    def contents(self, dataset):
        return [(one["input"], one["output"], one["metadata"]) for one in dataset]

    def test_reads_what_the_public_client_reads(self):
        name = unique("equal")
        examples = [
            {"id": f"e{n}", "input": {"q": n}, "output": {"a": [n, None]}, "metadata": {"m": "ü"}, "splits": ["train"] if n else None}
            for n in range(3)
        ]
        made = self.client.datasets.create_dataset(name=name, examples=examples, dataset_description="d")
        theirs = self.public.datasets.get_dataset(dataset=name)

        for ours in (made, self.client.datasets.get_dataset(dataset=name), self.client.datasets.get_dataset(dataset=theirs.id)):
            self.assertEqual(ours.examples, theirs.examples)
            self.assertEqual((ours.id, ours.name, ours.version_id), (theirs.id, theirs.name, theirs.version_id))
            self.assertEqual((ours.description, ours.metadata, ours.created_at), (theirs.description, theirs.metadata, theirs.created_at))
            pd.testing.assert_frame_equal(ours.to_dataframe(), theirs.to_dataframe())
        self.assertEqual(
            self.client.datasets.get_dataset(dataset=name, splits=["train"]).examples,
            self.public.datasets.get_dataset(dataset=name, splits=["train"]).examples,
        )
        self.assertEqual(self.client.datasets.list(), self.public.datasets.list())
        self.assertEqual(
            self.client.datasets.get_dataset_versions(dataset=name), self.public.datasets.get_dataset_versions(dataset=name)
        )
        again = Dataset.from_dict(made.to_dict())
        self.assertEqual((again.examples, again.name), (theirs.examples, name))

    def test_an_upload_reads_nothing_back(self):
        dataset = self.client.datasets.create_dataset(name=unique("lazy"), inputs=[{"a": 1}], outputs=[{"b": 2}])

        self.assertIsNone(dataset._examples)
        self.assertEqual(dataset.upload["num_created_examples"], 1)
        self.assertEqual(self.contents(dataset), [({"a": 1}, {"b": 2}, {})])
        self.assertIn("Dataset", dataset._repr_html_())
        self.assertIn(">{&quot;a&quot;: 1}</td>", dataset._repr_html_())

    def test_frames_keep_their_types(self):
        frame = pd.DataFrame(
            {
                "question": ["a", "b"],
                "when": [pd.Timestamp("2026-01-02T03:04:05Z"), pd.NaT],
                "count": np.array([1, 2], "int64"),
                "answer": [{"text": "x"}, None],
                "score": [0.5, float("nan")],
                "money": [decimal.Decimal("1.10"), decimal.Decimal("2")],
                "day": [datetime.date(2026, 1, 2), None],
                "vector": [np.array([1.5, float("nan")]), None],
            }
        )
        dataset = self.client.datasets.create_dataset(name=unique("frame"), dataframe=frame)

        self.assertEqual(
            self.contents(dataset),
            [
                (
                    {"question": "a", "when": "2026-01-02T03:04:05+00:00", "count": 1},
                    {"answer": {"text": "x"}},
                    {"score": 0.5, "money": 1.1, "day": "2026-01-02", "vector": [1.5, None]},
                ),
                ({"question": "b", "count": 2}, {}, {"money": 2}),
            ],
        )

    def test_frames_are_sent_as_arrow_only_where_it_means_the_same_as_json_lines(self):
        cells = ["a", "ü\n", "", "  ", None, 1, 2**60, True, 1.0, 0.25, float("nan"), float("inf"), [1], {"a": None}]
        rng = random.Random(7)
        kinds = [cells[:2], cells[:5], [1, 2, 2**60], [True, False], [0.25, -1.5], [0.5, 1.0], [0.5, float("nan")], cells]
        sent = 0
        for round_number in range(60):
            chosen = [rng.choice(kinds) for _ in range(rng.randint(1, 3))]
            rows = rng.randint(1, 5)
            frame = pd.DataFrame({f"c{n}": [rng.choice(kind) for _ in range(rows)] for n, kind in enumerate(chosen)})
            columns = Columns(input=tuple(frame.columns), example_id="c0" if round_number % 5 == 0 else None)
            chunks = arrow_chunks(frame, columns)
            if chunks is None:
                continue
            sent += 1
            told = pyarrow.ipc.open_stream(b"".join(chunks)).read_all().to_pylist()
            lines = [json.loads(line) for line in b"".join(frame_lines(frame, columns)).splitlines()]
            self.assertEqual([repr(row) for row in told], [repr(line) for line in lines], f"round {round_number}: {frame}")
        self.assertGreater(sent, 10)
        long = pd.DataFrame({"text": ["x" * 40_000_000]})
        self.assertIsNone(arrow_chunks(long, Columns(input=("text",))))

        frame = pd.DataFrame({"question": [f"q {n}" for n in range(3)], "answer": ["ü", "b", "c"], "n": [1, 2, 2**60]})
        for each in (frame, pl.from_pandas(frame)):
            self.assertIsNotNone(arrow_chunks(each, Columns(input=("question", "answer", "n"))))
            made = self.client.datasets.create_dataset(name=unique("arrow"), dataframe=each, metadata_keys=["n"], input_keys=["question"], output_keys=["answer"])
            expected = [({"question": f"q {n}"}, {"answer": a}, {"n": m}) for n, (a, m) in enumerate(zip("übc", (1, 2, 2**60)))]
            self.assertEqual(self.contents(made), expected)

    def test_files_and_frames_of_texts_are_those_of_the_public_client(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "some file.csv"
            path.write_text('question,my answer,note,id\n"a ""x""",b,,1\nc,"d\ne",f,2\n', encoding="utf-8")
            for arguments in (
                {"csv_file_path": path},
                {"csv_file_path": path, "input_keys": ["note"], "output_keys": ["question"], "example_id_key": "id"},
                {"dataframe": pd.read_csv(path, dtype=str), "input_keys": ["question"], "output_keys": ["my answer"], "split_key": "note"},
            ):
                with self.subTest(arguments):
                    ours = self.client.datasets.create_dataset(name=unique("ours"), **arguments)
                    theirs = self.public.datasets.create_dataset(name=unique("theirs"), **arguments)
                    self.assertEqual(self.contents(ours), self.contents(theirs))

    def test_generators_are_streamed(self):
        def examples(count):
            for number in range(count):
                yield {"input": {"n": number}, "output": {"same": 1}, "metadata": {"same": 2}, "id": f"g{number}", "splits": "all"}

        name = unique("generated")
        dataset = self.client.datasets.create_dataset(name=name, examples=examples(3000))
        more = self.client.datasets.add_examples_to_dataset(dataset=dataset.id, examples=[{"input": {"n": "last"}}])

        self.assertEqual((len(dataset), len(more)), (3000, 3001))
        self.assertEqual(dataset[2999]["input"], {"n": 2999})
        self.assertEqual((dataset[5]["id"], dataset[5]["output"]), ("g5", {"same": 1}))
        self.assertEqual(len(self.client.datasets.get_dataset(dataset=name, splits=["all"])), 3000)

    def test_async_client(self):
        async def check():
            async with AsyncClient(base_url=SERVER_URL) as client:
                dataset = await client.datasets.create_dataset(name=unique("async"), dataframe=pd.DataFrame({"q": [1], "output": [2]}))
                with self.assertRaisesRegex(RuntimeError, "await dataset.load"):
                    dataset.examples
                await dataset.load()
                return self.contents(dataset), len(await client.datasets.get_dataset(dataset=dataset.name))

        self.assertEqual(asyncio.run(check()), ([({"q": 1}, {"output": 2}, {})], 1))

    def test_what_is_wrong_is_said_before_it_is_sent(self):
        create = self.client.datasets.create_dataset
        for message, arguments in (
            ("exactly one of", {}),
            ("exactly one of", {"examples": [{"input": {}}], "inputs": [{}]}),
            ("outputs has 2 elements and inputs 1", {"inputs": [{}], "outputs": [{}, {}]}),
            ("no column 'x'", {"dataframe": pd.DataFrame({"a": [1]}), "input_keys": ["x"]}),
            ("occurs twice", {"dataframe": pd.DataFrame([[1, 2]], columns=["a", "a"])}),
            ("in two of", {"dataframe": pd.DataFrame({"a": [1]}), "input_keys": ["a"], "output_keys": ["a"]}),
            ("has no rows", {"dataframe": pd.DataFrame({"a": []})}),
            ("example 0 is str", {"examples": ["x"]}),
        ):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                create(name="wrong", **arguments)
        with self.assertRaisesRegex(ValueError, "no dataset has the name"):
            self.client.datasets.get_dataset(dataset="no such dataset")
        with self.assertRaises(DatasetUploadError) as caught:
            create(name=unique("twice"), examples=[{"input": {}, "id": "a"}, {"input": {}, "id": "a"}])
        self.assertIn("Duplicate example_id", caught.exception.detail)


if __name__ == "__main__":
    unittest.main()
