"""The official Python SDKs as clients of a running service, whose address and key the runner gives in the environment."""

import os

import anthropic
import openai
import pytest

URL = os.environ["ATTUNE_URL"]
KEY = os.environ["ATTUNE_KEY"]

# One model for each kind of upstream; all are of the Messages family, which all three formats may use.
UPSTREAM_MODELS = ["attune/openai-chat", "attune/openai-responses", "attune/anthropic-messages"]


@pytest.fixture
def openai_client():
    return openai.OpenAI(base_url=f"{URL}/v1", api_key=KEY, max_retries=0)


@pytest.fixture
def anthropic_client():
    return anthropic.Anthropic(base_url=URL, api_key=KEY, max_retries=0)


@pytest.fixture(params=UPSTREAM_MODELS)
def upstream_model(request):
    return request.param


@pytest.fixture
def sandbox_model():
    return "attune/sandboxed"
