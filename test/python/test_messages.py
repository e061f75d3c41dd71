"""anthropic: Messages, through each kind of upstream."""

import json
import uuid

import pytest
from anthropic import beta_tool
from city import OSLO, PARAMETERS, SCHEMA, City
from upstream import CALLS, REFUSAL, RESULTS, TEXT, THOUGHT, THOUGHT_BACK
from upstream import calls_in, received, results_in, schema_in, thoughts_in

QUESTION = [{"role": "user", "content": "Say hello"}]
TOOLS = [{"name": "get_weather", "input_schema": PARAMETERS}]


@pytest.fixture
def messages(anthropic_client):
    return anthropic_client.messages


def asked(kind, does, **members):
    return {"model": f"attune/{kind}-{does}", "max_tokens": 2048, "messages": QUESTION, **members}


def calls_of(message):
    return [(block.id, block.name, block.input) for block in message.content if block.type == "tool_use"]


def streamed(messages, body):
    with messages.stream(**body) as stream:
        stream.until_done()
        return stream.get_final_message()


def test_text(messages, kind):
    message = messages.create(**asked(kind, "hello"))
    assert [block.text for block in message.content] == ["Hello"]
    assert message.stop_reason == "end_turn"
    assert (message.usage.input_tokens, message.usage.output_tokens) == (9, 2)
    assert str(uuid.UUID(message.id)) == message.id


def test_text_stream(messages, kind):
    with messages.stream(**asked(kind, "hello")) as stream:
        assert "".join(stream.text_stream) == "Hello"
        usage = stream.get_final_message().usage
    assert (usage.input_tokens, usage.output_tokens) == (9, 2)


def test_accumulated_text(messages, kind):
    final = streamed(messages, asked(kind, "text"))
    assert [block.text for block in final.content] == [TEXT]
    assert final.stop_reason == "end_turn"
    usage = final.usage
    assert (usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens) == (20, 10, 90)
    assert (usage.output_tokens, usage.output_tokens_details.thinking_tokens) == (15, 4)


def test_tool_loop(messages, kind):
    body = asked(kind, "tools", tools=TOOLS)
    first = messages.create(**body, tool_choice={"type": "any"})
    assert first.stop_reason == "tool_use"
    assert calls_of(first) == CALLS
    results = [{"type": "tool_result", "tool_use_id": id, "content": content} for id, content in RESULTS]
    history = [*QUESTION, {"role": "assistant", "content": first.content}, {"role": "user", "content": results}]
    last = messages.create(**{**body, "messages": history}, extra_headers={"attune-strict": "true"})
    assert [block.text for block in last.content] == [TEXT]
    body = received()[1]
    assert calls_in(kind, body) == CALLS
    assert results_in(kind, body) == RESULTS


def test_accumulated_calls(messages, kind):
    final = streamed(messages, asked(kind, "tools", tools=TOOLS))
    assert final.stop_reason == "tool_use"
    assert calls_of(final) == CALLS


def test_structured_output(messages, kind):
    body = asked(kind, "json", output_format=City)
    assert messages.parse(**body).parsed_output == OSLO
    assert schema_in(kind, received()[1]) == SCHEMA
    assert streamed(messages, body).parsed_output == OSLO


@pytest.mark.parametrize("ask", ["whole", "streamed"])
def test_thinking_round_trip(messages, kind, ask):
    body = asked(kind, "thinking", thinking={"type": "adaptive"})
    answer = streamed(messages, body) if ask == "streamed" else messages.create(**body)
    thinking, text = answer.content
    assert (thinking.type, thinking.thinking, text.text) == ("thinking", THOUGHT, TEXT)
    assert thinking.signature
    history = [*QUESTION, {"role": "assistant", "content": answer.content}, {"role": "user", "content": "And now?"}]
    messages.create(**{**body, "messages": history}, extra_headers={"attune-strict": "true"})
    assert thoughts_in(kind, received()[1]) == [THOUGHT_BACK[kind]]


def test_refusal(messages, kind):
    message = streamed(messages, asked(kind, "refusal"))
    assert [block.text for block in message.content] == [REFUSAL]
    assert message.stop_reason == "refusal"


def test_length_stop(messages, kind):
    message = messages.create(**asked(kind, "length"))
    assert ([block.text for block in message.content], message.stop_reason) == (["Once upon a"], "max_tokens")


WEATHER = {"Oslo": "rain", "Rome": "sun"}


@beta_tool
def get_weather(city: str) -> str:
    """Weather of a city."""
    return WEATHER[city]


def texts_of(result):
    return result if isinstance(result, str) else "".join(block["text"] for block in result)


@pytest.mark.parametrize("stream", [False, True])
def test_tool_runner(anthropic_client, kind, stream):
    """The runner keeps the conversation in a message thread, and sends only what is new."""
    body = asked(kind, "tools", tools=[get_weather], stream=stream)
    last = anthropic_client.beta.messages.tool_runner(**body).until_done()
    assert [block.text for block in last.content] == [TEXT]
    body = received()[1]
    assert calls_in(kind, body) == CALLS
    assert [(id, texts_of(result)) for id, result in results_in(kind, body)] == RESULTS


def test_thread(anthropic_client, kind):
    thread = anthropic_client.beta.messages.thread(model=f"attune/{kind}-hello", max_tokens=2048)
    first = thread.send({"role": "user", "content": "One fish"})
    second = thread.send({"role": "user", "content": "Two fish"})
    assert first.id != second.id
    body = json.dumps(received()[1])
    assert 0 < body.index("One fish") < body.index("Two fish")
