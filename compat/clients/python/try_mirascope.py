from mirascope import llm

from steps import KEY, URL, run

llm.register_provider("openai", api_key=KEY, base_url=f"{URL}/v1")
llm.register_provider("anthropic", api_key=KEY, base_url=URL)
NAMES = {
    # OpenAI's names are cut at their second slash.
    "chat": lambda model: f"openai/{model.removeprefix('attune/')}:completions",
    "responses": lambda model: f"openai/{model.removeprefix('attune/')}:responses",
    "messages": lambda model: f"anthropic/{model}",
}


@llm.tool
def get_weather(city: str) -> str:
    """Returns the weather of a city."""
    return f"rain in {city}"


def plain(name):
    def act(model):
        response = llm.Model(name(model)).call("Hello")
        return response.text(), response.raw.id

    return act


def streamed(name):
    def act(model):
        response = llm.Model(name(model)).stream("Hello")
        text = "".join(response.text_stream())
        first = response.raw_stream_events[0]
        return text, (getattr(first, "response", None) or getattr(first, "message", None) or first).id

    return act


def with_tools(name):
    def act(model):
        response = llm.Model(name(model)).call("Weather?", tools=[get_weather])
        while response.tool_calls:
            response = response.resume(response.execute_tools())
        return response.text(), response.raw.id

    return act


steps = {}
for format, name in NAMES.items():
    steps |= {format: plain(name), f"{format} stream": streamed(name), f"{format} tools": with_tools(name)}
run(steps)
