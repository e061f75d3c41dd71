import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient

from steps import KEY, URL, run

INFO = {"vision": False, "function_calling": True, "json_output": True, "structured_output": True, "family": "unknown"}


def get_weather(city: str) -> str:
    """Returns the weather of a city."""
    return f"rain in {city}"


async def ask(model, tools, is_streamed):
    client = OpenAIChatCompletionClient(
        model=model, api_key=KEY, base_url=f"{URL}/v1", model_info=INFO, max_retries=0
    )
    agent = AssistantAgent(
        "a", model_client=client, tools=tools, model_client_stream=is_streamed, reflect_on_tool_use=True
    )
    result = await agent.run(task="Weather?")
    return result.messages[-1].content, None  # its messages have ids of its own


def act(tools=(), is_streamed=False):
    return lambda model: asyncio.run(ask(model, list(tools), is_streamed))


run({"chat": act(), "chat stream": act(is_streamed=True), "chat tools": act([get_weather])})
