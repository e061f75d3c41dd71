"""openai: Responses, through each kind of upstream."""

import json

import pytest
from city import OSLO, PARAMETERS, SCHEMA, City
from upstream import CALLS, REFUSAL, RESULTS, TEXT, THOUGHT, THOUGHT_BACK
from upstream import calls_in, received, results_in, schema_in, thoughts_in

QUESTION = [{"role": "user", "content": "Say hello"}]
TOOLS = [{"type": "function", "name": "get_weather", "parameters": PARAMETERS, "strict": True}]


@pytest.fixture
def responses(openai_client):
    return openai_client.responses


def calls_of(answer):
    items = [item for item in answer.output if item.type == "function_call"]
    return [(item.call_id, item.name, json.loads(item.arguments)) for item in items]


def streamed(responses, **body):
    with responses.stream(input=QUESTION, **body) as stream:
        stream.until_done()
        return stream.get_final_response()


def test_text(responses, kind):
    answer = responses.create(model=f"attune/{kind}-hello", input="Say hello")
    assert answer.output_text == "Hello"
    assert answer.status == "completed"
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (9, 2)


def test_events(responses, kind):
    events = list(responses.create(model=f"attune/{kind}-text", input="Say hello", stream=True))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert [event.type for event in events] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]


def test_accumulated_text(responses, kind):
    final = streamed(responses, model=f"attune/{kind}-hello")
    assert (final.output_text, final.status) == ("Hello", "completed")
    final = streamed(responses, model=f"attune/{kind}-text")
    assert (final.output_text, final.status) == (TEXT, "completed")
    assert (final.usage.input_tokens, final.usage.output_tokens) == (120, 15)
    assert final.usage.input_tokens_details.cached_tokens == 90
    assert final.usage.output_tokens_details.reasoning_tokens == 4


def test_tool_loop(responses, kind):
    model = f"attune/{kind}-tools"
    answer = responses.create(model=model, input=QUESTION, tools=TOOLS, tool_choice="required")
    assert calls_of(answer) == CALLS
    results = [{"type": "function_call_output", "call_id": id, "output": output} for id, output in RESULTS]
    history = [*QUESTION, *answer.output, *results]
    # In strict mode, since nothing of this is lost anywhere; and kept by nobody, for an upstream may not keep it.
    last = responses.create(
        model=model, input=history, tools=TOOLS, store=False, extra_headers={"attune-strict": "true"}
    )
    assert last.output_text == TEXT
    body = received()[1]
    assert calls_in(kind, body) == CALLS
    assert results_in(kind, body) == RESULTS


def test_stored_tool_loop(responses, kind):
    model = f"attune/{kind}-tools"
    answer = responses.create(model=model, input=QUESTION, tools=TOOLS)
    results = [{"type": "function_call_output", "call_id": id, "output": output} for id, output in RESULTS]
    last = responses.create(model=model, previous_response_id=answer.id, input=results, tools=TOOLS)
    assert last.output_text == TEXT
    body = received()[1]
    assert calls_in(kind, body) == CALLS
    assert results_in(kind, body) == RESULTS


def test_accumulated_calls(responses, kind):
    final = streamed(responses, model=f"attune/{kind}-tools", tools=TOOLS)
    assert calls_of(final) == CALLS
    parsed = [item.parsed_arguments for item in final.output if item.type == "function_call"]
    assert parsed == [{"city": "Oslo"}, {"city": "Rome"}]


def test_structured_output(responses, kind):
    model = f"attune/{kind}-json"
    answer = responses.parse(model=model, input=QUESTION, text_format=City)
    assert answer.output_parsed == OSLO
    assert schema_in(kind, received()[1]) == SCHEMA
    assert streamed(responses, model=model, text_format=City).output_parsed == OSLO


@pytest.mark.parametrize("ask", ["whole", "streamed"])
def test_thinking_round_trip(responses, kind, ask):
    body = {"model": f"attune/{kind}-thinking", "include": ["reasoning.encrypted_content"], "store": False}
    answer = streamed(responses, **body) if ask == "streamed" else responses.create(input=QUESTION, **body)
    reasoning, message = answer.output
    assert (reasoning.type, message.type) == ("reasoning", "message")
    shown = reasoning.content if kind == "openai-chat" else reasoning.summary
    assert [part.text for part in shown] == [THOUGHT]
    assert reasoning.encrypted_content
    history = [*QUESTION, *answer.output, {"role": "user", "content": "And now?"}]
    responses.create(input=history, extra_headers={"attune-strict": "true"}, **body)
    assert thoughts_in(kind, received()[1]) == [THOUGHT_BACK[kind]]


def test_refusal(responses, kind):
    answer = responses.create(model=f"attune/{kind}-refusal", input=QUESTION)
    parts = [(part.type, getattr(part, "refusal", None) or part.text) for part in answer.output[0].content]
    # Messages cuts the text off and explains why: that is the refusal.
    cut = [("output_text", REFUSAL), ("refusal", "policy")]
    assert parts == (cut if kind == "anthropic-messages" else [("refusal", REFUSAL)])


def test_length_stop(responses, kind):
    answer = responses.create(model=f"attune/{kind}-length", input=QUESTION)
    assert (answer.output_text, answer.status) == ("Once upon a", "incomplete")
    assert answer.incomplete_details.reason == "max_output_tokens"
