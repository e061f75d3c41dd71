import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.llms.openai import OpenAIResponses
from llama_index.llms.openai_like import OpenAILike

from steps import KEY, URL, run

AT = {"api_key": KEY, "api_base": f"{URL}/v1", "max_retries": 0}
MAKERS = {
    "chat": lambda model: OpenAILike(
        model=model, is_chat_model=True, is_function_calling_model=True, context_window=200_000, **AT
    ),
    # It looks the window up by the name, and knows none of ours.
    "responses": lambda model: OpenAIResponses(model=model, context_window=200_000, **AT),
}
asked = [ChatMessage(role="user", content="Hello")]
loop = asyncio.new_event_loop()


def get_weather(city: str) -> str:
    """Returns the weather of a city."""
    return f"rain in {city}"


def shown(answer):
    raw = answer.raw
    return answer.message.content, raw.get("id") if isinstance(raw, dict) else getattr(raw, "id", None)


def plain(make):
    return lambda model: shown(make(model).chat(asked))


def streamed(make):
    def act(model):
        *_, last = make(model).stream_chat(asked)
        return last.message.content, getattr(last.raw, "id", None)

    return act


async def loop_with_tools(llm):
    return await FunctionAgent(tools=[get_weather], llm=llm, streaming=False).run("Weather?")


def with_tools(make):
    def act(model):
        result = loop.run_until_complete(loop_with_tools(make(model)))
        return str(result.response), None

    return act


steps = {}
for name, make in MAKERS.items():
    steps |= {name: plain(make), f"{name} stream": streamed(make), f"{name} tools": with_tools(make)}
run(steps)
