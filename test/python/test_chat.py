"""openai: Chat Completions, through each kind of upstream."""

import json
import uuid

import pytest
from city import OSLO, PARAMETERS, SCHEMA, City
from upstream import CALLS, REFUSAL, RESULTS, TEXT, THOUGHT, THOUGHT_BACK
from upstream import calls_in, received, results_in, schema_in, thoughts_in

QUESTION = [{"role": "user", "content": "Say hello"}]
TOOLS = [{"type": "function", "function": {"name": "get_weather", "parameters": PARAMETERS, "strict": True}}]


@pytest.fixture
def completions(openai_client):
    return openai_client.chat.completions


def calls_of(message):
    calls = message.tool_calls or []
    return [(call.id, call.function.name, json.loads(call.function.arguments)) for call in calls]


def streamed(completions, **body):
    with completions.stream(messages=QUESTION, **body) as stream:
        stream.until_done()
        return stream.get_final_completion()


def test_text(completions, kind):
    answer = completions.create(model=f"attune/{kind}-hello", messages=QUESTION)
    assert answer.choices[0].message.content == "Hello"
    assert answer.choices[0].finish_reason == "stop"
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (9, 2)
    assert str(uuid.UUID(answer.id)) == answer.id


def test_chunks(completions, kind):
    chunks = list(
        completions.create(
            model=f"attune/{kind}-hello", messages=QUESTION, stream=True, stream_options={"include_usage": True}
        )
    )
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == "Hello"
    assert len({chunk.id for chunk in chunks}) == 1
    assert chunks[-1].usage.total_tokens == 11


def test_accumulated_text(completions, kind):
    final = streamed(completions, model=f"attune/{kind}-text", stream_options={"include_usage": True})
    assert final.choices[0].message.content == TEXT
    assert final.choices[0].finish_reason == "stop"
    assert (final.usage.prompt_tokens, final.usage.completion_tokens) == (120, 15)
    assert final.usage.prompt_tokens_details.cached_tokens == 90
    assert final.usage.completion_tokens_details.reasoning_tokens == 4


def test_tool_loop(completions, kind):
    model = f"attune/{kind}-tools"
    answer = completions.create(model=model, messages=QUESTION, tools=TOOLS, tool_choice="required")
    message = answer.choices[0].message
    assert answer.choices[0].finish_reason == "tool_calls"
    assert calls_of(message) == CALLS
    results = [{"role": "tool", "tool_call_id": id, "content": content} for id, content in RESULTS]
    last = completions.create(
        model=model, messages=[*QUESTION, message, *results], tools=TOOLS, extra_headers={"attune-strict": "true"}
    )
    assert last.choices[0].message.content == TEXT
    body = received()[1]
    assert calls_in(kind, body) == CALLS
    assert results_in(kind, body) == RESULTS


def test_accumulated_calls(completions, kind):
    final = streamed(completions, model=f"attune/{kind}-tools", tools=TOOLS)
    assert final.choices[0].finish_reason == "tool_calls"
    assert calls_of(final.choices[0].message) == CALLS
    assert [call.function.parsed_arguments for call in final.choices[0].message.tool_calls] == [
        {"city": "Oslo"},
        {"city": "Rome"},
    ]


def test_structured_output(completions, kind):
    model = f"attune/{kind}-json"
    answer = completions.parse(model=model, messages=QUESTION, response_format=City)
    assert answer.choices[0].message.parsed == OSLO
    assert schema_in(kind, received()[1]) == SCHEMA
    final = streamed(completions, model=model, response_format=City)
    assert final.choices[0].message.parsed == OSLO


def test_thinking_round_trip(completions, kind):
    model = f"attune/{kind}-thinking"
    answer = completions.create(model=model, messages=QUESTION, reasoning_effort="high")
    message = answer.choices[0].message
    assert (message.content, message.reasoning_content) == (TEXT, THOUGHT)
    again = [*QUESTION, message, {"role": "user", "content": "And now?"}]
    completions.create(model=model, messages=again, extra_headers={"attune-strict": "true"})
    assert thoughts_in(kind, received()[1]) == [THOUGHT_BACK[kind]]


def test_streamed_thinking_round_trip(completions, kind):
    model = f"attune/{kind}-thinking"
    deltas = [
        chunk.choices[0].delta
        for chunk in completions.create(model=model, messages=QUESTION, stream=True)
        if chunk.choices
    ]
    details = [entry for delta in deltas for entry in getattr(delta, "reasoning_details", None) or []]
    said = "".join(delta.content or "" for delta in deltas)
    assert said == TEXT
    assert "".join(getattr(delta, "reasoning_content", None) or "" for delta in deltas) == THOUGHT
    message = {"role": "assistant", "content": said, "reasoning_content": THOUGHT, "reasoning_details": details}
    completions.create(model=model, messages=[*QUESTION, message, {"role": "user", "content": "And now?"}])
    assert thoughts_in(kind, received()[1]) == [THOUGHT_BACK[kind]]


def test_refusal(completions, kind):
    answer = completions.create(model=f"attune/{kind}-refusal", messages=QUESTION)
    message = answer.choices[0].message
    # Messages cuts the text off and explains why: that is the refusal.
    wanted = (REFUSAL, "policy") if kind == "anthropic-messages" else (None, REFUSAL)
    assert (message.content, message.refusal) == wanted


def test_length_stop(completions, kind):
    answer = completions.create(model=f"attune/{kind}-length", messages=QUESTION)
    assert (answer.choices[0].message.content, answer.choices[0].finish_reason) == ("Once upon a", "length")
