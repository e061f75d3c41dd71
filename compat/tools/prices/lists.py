"""Reads calls as JSON from standard input and prints what genai-prices' and LiteLLM's own functions say they cost."""

import json
import sys

from genai_prices import Usage as GenaiUsage
from genai_prices import calc_price
from litellm.litellm_core_utils.llm_cost_calc.utils import generic_cost_per_token
from litellm import get_model_info
from litellm.llms.anthropic.cost_calculation import get_cost_for_anthropic_web_search
from litellm.types.utils import CompletionTokensDetailsWrapper, PromptTokensDetailsWrapper, ServerToolUse
from litellm.types.utils import Usage as LitellmUsage

GENAI = {"gemini": "google", "xai": "x-ai", "moonshot": "moonshotai"}


def by_genai(call):
    usage = GenaiUsage(
        input_tokens=call["prompt"],
        cache_read_tokens=call["read"],
        cache_write_tokens=call["written5m"] + call["written1h"],
        output_tokens=call["output"],
        **({"cache_write_1h_tokens": call["written1h"]} if call["written1h"] else {}),
        **({"web_searches": call["searches"]} if call["searches"] else {}),
    )
    tier = {"price_context": {"service_tier": call["tier"]}} if call["tier"] else {}
    provider = GENAI.get(call["provider"], call["provider"])
    return float(calc_price(usage, model_ref=call["model"], provider_id=provider, **tier).total_price)


def by_litellm(call):
    written = {"ephemeral_5m_input_tokens": call["written5m"], "ephemeral_1h_input_tokens": call["written1h"]}
    usage = LitellmUsage(
        prompt_tokens=call["prompt"],
        completion_tokens=call["output"],
        total_tokens=call["prompt"] + call["output"],
        prompt_tokens_details=PromptTokensDetailsWrapper(
            cached_tokens=call["read"],
            cache_creation_tokens=call["written5m"] + call["written1h"],
            cache_creation_token_details=written if call["written1h"] else None,
        ),
        completion_tokens_details=CompletionTokensDetailsWrapper(reasoning_tokens=call["reasoning"]),
        server_tool_use=ServerToolUse(web_search_requests=call["searches"]),
    )
    tier = {"service_tier": call["tier"]} if call["tier"] else {}
    prompt, output = generic_cost_per_token(
        model=call["model"], usage=usage, custom_llm_provider=call["provider"], **tier
    )
    if not call["searches"]:
        return prompt + output
    info = get_model_info(call["model"], custom_llm_provider=call["provider"])
    return prompt + output + get_cost_for_anthropic_web_search(model_info=info, usage=usage)


def attempt(function, call):
    try:
        return function(call)
    except Exception as error:  # What a list cannot say is a row of the table, whatever it raises.
        return f"{type(error).__name__}: {error}"[:120]


calls = json.load(sys.stdin)
print(json.dumps([{"genai": attempt(by_genai, call), "litellm": attempt(by_litellm, call)} for call in calls]))
