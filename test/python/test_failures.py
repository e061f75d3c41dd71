"""openai and anthropic: failures, of each surface through each kind of upstream, before and inside the answer."""

import uuid

import anthropic
import openai
import pytest
from upstream import received

QUESTION = [{"role": "user", "content": "Say hello"}]

# What the model does: its status, by the kind where the kinds differ, the class of both SDKs, and the words.
STATUSES = [
    ("busy", 429, "RateLimitError", "Too many at once"),
    ("overloaded", {"anthropic-messages": 529}, "InternalServerError", "Too many at once"),
    ("failing", 500, "InternalServerError", "Out of sorts"),
    ("picky", 400, "BadRequestError", "Not like this"),
]

BROKEN = [
    ("dies", "the upstream interrupted its answer"),
    ("ends-early", "before"),
    ("fails-inside", "Too much to do"),
    ("garbles", "is not"),
]


@pytest.fixture(params=["chat", "responses", "messages"])
def surface(request):
    return request.param


@pytest.fixture
def client(surface, openai_client, anthropic_client):
    return anthropic_client if surface == "messages" else openai_client


def create(client, surface, model, **members):
    if surface == "chat":
        return client.chat.completions.create(model=model, messages=QUESTION, **members)
    if surface == "responses":
        return client.responses.create(model=model, input=QUESTION, **members)
    return client.messages.create(model=model, messages=QUESTION, max_tokens=64, **members)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("does", "status", "error", "words"), STATUSES)
def test_statuses(client, surface, kind, does, status, error, words, stream):
    sdk = anthropic if surface == "messages" else openai
    with pytest.raises(getattr(sdk, error)) as raised:
        create(client, surface, f"attune/{kind}-{does}", stream=stream)
    thrown = raised.value
    # The upstream's own status is kept; 529 is one of Messages alone.
    told = status if isinstance(status, int) else status.get(kind, 503)
    assert thrown.status_code == (503 if told == 529 and surface != "messages" else told)
    assert words in thrown.message
    assert str(uuid.UUID(thrown.request_id)) == thrown.request_id
    headers = thrown.response.headers
    assert (headers["retry-after"], headers["retry-after-ms"]) == ("1", "5")
    assert headers["x-should-retry"] == ("false" if does == "picky" else "true")
    assert headers["attune-upstream-request-id"] == "req_upstream_1"


@pytest.mark.parametrize(("does", "requests"), [("busy", 3), ("picky", 1)])
def test_retries(client, surface, kind, does, requests):
    before = received()[0]
    with pytest.raises((openai.APIStatusError, anthropic.APIStatusError)):
        create(client.with_options(max_retries=2), surface, f"attune/{kind}-{does}")
    assert received()[0] - before == requests


@pytest.mark.parametrize(("does", "words"), BROKEN)
def test_streams_that_break(client, surface, kind, does, words):
    events = []
    with pytest.raises((openai.APIError, anthropic.APIError)) as raised:
        for event in create(client, surface, f"attune/{kind}-{does}", stream=True):
            events.append(event)
    assert words in raised.value.message
    assert '"Hel"' in events[-1].to_json(indent=None)


@pytest.mark.parametrize("does", [does for does, _words in BROKEN])
def test_accumulators_of_streams_that_break(client, surface, kind, does):
    body = {"model": f"attune/{kind}-{does}"}
    if surface == "chat":
        managed = client.chat.completions.stream(messages=QUESTION, **body)
    elif surface == "responses":
        managed = client.responses.stream(input=QUESTION, **body)
    else:
        managed = client.messages.stream(messages=QUESTION, max_tokens=64, **body)
    with pytest.raises((openai.APIError, anthropic.APIError)), managed as stream:
        stream.until_done()


@pytest.mark.parametrize("does", [does for does, _words in BROKEN])
def test_whole_answers_that_break(client, surface, kind, does):
    with pytest.raises((openai.InternalServerError, anthropic.InternalServerError)) as raised:
        create(client, surface, f"attune/{kind}-{does}")
    assert raised.value.status_code == (503 if does == "fails-inside" else 502)
