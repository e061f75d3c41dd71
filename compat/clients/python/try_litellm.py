import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm  # noqa: E402

from steps import KEY, PARAMETERS, URL, run  # noqa: E402

messages = [{"role": "user", "content": "Hello"}]
function = {"name": "get_weather", "description": "Weather", "parameters": PARAMETERS}


def at_openai(model):
    return {"model": f"openai/{model}", "api_base": f"{URL}/v1", "api_key": KEY, "num_retries": 0}


def at_anthropic(model):
    return {"model": f"anthropic/{model}", "api_base": URL, "api_key": KEY, "num_retries": 0, "max_tokens": 1000}


def shown(answer):
    """Answers of Anthropic's format get an id of LiteLLM's own; the header has that of the answer."""
    headers = answer._hidden_params.get("additional_headers", {})
    return answer.choices[0].message.content, headers.get("llm_provider-attune-inference-id", answer.id)


def plain(at):
    return lambda model: shown(litellm.completion(messages=messages, **at(model)))

def streamed(at):
    def act(model):
        chunks = list(litellm.completion(messages=messages, stream=True, **at(model)))
        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
        return text, None  # the id is LiteLLM's own

    return act


def with_tools(at):
    def act(model):
        tools = [{"type": "function", "function": function}]
        called = litellm.completion(messages=messages, tools=tools, **at(model)).choices[0].message
        results = [{"role": "tool", "tool_call_id": call.id, "content": "rain"} for call in called.tool_calls]
        return shown(litellm.completion(messages=[*messages, called, *results], tools=tools, **at(model)))

    return act


def responses(model):
    answer = litellm.responses(input="Hello", **at_openai(model))
    return answer.output_text, answer.id


steps = {"responses": responses}
for name, at in {"chat": at_openai, "messages": at_anthropic}.items():
    steps |= {name: plain(at), f"{name} stream": streamed(at), f"{name} tools": with_tools(at)}
run(steps)
