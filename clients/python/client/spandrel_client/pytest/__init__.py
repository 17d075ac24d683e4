"""Tests as experiments: what a test says about itself. The plugin is active where the package is installed.

@pytest.mark.spandrel(accept={"correct": 0.8})
@pytest.mark.parametrize("question", QUESTIONS)
def test_answers(question):
    answer = ask(question)
    log_output(answer)
    log_evaluation("correct", score=judge(question, answer))
"""

from .recording import TestContextError, evaluate, log_evaluation, log_output

# The name that code for the public client catches.
PhoenixContextError = TestContextError

__all__ = ["PhoenixContextError", "TestContextError", "evaluate", "log_evaluation", "log_output"]
