import asyncio

from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

from steps import KEY, URL, run

set_tracing_disabled(True)
client = AsyncOpenAI(api_key=KEY, base_url=f"{URL}/v1", max_retries=0)
MAKERS = {
    "chat": lambda model: OpenAIChatCompletionsModel(model=model, openai_client=client),
    "responses": lambda model: OpenAIResponsesModel(model=model, openai_client=client),
}
loop = asyncio.new_event_loop()


@function_tool
def get_weather(city: str) -> str:
    """Returns the weather of a city."""
    return f"rain in {city}"


def shown(result):
    """Answers of Chat have no id there, and its streams a made-up one."""
    answer_id = result.raw_responses[-1].response_id
    return result.final_output, None if answer_id in (None, "__fake_id__") else answer_id


def plain(make, tools=()):
    def act(model):
        agent = Agent(name="a", model=make(model), tools=list(tools))
        return shown(loop.run_until_complete(Runner.run(agent, "Weather?")))

    return act


async def stream(agent):
    result = Runner.run_streamed(agent, "Hello")
    async for _ in result.stream_events():
        pass
    return shown(result)


def streamed(make):
    return lambda model: loop.run_until_complete(stream(Agent(name="a", model=make(model))))


steps = {}
for name, make in MAKERS.items():
    steps |= {name: plain(make), f"{name} stream": streamed(make), f"{name} tools": plain(make, [get_weather])}
run(steps)
