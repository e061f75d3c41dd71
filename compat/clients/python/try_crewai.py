import os

os.environ |= {"CREWAI_DISABLE_TELEMETRY": "true", "OTEL_SDK_DISABLED": "true", "CREWAI_TRACING_ENABLED": "false"}

from crewai import LLM, Agent  # noqa: E402
from crewai.tools import tool  # noqa: E402

from steps import KEY, URL, run  # noqa: E402


@tool("get_weather")
def get_weather(city: str) -> str:
    """Returns the weather of a city."""
    return f"rain in {city}"


def llm(model, **more):
    # Without the provider it looks the name up in lists, and finds none of ours.
    return LLM(model=model, provider="openai", base_url=f"{URL}/v1", api_key=KEY, max_retries=0, **more)


def plain(**more):
    return lambda model: (llm(model, **more).call("Hello"), None)


def with_tools(**more):
    def act(model):
        agent = Agent(
            role="a", goal="Help.", backstory="Helps.", llm=llm(model, **more), tools=[get_weather], max_retry_limit=0
        )
        return str(agent.kickoff("Weather?").raw), None

    return act


steps = {}
for api, more in {"chat": {}, "responses": {"api": "responses"}}.items():
    steps |= {api: plain(**more), f"{api} stream": plain(stream=True, **more), f"{api} tools": with_tools(**more)}
run(steps)
