from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import tool
from haystack.utils import Secret

from steps import KEY, URL, run

AT = {"api_key": Secret.from_token(KEY), "api_base_url": f"{URL}/v1", "max_retries": 0}
MAKERS = {"chat": OpenAIChatGenerator, "responses": OpenAIResponsesChatGenerator}
asked = [ChatMessage.from_user("Weather?")]


@tool
def get_weather(city: str) -> str:
    """Returns the weather of a city."""
    return f"rain in {city}"


def shown(message):
    return message.text, message.meta.get("id")


def plain(make):
    return lambda model: shown(make(model=model, **AT).run(asked)["replies"][0])


def streamed(make):
    return lambda model: shown(make(model=model, streaming_callback=lambda chunk: None, **AT).run(asked)["replies"][0])


def with_tools(make):
    return lambda model: shown(Agent(chat_generator=make(model=model, **AT), tools=[get_weather]).run(asked)["last_message"])


steps = {}
for name, make in MAKERS.items():
    steps |= {name: plain(make), f"{name} stream": streamed(make), f"{name} tools": with_tools(make)}
run(steps)
