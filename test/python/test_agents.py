"""The Agents SDK, which leaves its conversations to the service, through each kind of upstream."""

import asyncio

import openai
import pytest
from agents import Agent, OpenAIConversationsSession, OpenAIProvider, RunConfig, Runner, function_tool
from conftest import KEY, URL
from upstream import CALLS, RESULTS, TEXT
from upstream import calls_in, received, results_in

WEATHER = {"Oslo": "rain", "Rome": "sun"}


@function_tool
def get_weather(city: str) -> str:
    """Weather of a city."""
    return WEATHER[city]


async def ask(client, kind, text, streamed, **options):
    """Asks an agent, and returns its last words."""
    agent = Agent(name="meteorologist", instructions="Be brief.", model=f"{kind}-tools", tools=[get_weather])
    config = RunConfig(model_provider=OpenAIProvider(openai_client=client), tracing_disabled=True)
    if not streamed:
        return (await Runner.run(agent, text, run_config=config, **options)).final_output
    result = Runner.run_streamed(agent, text, run_config=config, **options)
    async for _ in result.stream_events():
        pass
    return result.final_output


async def with_session(client):
    session = OpenAIConversationsSession(openai_client=client)
    await session.get_items()
    return {"session": session}, session.session_id


async def with_conversation(client):
    conversation = await client.conversations.create()
    return {"conversation_id": conversation.id}, conversation.id


async def two_turns(kind, streamed, begin):
    """Asks twice; returns the items of the conversation."""
    async with openai.AsyncOpenAI(base_url=f"{URL}/v1", api_key=KEY, max_retries=0) as client:
        options, conversation_id = await begin(client)
        assert await ask(client, kind, "How is the weather?", streamed, **options) == TEXT
        assert await ask(client, kind, "And tomorrow?", streamed, **options) == TEXT
        return [item async for item in client.conversations.items.list(conversation_id, order="asc")]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("begin", [with_session, with_conversation])
def test_two_turns(kind, begin, streamed):
    count, _ = received()
    items = asyncio.run(two_turns(kind, streamed, begin))
    later, body = received()
    assert later - count == 3
    assert calls_in(kind, body) == CALLS
    assert results_in(kind, body) == RESULTS
    assert str(body).index("How is the weather?") < str(body).index("And tomorrow?")
    assert [getattr(item, "role", None) or item.type for item in items] == [
        "user",
        "function_call",
        "function_call",
        "function_call_output",
        "function_call_output",
        "assistant",
        "user",
        "assistant",
    ]


def test_last_item_is_taken_back_and_session_cleared(kind):
    async def run():
        async with openai.AsyncOpenAI(base_url=f"{URL}/v1", api_key=KEY, max_retries=0) as client:
            session = OpenAIConversationsSession(openai_client=client)
            await ask(client, kind, "Hello", False, session=session)
            assert (await session.pop_item())["role"] == "assistant"
            assert (await session.get_items())[-1]["type"] == "function_call_output"
            id = session.session_id
            await session.clear_session()
            with pytest.raises(openai.NotFoundError):
                await client.conversations.retrieve(id)

    asyncio.run(run())
