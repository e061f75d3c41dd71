from smolagents import ChatMessage, MessageRole, OpenAIModel, tool

from steps import KEY, URL, run


@tool
def get_weather(city: str) -> str:
    """Returns the weather of a city.

    Args:
        city: The city.
    """
    return f"rain in {city}"


asked = [ChatMessage(role=MessageRole.USER, content=[{"type": "text", "text": "Hello"}])]


def at(model):
    return OpenAIModel(model_id=model, api_base=f"{URL}/v1", api_key=KEY, client_kwargs={"max_retries": 0}, retry=False)


def chat(model):
    message = at(model).generate(asked)
    return message.content, message.raw.id


def chat_stream(model):
    return "".join(part.content or "" for part in at(model).generate_stream(asked)), None


def chat_tools(model):
    """The loop is played by hand: its agents end with a tool that the scripted models do not know."""
    first = at(model).generate(asked, tools_to_call_from=[get_weather])
    result = ChatMessage(role=MessageRole.TOOL_RESPONSE, content=[{"type": "text", "text": "rain"}])
    called = ChatMessage(role=MessageRole.TOOL_CALL, content=[{"type": "text", "text": str(first.tool_calls)}])
    message = at(model).generate([*asked, called, result])
    return message.content, message.raw.id


run({"chat": chat, "chat stream": chat_stream, "chat tools": chat_tools})
