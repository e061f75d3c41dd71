from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

from steps import KEY, URL, run

openai = OpenAIProvider(base_url=f"{URL}/v1", api_key=KEY)
anthropic = AnthropicProvider(base_url=URL, api_key=KEY)
MAKERS = {
    "chat": lambda model: OpenAIChatModel(model, provider=openai),
    "responses": lambda model: OpenAIResponsesModel(model, provider=openai),
    "messages": lambda model: AnthropicModel(model, provider=anthropic),
}


def get_weather(city: str) -> str:
    """Returns the weather of a city."""
    return f"rain in {city}"


def shown(result):
    return result.output, result.all_messages()[-1].provider_response_id


def plain(make):
    return lambda model: shown(Agent(make(model)).run_sync("Hello"))


def streamed(make):
    def act(model):
        result = Agent(make(model)).run_stream_sync("Hello")
        return result.get_output(), result.all_messages()[-1].provider_response_id

    return act


def with_tools(make):
    return lambda model: shown(Agent(make(model), tools=[get_weather]).run_sync("Weather?"))


steps = {}
for name, make in MAKERS.items():
    steps |= {name: plain(make), f"{name} stream": streamed(make), f"{name} tools": with_tools(make)}
run(steps)
