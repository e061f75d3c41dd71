import asyncio
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

from google.adk.agents import LlmAgent  # noqa: E402
from google.adk.agents.run_config import RunConfig, StreamingMode  # noqa: E402
from google.adk.models.lite_llm import LiteLlm  # noqa: E402
from google.adk.runners import InMemoryRunner  # noqa: E402

from steps import KEY, URL, run  # noqa: E402


def get_weather(city: str) -> str:
    """Returns the weather of a city."""
    return f"rain in {city}"


async def ask(model, tools, mode):
    llm = LiteLlm(model=f"openai/{model}", api_base=f"{URL}/v1", api_key=KEY, num_retries=0)
    runner = InMemoryRunner(agent=LlmAgent(name="a", model=llm, instruction="Help.", tools=tools))
    events = await runner.run_debug("Weather?", run_config=RunConfig(streaming_mode=mode), quiet=True)
    failed = next((event.error_message for event in events if event.error_message), None)
    if failed is not None:
        raise RuntimeError(failed)
    parts = events[-1].content.parts
    return "".join(part.text or "" for part in parts), None  # its events have ids of its own


def act(tools=(), mode=StreamingMode.NONE):
    return lambda model: asyncio.run(ask(model, list(tools), mode))


run({"chat": act(), "chat stream": act(mode=StreamingMode.SSE), "chat tools": act([get_weather])})
