"""anthropic: Messages of the sandbox."""

import anthropic
import pytest

QUESTION = [{"role": "user", "content": "Say hello"}]
WEATHER = {
    "name": "weather",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


def test_tools(anthropic_client, sandbox_model):
    question = [{"role": "user", "content": "Weather in Oslo?"}]
    first = anthropic_client.messages.create(
        model=sandbox_model, max_tokens=256, messages=question, tools=[WEATHER], tool_choice={"type": "any"}
    )
    calls = [block for block in first.content if block.type == "tool_use"]
    assert first.stop_reason == "tool_use" and [call.name for call in calls] == ["weather"]
    results = [{"type": "tool_result", "tool_use_id": call.id, "content": "rain"} for call in calls]
    last = anthropic_client.messages.create(
        model=sandbox_model,
        max_tokens=256,
        messages=[*question, {"role": "assistant", "content": first.content}, {"role": "user", "content": results}],
        tools=[WEATHER],
    )
    assert "rain" in last.content[-1].text


def test_thinking_round_trip(anthropic_client, sandbox_model):
    thinking = {"type": "enabled", "budget_tokens": 1024}
    first = anthropic_client.messages.create(
        model=sandbox_model, max_tokens=2048, messages=QUESTION, thinking=thinking
    )
    assert [block.type for block in first.content] == ["thinking", "text"]
    assert first.content[0].signature
    again = anthropic_client.messages.create(
        model=sandbox_model,
        max_tokens=2048,
        thinking=thinking,
        messages=[*QUESTION, {"role": "assistant", "content": first.content}, {"role": "user", "content": "And now?"}],
    )
    assert again.stop_reason == "end_turn"


def test_models(anthropic_client):
    listed = {model.id: model for model in anthropic_client.models.list()}
    assert listed["attune/sandboxed"].display_name
    assert anthropic_client.models.retrieve("attune/sandboxed").id == "attune/sandboxed"


@pytest.mark.parametrize(
    ("model", "error", "status"),
    [
        ("attune/none", anthropic.NotFoundError, 404),
        ("attune/sandboxed:sandbox-rate-limit=1", anthropic.RateLimitError, 429),
        ("attune/sandboxed:sandbox-overload", anthropic.APIStatusError, 529),
    ],
)
def test_errors(anthropic_client, model, error, status):
    with pytest.raises(error) as raised:
        anthropic_client.messages.create(model=model, max_tokens=64, messages=QUESTION)
    assert raised.value.status_code == status
    assert raised.value.request_id


def test_stream_that_dies(anthropic_client):
    with pytest.raises(anthropic.APIError):
        with anthropic_client.messages.stream(
            model="attune/sandboxed:sandbox-mid-stream-death=2", max_tokens=64, messages=QUESTION
        ) as stream:
            stream.until_done()
