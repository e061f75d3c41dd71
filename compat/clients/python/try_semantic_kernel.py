import asyncio

from openai import AsyncOpenAI
from semantic_kernel.agents import ChatCompletionAgent, OpenAIResponsesAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function

from steps import KEY, URL, run

# The client keeps connections of one loop.
runner = asyncio.Runner()
client = AsyncOpenAI(api_key=KEY, base_url=f"{URL}/v1", max_retries=0)


class Weather:
    """A plugin, whose name and a hyphen it puts before those of its functions."""

    @kernel_function(description="Returns the weather of a city.")
    def get_weather(self, city: str) -> str:
        return f"rain in {city}"


def chat(model, **more):
    service = OpenAIChatCompletion(ai_model_id=model, async_client=client)
    return ChatCompletionAgent(service=service, name="helper", **more)


def responses(model, **more):
    return OpenAIResponsesAgent(ai_model_id=model, client=client, name="helper", **more)


def plain(make, **more):
    async def ask(model):
        answer = await make(model, **more).get_response("Weather?")
        return str(answer.content), None

    return lambda model: runner.run(ask(model))


def streamed(make):
    async def ask(model):
        return "".join([str(part.content) async for part in make(model).invoke_stream("Hello")]), None

    return lambda model: runner.run(ask(model))


steps = {}
for name, make in {"chat": chat, "responses": responses}.items():
    steps |= {
        name: plain(make),
        f"{name} stream": streamed(make),
        f"{name} tools": plain(make, plugins=[Weather()]),
    }
run(steps)
