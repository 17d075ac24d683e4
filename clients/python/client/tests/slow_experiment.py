"""Runs or resumes an experiment of 200 runs whose task notes each call; a program that tests kill.

slow_experiment.py run|resume FOLDER [EXPERIMENT_ID]
"""

import os
import sys
import time
from pathlib import Path

from spandrel_client import Client

COUNT = 200
CONCURRENCY = 4


def note(path, text):
    with open(path, "a") as file:
        file.write(f"{text}\n")


def main(action, folder, experiment_id=None):
    folder = Path(folder)
    client = Client(base_url=os.environ["SERVER_URL"])

    def task(input):
        note(folder / "calls", input["n"])
        time.sleep(0.02)
        return {"twice": input["n"] * 2}

    def right(output, expected):
        return output == expected

    if action == "run":
        examples = [{"input": {"n": n}, "output": {"twice": 2 * n}} for n in range(COUNT)]
        dataset = client.datasets.create_dataset(name=f"slow {folder.name}", examples=examples)
        ran = client.experiments.run_experiment(dataset=dataset, task=task, evaluators=[right], concurrency=CONCURRENCY)
        note(folder / "id", ran["experiment_id"])
    else:
        client.experiments.resume_experiment(experiment_id=experiment_id, task=task, evaluators=[right], concurrency=CONCURRENCY)


if __name__ == "__main__":
    main(*sys.argv[1:])
