from agno.agent import Agent
from agno.models.openai import OpenAIResponses
from agno.models.openai.like import OpenAILike
from agno.run import RunStatus

from steps import KEY, URL, run

MAKERS = {
    "chat": lambda model: OpenAILike(id=model, api_key=KEY, base_url=f"{URL}/v1"),
    "responses": lambda model: OpenAIResponses(id=model, api_key=KEY, base_url=f"{URL}/v1"),
}


def get_weather(city: str) -> str:
    """Returns the weather of a city."""
    return f"rain in {city}"


def plain(make, tools=None):
    def act(model):
        answer = Agent(model=make(model), tools=tools, telemetry=False).run("Hello")
        # An error is told as an answer, with a status of its own.
        if answer.status != RunStatus.completed:
            raise RuntimeError(answer.content)
        return answer.content, None

    return act


def streamed(make):
    def act(model):
        events = Agent(model=make(model), telemetry=False).run("Hello", stream=True)
        return "".join(str(event.content or "") for event in events if event.event == "RunContent"), None

    return act


steps = {}
for name, make in MAKERS.items():
    steps |= {name: plain(make), f"{name} stream": streamed(make), f"{name} tools": plain(make, [get_weather])}
run(steps)
