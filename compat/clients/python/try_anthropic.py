from anthropic import Anthropic, beta_tool

from steps import KEY, TEXT, URL, run

client = Anthropic(api_key=KEY, base_url=URL, max_retries=0)
asked = {"max_tokens": 1000, "messages": [{"role": "user", "content": "Hello"}]}


@beta_tool
def get_weather(city: str) -> str:
    """Returns the weather of a city."""
    return f"rain in {city}"


def shown(message):
    return "".join(block.text for block in message.content if block.type == "text"), message.id


def messages(model):
    return shown(client.messages.create(model=model, **asked))


def stream(model):
    with client.messages.stream(model=model, **asked) as events:
        return shown(events.get_final_message())


def tools(model):
    return shown(client.beta.messages.tool_runner(model=model, tools=[get_weather], **asked).until_done())


def token_count(model):
    count = client.messages.count_tokens(model=model, messages=asked["messages"])
    return (TEXT if count.input_tokens > 0 else "none"), None


run({"messages": messages, "stream": stream, "tools": tools, "token count": token_count})
