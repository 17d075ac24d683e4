"""Budget: requests stop before the costs of a run exceed it."""

from __future__ import annotations

import threading
from typing import Any

from ..errors import InputError, RunStopped
from ..llm.contract import Usage
from ..llm.prices import cost_of, find_price

# Tokens that an answer is expected to have at least. The longest answer so far is expected again.
_EXPECTED_OUTPUT_TOKENS = 300
_CHARACTERS_PER_TOKEN = 4


class BudgetReached(RunStopped):
    """The next request could exceed the budget."""


class Budget:
    """Counts what was spent and what the requests in flight may cost."""

    def __init__(self, max_cost: float, llms: list[Any]) -> None:
        if not max_cost > 0:
            raise InputError(f"max_cost is {max_cost}; expected US dollars above 0")
        for llm in llms:
            if llm.price is None and find_price(llm.model) is None:
                raise InputError(f"max_cost needs the price of {llm.model}, which the table does not have; give LLM(price=...)")
        self.max_cost = max_cost
        self.spent = 0.0
        self._reserved = 0.0
        self._output_tokens = _EXPECTED_OUTPUT_TOKENS
        self._lock = threading.Lock()

    def reserve(self, llm: Any, request: Any) -> float:
        """The amount that is held for a request. BudgetReached if it does not fit."""
        characters = sum(len(str(one.get("content", ""))) for one in request.messages)
        stated = request.parameters.get("max_tokens") or request.parameters.get("max_completion_tokens")
        output = stated if isinstance(stated, int) else self._output_tokens
        usage = Usage(characters // _CHARACTERS_PER_TOKEN + 50, output, 0)
        expected = cost_of(llm.model, usage, llm.price) or 0.0
        with self._lock:
            if self.spent + self._reserved + expected > self.max_cost:
                raise BudgetReached(f"max_cost of ${self.max_cost:g} is reached; ${self.spent:.4f} was spent")
            self._reserved += expected
        return expected

    def settle(self, reserved: float, cost: float | None, output_tokens: int = 0) -> None:
        """Replaces what was held by what was paid."""
        with self._lock:
            self._output_tokens = max(self._output_tokens, output_tokens)
            self._reserved -= reserved
            self.spent += cost or 0.0
