"""Costs of tokens by the price table of the server."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib import resources
from typing import Any

from .contract import Usage

_TOKENS_PER_PRICE = 1_000_000


@lru_cache(maxsize=1)
def price_table() -> dict[str, Any]:
    """`{asOf, note, models}`; prices are US dollars for a million tokens."""
    return json.loads(resources.files("spandrel_evals").joinpath("data/model-prices.json").read_text("utf-8"))


@lru_cache(maxsize=256)
def find_price(model: str) -> dict[str, Any] | None:
    """The prices of a model: `{prompt: {input, cache_read?}, completion: {output}}`. None if the table does not have it."""
    for one in price_table()["models"]:
        if re.search(one["namePattern"], model):
            return one
    return None


def cost_of(model: str, usage: Usage | None, price: dict[str, Any] | None = None) -> float | None:
    """US dollars of one request, or None if the price or the tokens are unknown."""
    price = price or find_price(model)
    if price is None or usage is None:
        return None
    prompt = price["prompt"]
    plain = max(usage.prompt_tokens - usage.cached_tokens, 0)
    cached = usage.cached_tokens * prompt.get("cache_read", prompt["input"])
    total = plain * prompt["input"] + cached + usage.completion_tokens * price["completion"]["output"]
    return total / _TOKENS_PER_PRICE
