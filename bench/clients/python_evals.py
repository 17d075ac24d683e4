"""The measurements of python-evals.bench.ts: python_evals.py <library> <what> <count> [url]. Prints one JSON object."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

warnings.simplefilter("ignore")
LIBRARY, WHAT, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])
URL = sys.argv[4] if len(sys.argv) > 4 else ""
CONCURRENCY = 64


def rows(count: int, text: str = "") -> Iterator[dict[str, Any]]:
    return ({"output": f"answer {number} truth={number % 2} {text}"} for number in range(count))


def library() -> Any:
    if LIBRARY == "ours":
        import spandrel_evals

        return spandrel_evals
    import phoenix.evals

    return phoenix.evals


def judge_over_http(provider: str) -> Any:
    evals = library()
    llm = evals.LLM(provider=provider, model="gpt-4o-mini", base_url=f"{URL}/v1", api_key="k", **(
        {} if LIBRARY == "ours" else {"initial_per_second_request_rate": 10_000}
    ))
    return evals.create_classifier(name="ok", prompt_template="Judge {{output}}", llm=llm, choices={"good": 1, "bad": 0})


def judge_in_process() -> Any:
    from spandrel_evals import FakeJudge, FakeModel, create_classifier

    llm = FakeModel(FakeJudge(sensitivity=1, specificity=1), counts_prompts=False).llm()
    return create_classifier("ok", "Judge {{output}}", llm, {"good": 1, "bad": 0})


def evaluate_http(provider: str) -> dict[str, Any]:
    judge = judge_over_http(provider)
    if LIBRARY == "ours":
        from spandrel_evals import evaluate

        marks: list[float] = []
        started = time.perf_counter()
        found = evaluate(
            rows(COUNT), [judge], concurrency=CONCURRENCY, progress=False, on_progress=lambda _: marks.append(time.perf_counter() - started)
        )
        seconds = time.perf_counter() - started
        return {"seconds": seconds, "errors": found.summary.errors, "firstSecond": sum(at <= 1.0 for at in marks), "refused": found.summary.refused}
    import pandas
    from phoenix.evals import async_evaluate_dataframe

    frame = pandas.DataFrame(list(rows(COUNT)))
    started = time.perf_counter()
    scored = asyncio.run(async_evaluate_dataframe(dataframe=frame, evaluators=[judge], concurrency=CONCURRENCY, hide_tqdm_bar=True, exit_on_error=False))
    seconds = time.perf_counter() - started
    column = scored["ok_score"] if "ok_score" in scored.columns else [None] * COUNT
    return {"seconds": seconds, "errors": sum(one is None for one in column)}


def evaluate_local(**options: Any) -> dict[str, Any]:
    from spandrel_evals import evaluate

    judge = judge_in_process()
    cpu, started = time.process_time(), time.perf_counter()
    found = evaluate(rows(COUNT), [judge], progress=False, **options)
    return {"seconds": time.perf_counter() - started, "cpu": time.process_time() - cpu, "errors": found.summary.errors}


def theirs_local() -> dict[str, Any]:
    """A function evaluator, because the other library has no model in the process."""
    import pandas
    from phoenix.evals import async_evaluate_dataframe, create_evaluator

    @create_evaluator(name="ok")
    def ok(output: str) -> bool:
        return "truth=1" in output

    frame = pandas.DataFrame(list(rows(COUNT)))
    cpu, started = time.process_time(), time.perf_counter()
    asyncio.run(async_evaluate_dataframe(dataframe=frame, evaluators=[ok], concurrency=CONCURRENCY, hide_tqdm_bar=True))
    return {"seconds": time.perf_counter() - started, "cpu": time.process_time() - cpu, "errors": 0}


def stream() -> dict[str, Any]:
    from spandrel_evals import evaluate

    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        found = evaluate(rows(COUNT, "x" * 200), [judge_in_process()], progress=False, output=Path(folder) / "out.jsonl")
    return {"seconds": time.perf_counter() - started, "errors": found.summary.errors, "rows": found.summary.rows}


def cached() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        evaluate_local(cache=Path(folder) / "cache.sqlite")
        return evaluate_local(cache=Path(folder) / "cache.sqlite")


def killed() -> dict[str, Any]:
    """Kills a run in the middle, starts it again, and returns how many rows were asked twice."""
    import httpx

    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-B", __file__, LIBRARY, "checkpointed", str(COUNT), URL]
        environment = {**os.environ, "CHECKPOINT": str(Path(folder) / "run.checkpoint")}
        httpx.post(f"{URL}/reset")
        first = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
        while httpx.get(f"{URL}/counts").json()["requests"] < COUNT / 2:
            time.sleep(0.02)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        second = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        counts = httpx.get(f"{URL}/counts").json()
    return {**json.loads(second.stdout), "twice": counts["answered_again"]}


def checkpointed() -> dict[str, Any]:
    from spandrel_evals import evaluate

    started = time.perf_counter()
    found = evaluate(
        rows(COUNT), [judge_over_http("openai-compatible")], concurrency=CONCURRENCY, progress=False, checkpoint=os.environ["CHECKPOINT"]
    )
    return {"seconds": time.perf_counter() - started, "errors": found.summary.errors, "rows": found.summary.rows}


def imported() -> dict[str, Any]:
    started = time.perf_counter()
    evals = library()
    # Names are loaded on first use, so those of a usual program belong to the import.
    for name in ("LLM", "create_classifier", "create_evaluator", "evaluate_dataframe"):
        getattr(evals, name)
    return {"seconds": time.perf_counter() - started}


MEASUREMENTS = {
    "import": imported,
    "latency": lambda: evaluate_http("openai-compatible" if LIBRARY == "ours" else "openai"),
    "latency-openai": lambda: evaluate_http("openai"),
    "limit": lambda: evaluate_http("openai-compatible" if LIBRARY == "ours" else "openai"),
    "local": evaluate_local if LIBRARY == "ours" else theirs_local,
    "stream": stream,
    "cached": cached,
    "killed": killed,
    "checkpointed": checkpointed,
}
measured = MEASUREMENTS[WHAT]()
print(json.dumps({**measured, "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
