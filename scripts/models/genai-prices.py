"""Prints what genai-prices says of each model as JSON: windows, and prices that do not depend on the time."""

import json
from decimal import Decimal

from genai_prices.data import providers
from genai_prices.types import ModelPrice


def number(value):
    base = getattr(value, "base", value)
    return float(base) if isinstance(base, (Decimal, int, float)) else None


def describe(provider, model):
    price = model.prices if isinstance(model.prices, ModelPrice) else None
    members = {"input": "input_mtok", "output": "output_mtok", "cacheRead": "cache_read_mtok"}
    prices = {name: number(getattr(price, member, None)) for name, member in members.items()} if price else {}
    facts = {"provider": provider.id, "id": model.id, "name": model.name, "contextWindow": model.context_window}
    return {name: value for name, value in {**facts, **prices}.items() if value is not None}


print(json.dumps([describe(provider, model) for provider in providers for model in provider.models]))
