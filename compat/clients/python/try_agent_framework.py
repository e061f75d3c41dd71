import asyncio

from agent_framework import Agent
from agent_framework.openai import OpenAIChatClient, OpenAIChatCompletionClient

from steps import KEY, URL, run

AT = {"api_key": KEY, "base_url": f"{URL}/v1"}
MAKERS = {
    "chat": lambda model: OpenAIChatCompletionClient(model=model, **AT),
    "responses": lambda model: OpenAIChatClient(model=model, **AT),
}


def get_weather(city: str) -> str:
    """Returns the weather of a city."""
    return f"rain in {city}"


def shown(answer):
    return answer.text, answer.response_id


async def ask(agent):
    return shown(await agent.run("Weather?"))


async def stream(agent):
    events = agent.run("Hello", stream=True)
    async for _ in events:
        pass
    return shown(await events.get_final_response())


def plain(make, tools=None):
    return lambda model: asyncio.run(ask(Agent(make(model), tools=tools)))


def streamed(make):
    return lambda model: asyncio.run(stream(Agent(make(model))))


steps = {}
for name, make in MAKERS.items():
    steps |= {name: plain(make), f"{name} stream": streamed(make), f"{name} tools": plain(make, [get_weather])}
run(steps)
