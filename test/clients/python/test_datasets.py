"""Datasets and experiments of the public Python client: what it sends is what it reads back."""

import asyncio
import gzip
import io
import tempfile
import time
import unittest
from collections import Counter
from datetime import date
from decimal import Decimal

import pandas as pd
import pyarrow as pa
from phoenix.client import AsyncClient, Client
from phoenix.client.experiments import create_evaluator
from phoenix.client.resources.experiments.types import BaseEvaluator

from support import SERVER_URL, eventually, http, logged_span


class Datasets(unittest.TestCase):
    """Uploads of every form."""

    def setUp(self):
        self.client = Client(base_url=SERVER_URL)
        self.name = f"{self.id()} {time.time_ns()}"

    def test_a_data_frame_reads_back_as_texts(self):
        table = pd.DataFrame({"q": ["a", "b,\n\"c\""], "a": [1, 2], "m": ["x", None], "s": ["train", "test"]})

        dataset = self.client.datasets.create_dataset(
            name=self.name, dataframe=table, input_keys=["q"], output_keys=["a"], metadata_keys=["m"], split_keys=["s"]
        )

        self.assertEqual([example["input"] for example in dataset], [{"q": "a"}, {"q": 'b,\n"c"'}])
        self.assertEqual([example["output"] for example in dataset], [{"a": "1"}, {"a": "2"}])
        self.assertEqual([example["metadata"] for example in dataset], [{"m": "x"}, {}])
        self.assertEqual(len(self.client.datasets.get_dataset(dataset=self.name, splits=["test"])), 1)

    def test_a_data_frame_as_an_arrow_stream_reads_back_as_its_values(self):
        table = pd.DataFrame(
            {
                "text": ["a", None, "Zürich 🚀"],
                "big": [2**53 + 1, -1, 0],
                "gaps": [1.5, None, float("inf")],
                "flag": [True, False, None],
                "when": pd.DatetimeIndex(["2024-02-29T23:59:59.123456789", None, "1969-12-31T00:00:00.0"]).tz_localize("Europe/Berlin"),
                "day": [date(2024, 2, 29), None, date(1, 1, 1)],
                "took": pd.to_timedelta([1.5, None, 90_000], unit="s"),
                "price": [Decimal("1.50"), None, Decimal("-0.01")],
                "kind": pd.Categorical(["x", "y", "x"]),
                "list": [[1, 2], None, []],
                "record": [{"a": {"b": "c"}}, None, {"a": None}],
                "raw": [b"\x00\xff", None, b""],
            }
        )
        stream = io.BytesIO()
        arrow = pa.Table.from_pandas(table)
        with pa.ipc.new_stream(stream, arrow.schema) as writer:
            writer.write_table(arrow, max_chunksize=2)
        answer = http.post(
            f"{SERVER_URL}/v1/datasets/upload?sync=true",
            files={"file": ("table", gzip.compress(stream.getvalue()), "application/x-pandas-pyarrow", {"Content-Encoding": "gzip"})},
            data={"name": self.name, "input_keys[]": list(table.columns), "output_keys[]": ["big"]},
        )
        self.assertEqual(answer.status_code, 200, answer.text)

        examples = list(self.client.datasets.get_dataset(dataset=self.name))

        rows = [example["input"] for example in examples]
        self.assertEqual(
            {name: [row[name] for row in rows] for name in table.columns},
            {
                "text": ["a", None, "Zürich 🚀"],
                "big": [2**53 + 1, -1, 0],
                "gaps": [1.5, None, None],
                "flag": [True, False, None],
                "when": ["2024-02-29T22:59:59.123456789+00:00", None, "1969-12-30T23:00:00+00:00"],
                "day": ["2024-02-29", None, "0001-01-01"],
                "took": ["P0DT0H0M1.5S", None, "P1DT1H0M0S"],
                "price": [1.5, None, -0.01],
                "kind": ["x", "y", "x"],
                "list": [[1, 2], None, []],
                "record": [{"a": {"b": "c"}}, None, {"a": None}],
                "raw": ["AP8=", None, ""],
            },
        )
        self.assertEqual([example["output"] for example in examples], [{"big": 2**53 + 1}, {"big": -1}, {"big": 0}])

    def test_examples_are_appended_and_old_versions_stay(self):
        first = self.client.datasets.create_dataset(name=self.name, inputs=[{"n": 1}], outputs=[{"n": 2}])
        self.client.datasets.add_examples_to_dataset(dataset=self.name, inputs=[{"n": 3}], outputs=[{"n": 4}])

        latest = self.client.datasets.get_dataset(dataset=self.name)
        old = self.client.datasets.get_dataset(dataset=self.name, version_id=first.version_id)

        self.assertEqual([example["input"]["n"] for example in latest], [1, 3])
        self.assertEqual([example["input"]["n"] for example in old], [1])
        self.assertEqual(len(self.client.datasets.get_dataset_versions(dataset=self.name)), 2)

    def test_one_column_names_the_splits_and_one_the_examples(self):
        table = pd.DataFrame({"id": ["a", "b"], "n": [1, 2], "split": ['["train", "small"]', "test"]})
        keys = {"input_keys": ["n"], "example_id_key": "id", "split_key": "split"}

        first = self.client.datasets.create_dataset(name=self.name, dataframe=table, **keys)
        table.loc[0, "n"] = 3
        self.client.datasets.create_dataset(name=self.name, dataframe=table, **keys)

        latest = self.client.datasets.get_dataset(dataset=self.name)
        self.assertEqual([(example["id"], example["node_id"]) for example in latest], [(example["id"], example["node_id"]) for example in first])
        self.assertEqual([example["input"] for example in latest], [{"n": "3"}, {"n": "2"}])
        for split, ids in {"train": ["a"], "small": ["a"], "test": ["b"]}.items():
            found = self.client.datasets.get_dataset(dataset=self.name, splits=[split])
            self.assertEqual([example["id"] for example in found], ids)

    def test_a_csv_file_with_awkward_cells(self):
        with tempfile.NamedTemporaryFile(suffix=".csv") as file:
            # The client takes the byte order mark for a part of the first name.
            file.write("\ufeffunused,id,question,answer,note\r\n".encode())
            file.write('x,one,"a ""quoted"", word\r\nand a line","=1+1",\r\n'.encode())
            file.write(",two,Zürich 東京,2,  \r\n".encode())
            file.flush()

            dataset = self.client.datasets.create_dataset(
                name=self.name, csv_file_path=file.name, input_keys=["question"], output_keys=["answer"], metadata_keys=["note"], example_id_key="id"
            )

        self.assertEqual([example["id"] for example in dataset], ["one", "two"])
        self.assertEqual([example["input"] for example in dataset], [{"question": 'a "quoted", word\r\nand a line'}, {"question": "Zürich 東京"}])
        self.assertEqual([example["output"] for example in dataset], [{"answer": "=1+1"}, {"answer": "2"}])
        self.assertEqual([example["metadata"] for example in dataset], [{}, {}])

    def test_a_file_that_is_no_utf8_changes_nothing(self):
        with tempfile.NamedTemporaryFile(suffix=".csv") as file:
            file.write("q,a\nfine,1\n".encode() + "Zürich,2\n".encode("latin-1"))
            file.flush()

            with self.assertRaises(Exception):
                self.client.datasets.create_dataset(name=self.name, csv_file_path=file.name, input_keys=["q"], output_keys=["a"])

        self.assertNotIn(self.name, [dataset["name"] for dataset in self.client.datasets.list()])

    def test_spans_become_examples_that_name_them(self):
        spans = [logged_span(number, project_session="of datasets") for number in (70_501, 70_502)]
        self.client.spans.log_spans(project_identifier="spans of datasets", spans=spans)
        eventually(lambda: self.assertEqual(len(self.client.spans.get_spans(project_identifier="spans of datasets")), 2))
        table = self.client.spans.get_spans_dataframe(project_identifier="spans of datasets")
        table = table.reset_index(drop=True).rename(columns={"attributes.input.value": "question", "attributes.output.value": "answer"})

        dataset = self.client.datasets.create_dataset(
            name=self.name, dataframe=table, input_keys=["question"], output_keys=["answer"], span_id_key="context.span_id"
        )

        self.assertEqual({example["input"]["question"] for example in dataset}, {"in 70501", "in 70502"})
        query = "query ($id: ID!) { node(id: $id) { ... on DatasetExample { span { spanId } } } }"
        for example in dataset:
            answer = http.post(f"{SERVER_URL}/graphql", json={"query": query, "variables": {"id": example["node_id"]}}).json()
            number = int(example["input"]["question"].split()[1])
            self.assertEqual(answer["data"]["node"]["span"]["spanId"], f"{number:016x}")


class Exact(BaseEvaluator):
    """An evaluator of a class of its own."""

    _name = "of a class"

    def evaluate(self, *, output, expected, **_):
        return {"score": float(output == expected), "label": "compared", "explanation": "of a class", "metadata": {"by": "class"}}


class Experiments(unittest.TestCase):
    """Experiments on numbers, which a task doubles."""

    def setUp(self):
        self.client = Client(base_url=SERVER_URL)
        self.name = f"{self.id()} {time.time_ns()}"

    def make(self, count):
        return self.client.datasets.create_dataset(
            name=self.name, inputs=[{"n": n} for n in range(count)], outputs=[{"double": 2 * n} for n in range(count)]
        )

    def stored(self, ran):
        return self.client.experiments.get_experiment(experiment_id=ran["experiment_id"])

    def test_an_async_experiment_of_200_examples_ten_at_once(self):
        dataset = self.make(200)
        running = most = 0

        async def double(input):
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.01)
            running -= 1
            return {"double": 2 * input["n"]}

        async def is_right(output, expected):
            return output == expected

        ran = asyncio.run(
            AsyncClient(base_url=SERVER_URL).experiments.run_experiment(
                dataset=dataset, task=double, evaluators=[is_right], concurrency=10, print_summary=False
            )
        )

        self.assertEqual(most, 10)
        stored = self.stored(ran)
        self.assertEqual(Counter(run["dataset_example_id"] for run in stored["task_runs"]), Counter(example["node_id"] for example in dataset))
        self.assertEqual([run.result["score"] for run in stored["evaluation_runs"]], [1.0] * 200)

    def test_evaluators_of_every_form(self):
        @create_evaluator(kind="LLM", name="decorated")
        def decorated(output):
            return (0.25, "quarter", "because")

        evaluators = {
            "bool": lambda output, expected: output == expected,
            "number": lambda output: output["double"] / 4,
            "label": lambda output: "even",
            "pair": lambda output: (0.5, "half"),
            "dict": lambda output, input, metadata: {"score": 1.0, "explanation": "of a dict"},
            "decorated": decorated,
            "of a class": Exact(),
        }

        ran = self.client.experiments.run_experiment(
            dataset=self.make(1), task=lambda input: {"double": 2 * input["n"]}, evaluators=evaluators, print_summary=False
        )

        records = http.get(f"{SERVER_URL}/v1/experiments/{ran['experiment_id']}/json").json()
        found = {note["name"]: note for note in records[0]["annotations"]}
        results = {name: (note["score"], note["label"], note["explanation"], note["annotator_kind"]) for name, note in found.items()}
        self.assertEqual(
            results,
            {
                "bool": (1.0, "True", None, "CODE"),
                "number": (0.0, None, None, "CODE"),
                "label": (None, "even", None, "CODE"),
                "pair": (0.5, "half", None, "CODE"),
                "dict": (1.0, None, "of a dict", "CODE"),
                "decorated": (0.25, "quarter", "because", "LLM"),
                "of a class": (1.0, "compared", "of a class", "CODE"),
            },
        )
        self.assertEqual(found["of a class"]["metadata"], {"by": "class"})

    def test_runs_that_failed_are_done_again_and_no_others(self):
        done = []

        def flaky(input):
            if not done and input["n"] % 2 == 1:
                raise ValueError(f"odd: {input['n']}")
            return {"double": 2 * input["n"]}

        ran = self.client.experiments.run_experiment(dataset=self.make(4), task=flaky, retries=0, repetitions=2, print_summary=False)
        done.append(True)
        seen = []

        def again(input):
            seen.append(input["n"])
            return {"double": 2 * input["n"]}

        self.client.experiments.resume_experiment(experiment_id=ran["experiment_id"], task=again, evaluators=[Exact()], print_summary=False)

        self.assertEqual(sorted(seen), [1, 1, 3, 3])
        stored = self.stored(ran)
        self.assertEqual(len(stored["task_runs"]), 8)
        self.assertTrue(all(run.get("error") is None for run in stored["task_runs"]))
        self.assertEqual([run.result["score"] for run in stored["evaluation_runs"]], [1.0] * 8)

    def test_a_dry_run_stores_nothing(self):
        dataset = self.make(3)

        self.client.experiments.run_experiment(dataset=dataset, task=lambda input: input, dry_run=True, print_summary=False)

        self.assertEqual(http.get(f"{SERVER_URL}/v1/datasets/{dataset.id}/experiments").json()["data"], [])
