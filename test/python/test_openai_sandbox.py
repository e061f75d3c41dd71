"""openai: Chat Completions and Responses of the sandbox."""

import openai
import pytest
from pydantic import BaseModel

QUESTION = [{"role": "user", "content": "Say hello"}]
WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


class City(BaseModel):
    name: str
    inhabitants: int


def test_chat_tools(openai_client, sandbox_model):
    tools = [{"type": "function", "function": {"name": "weather", "parameters": WEATHER}}]
    question = [{"role": "user", "content": "Weather in Oslo?"}]
    answer = openai_client.chat.completions.create(
        model=sandbox_model, messages=question, tools=tools, tool_choice="required"
    )
    message = answer.choices[0].message
    assert answer.choices[0].finish_reason == "tool_calls"
    assert [call.function.name for call in message.tool_calls] == ["weather"]
    history = [
        *question,
        message,
        *[{"role": "tool", "tool_call_id": call.id, "content": "rain"} for call in message.tool_calls],
    ]
    last = openai_client.chat.completions.create(model=sandbox_model, messages=history, tools=tools)
    assert "rain" in last.choices[0].message.content


def test_chat_structured_output(openai_client, sandbox_model):
    answer = openai_client.chat.completions.parse(model=sandbox_model, messages=QUESTION, response_format=City)
    assert isinstance(answer.choices[0].message.parsed, City)


def test_responses_structured_output(openai_client, sandbox_model):
    answer = openai_client.responses.parse(model=sandbox_model, input="A city", text_format=City)
    assert isinstance(answer.output_parsed, City)


def test_responses_reasoning_round_trip(openai_client, sandbox_model):
    first = openai_client.responses.create(
        model=sandbox_model, input="Think", reasoning={"effort": "high"}, include=["reasoning.encrypted_content"]
    )
    assert [item.type for item in first.output] == ["reasoning", "message"]
    assert first.output[0].encrypted_content
    again = openai_client.responses.create(
        model=sandbox_model,
        input=[{"role": "user", "content": "Think"}, *first.output, {"role": "user", "content": "And now?"}],
    )
    assert again.status == "completed"


def test_models(openai_client):
    listed = [model.id for model in openai_client.models.list()]
    assert "attune/sandboxed" in listed
    assert openai_client.models.retrieve("attune/sandboxed").id == "attune/sandboxed"


@pytest.mark.parametrize(
    ("model", "error", "status"),
    [
        ("attune/none", openai.NotFoundError, 404),
        ("attune/sandboxed:sandbox-rate-limit=1", openai.RateLimitError, 429),
        ("attune/sandboxed:sandbox-error=500", openai.InternalServerError, 500),
        ("attune/sandboxed:sandbox-context-length", openai.BadRequestError, 400),
    ],
)
def test_errors(openai_client, model, error, status):
    with pytest.raises(error) as raised:
        openai_client.chat.completions.create(model=model, messages=QUESTION)
    assert raised.value.status_code == status
    assert raised.value.request_id


def test_wrong_key(openai_client, sandbox_model):
    with pytest.raises(openai.AuthenticationError):
        openai_client.with_options(api_key="att_wrong").chat.completions.create(model=sandbox_model, messages=QUESTION)


def test_stream_that_dies(openai_client):
    stream = openai_client.chat.completions.create(
        model="attune/sandboxed:sandbox-mid-stream-death=2", messages=QUESTION, stream=True
    )
    with pytest.raises(openai.APIError):
        list(stream)
