"""Tests as experiments: what a test says about itself. The plugin is active where the package is installed.

@pytest.mark.spandrel(accept={"correct": 0.8})
@pytest.mark.parametrize("question", QUESTIONS)
def test_answers(question):
    answer = ask(question)
    log_output(answer)
    log_evaluation("correct", score=judge(question, answer))
"""

from __future__ import annotations

from typing import Any

__all__ = ["PhoenixContextError", "TestContextError", "evaluate", "log_evaluation", "log_output"]


def __getattr__(name: str) -> Any:
    """Loaded on first use, because pytest loads the plugin for each run, also for those without marked tests."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import recording

    # The public client calls the error PhoenixContextError.
    return recording.TestContextError if name == "PhoenixContextError" else getattr(recording, name)
