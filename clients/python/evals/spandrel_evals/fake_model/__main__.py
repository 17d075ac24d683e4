"""Serves a fake model until it is interrupted: python -m spandrel_evals.fake_model --port 8808 --latency 0.2"""

from __future__ import annotations

import argparse
import signal
import threading

from .judge import FakeJudge
from .model import FakeModel
from .server import FakeModelServer


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m spandrel_evals.fake_model", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8808, help="0 for a free one")
    parser.add_argument("--latency", type=float, default=0.0, help="median in seconds")
    parser.add_argument("--latency-sigma", type=float, default=0.0, help="spread of the logarithm of the latency")
    parser.add_argument("--requests-per-second", type=float)
    parser.add_argument("--tokens-per-minute", type=float)
    parser.add_argument("--refusal-bursts", type=float, nargs=2, metavar=("EVERY", "SECONDS"))
    parser.add_argument("--no-limit-headers", action="store_true")
    parser.add_argument("--error-rate", type=float, default=0.0)
    parser.add_argument("--hang-rate", type=float, default=0.0)
    parser.add_argument("--half-rate", type=float, default=0.0)
    parser.add_argument("--sensitivity", type=float, default=0.9)
    parser.add_argument("--specificity", type=float, default=0.9)
    parser.add_argument("--api-key")
    parser.add_argument("--seed", type=int, default=0)
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
