"""One measurement of a Python client in a process of its own: python_client.py CLIENT WHAT COUNT NAME.

Prints one line of JSON: seconds, and how many MiB the peak of memory grew.
"""

import json
import os
import resource
import sys
import time

START = time.perf_counter()
client_name, what, count, name = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
if client_name == "ours":
    import spandrel_client as package
else:
    import phoenix.client as package
IMPORTED = time.perf_counter() - START
Client = package.Client
client = Client(base_url=os.environ["SERVER_URL"])


def peak_mib():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def fill():
    """Stores the spans that the frames are read from."""
    text = "What is the capital of a country whose name has letters? " * 5
    for start in range(0, count, 1000):
        spans = [
            {
                "name": "answer",
                "context": {"trace_id": os.urandom(16).hex(), "span_id": os.urandom(8).hex()},
                "span_kind": "LLM",
                "start_time": "2026-02-03T04:05:06+00:00",
                "end_time": "2026-02-03T04:05:07+00:00",
                "status_code": "OK",
                "attributes": {
                    "input.value": f"{text}{number}",
                    "llm.model_name": "m",
                    "llm.token_count.prompt": number,
                    "llm.input_messages": [{"message.role": "user", "message.content": f"{text}{number}"}],
                    "metadata": {"tier": "pro", "number": number},
                },
            }
            for number in range(start, min(start + 1000, count))
        ]
        client.spans.log_spans(project_identifier=name, spans=spans, timeout=60)
    while len(client.spans.get_spans_dataframe(project_identifier=name, limit=count, timeout=600)) < count:
        time.sleep(0.2)


def frame():
    assert len(client.spans.get_spans_dataframe(project_identifier=name, limit=count, timeout=600)) == count


def dataset():
    import pandas

    rows = pandas.DataFrame({"question": [f"question {n} of many" * 3 for n in range(count)], "answer": [f"answer {n}" for n in range(count)]})
    return lambda: client.datasets.create_dataset(name=f"{name} {client_name}", dataframe=rows, timeout=600)


def experiment():
    inputs = [{"n": n} for n in range(count)]
    made = client.datasets.create_dataset(
        name=f"{name} runs {client_name}", inputs=inputs, outputs=[{}] * count, metadata=[{}] * count, timeout=600
    )
    len(made)
    more = {"concurrency": 32} if client_name == "ours" else {}
    return lambda: client.experiments.run_experiment(
        dataset=made, task=lambda input: 1, evaluators=[lambda output: 1.0], print_summary=False, **more
    )


def bare_import():
    """The package's name alone; the client is loaded on first use."""


work = {"fill": lambda: fill, "frame": lambda: frame, "dataset": dataset, "experiment": experiment, "import": lambda: bare_import}[what]()
if what == "frame":
    # Loaded before, so that both clients are measured without it.
    import pandas  # noqa: F401
before = peak_mib()
start = time.perf_counter()
work()
seconds = IMPORTED if what == "import" else time.perf_counter() - start
print(json.dumps({"seconds": seconds, "mib": peak_mib() - before}))
