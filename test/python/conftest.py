"""The official Python SDKs as clients of a running service, whose address and key the runner gives in the environment."""

import os

import anthropic
import openai
import pytest

URL = os.environ["ATTUNE_URL"]
KEY = os.environ["ATTUNE_KEY"]


@pytest.fixture
def openai_client():
    return openai.OpenAI(base_url=f"{URL}/v1", api_key=KEY, max_retries=0)


@pytest.fixture
def anthropic_client():
    return anthropic.Anthropic(base_url=URL, api_key=KEY, max_retries=0)


@pytest.fixture(params=["openai-chat", "openai-responses", "anthropic-messages"])
def kind(request):
    """Each kind of upstream; `attune/{kind}-{what it does}` are its models, of which scripted-models.ts has the list."""
    return request.param


@pytest.fixture
def sandbox_model():
    return "attune/sandboxed"
