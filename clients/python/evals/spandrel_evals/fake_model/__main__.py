"""Serves a fake model until it is interrupted: python -m spandrel_evals.fake_model --port 8808 --latency 0.2"""

from __future__ import annotations

import argparse
import signal
import threading

from .judge import FakeJudge
from .model import FakeModel
from .server import FakeModelServer


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m spandrel_evals.fake_model",
        description="Serves a fake model, in the forms of OpenAI, Anthropic, Google and Bedrock, until it is interrupted.",
        epilog="The truth is read from a mark in the material: truth=1 or truth=0. GET /counts says what was asked.",
    )
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    add("--port", type=int, default=8808, help="0 for a free one (default 8808)")
    add("--latency", type=float, default=0.0, metavar="SECONDS", help="median time of an answer (default 0)")
    add("--latency-sigma", type=float, default=0.0, metavar="NUMBER", help="spread of the logarithm of the latency (default 0)")
    add("--requests-per-second", type=float, metavar="N", help="limit of requests (default none)")
    add("--tokens-per-minute", type=float, metavar="N", help="limit of tokens (default none)")
    add("--refusal-bursts", type=float, nargs=2, metavar=("EVERY", "SECONDS"), help="status 429 every so often, for so long")
    add("--no-limit-headers", action="store_true", help="responses do not state the limits")
    add("--error-rate", type=float, default=0.0, metavar="SHARE", help="answers with status 500, from 0 to 1 (default 0)")
    add("--hang-rate", type=float, default=0.0, metavar="SHARE", help="answers that never come (default 0)")
    add("--half-rate", type=float, default=0.0, metavar="SHARE", help="answers that end in the middle (default 0)")
    add("--sensitivity", type=float, default=0.9, metavar="SHARE", help="good material that is called good (default 0.9)")
    add("--specificity", type=float, default=0.9, metavar="SHARE", help="bad material that is called bad (default 0.9)")
    add("--api-key", metavar="KEY", help="the one key that is accepted (default any)")
    add("--seed", type=int, default=0, metavar="N", help="draws errors and verdicts (default 0)")
    given = parser.parse_args()
    model = FakeModel(
        FakeJudge(sensitivity=given.sensitivity, specificity=given.specificity, seed=given.seed),
        latency=(given.latency, given.latency_sigma) if given.latency_sigma else given.latency,
        requests_per_second=given.requests_per_second,
        tokens_per_minute=given.tokens_per_minute,
        refusal_bursts=given.refusal_bursts,
        states_limits=not given.no_limit_headers,
        error_rate=given.error_rate,
        hang_rate=given.hang_rate,
        half_rate=given.half_rate,
        api_key=given.api_key,
        seed=given.seed,
    )
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    with FakeModelServer(model, host=given.host, port=given.port) as server:
        print(f"The fake model listens on {server.url}; GET {server.url}/counts says what it was asked", flush=True)
        stop.wait()


if __name__ == "__main__":
    main()
