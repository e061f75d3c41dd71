from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

from steps import KEY, URL, run

MAKERS = {
    "chat": lambda model: ChatOpenAI(model=model, api_key=KEY, base_url=f"{URL}/v1", max_retries=0, use_responses_api=False),
    "responses": lambda model: ChatOpenAI(
        model=model, api_key=KEY, base_url=f"{URL}/v1", max_retries=0, use_responses_api=True
    ),
    "messages": lambda model: ChatAnthropic(model=model, api_key=KEY, base_url=URL, max_retries=0),
}


@tool
def get_weather(city: str) -> str:
    """Returns the weather of a city."""
    return f"rain in {city}"


def shown(message):
    """Streams have the id of LangChain's run; the id of the answer is in the metadata, where there is one."""
    return message.text, message.response_metadata.get("id") or (None if "run-" in message.id else message.id)


def plain(make):
    return lambda model: shown(make(model).invoke("Hello"))


def streamed(make):
    def act(model):
        whole = None
        for chunk in make(model).stream("Hello"):
            whole = chunk if whole is None else whole + chunk
        return shown(whole)

    return act


def with_tools(make):
    def act(model):
        bound = make(model).bind_tools([get_weather])
        asked = HumanMessage("Weather?")
        first = bound.invoke([asked])
        results = [ToolMessage(content="rain", tool_call_id=call["id"]) for call in first.tool_calls]
        return shown(bound.invoke([asked, first, *results]))

    return act


steps = {}
for name, make in MAKERS.items():
    steps |= {name: plain(make), f"{name} stream": streamed(make), f"{name} tools": with_tools(make)}
run(steps)
