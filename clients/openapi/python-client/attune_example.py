"""Calls the HTTP API by a client that openapi-python-client makes of docs/openapi.json."""

import json
import os

from gen import AuthenticatedClient
from gen.api.chat import create_chat_completion
from gen.api.feedback import create_feedback
from gen.api.models import list_models
from gen.models import (
    ChatCompletionChunk,
    ChatCompletionRequest,
    ChatUserMessage,
    FeedbackEvent,
    FeedbackEventFeedback,
    FeedbackGroup,
)
from gen.types import UNSET


def build_request(model: str, stream: bool = False) -> ChatCompletionRequest:
    message = ChatUserMessage(role="user", content="Say hello")
    return ChatCompletionRequest(model=model, messages=[message], stream=stream or UNSET)


def build_feedback() -> FeedbackEventFeedback:
    judged = FeedbackGroup()
    judged["score"] = 4
    judged["reason"] = "polite"
    style = FeedbackGroup()
    style["tone"] = True
    feedback = FeedbackEventFeedback()
    feedback["helpful"] = True
    feedback["quality"] = 0.8
    feedback["note"] = "to the point"
    feedback["judged"] = judged
    feedback["style"] = style
    feedback["withdrawn"] = None
    return feedback


def main() -> None:
    url = os.environ.get("ATTUNE_URL", "http://127.0.0.1:8080")
    with AuthenticatedClient(base_url=url, token=os.environ["ATTUNE_KEY"]) as client:
        models = list_models.sync(client=client).data
        print(f"models: {len(models)}, the first is {models[0].id}")
        model = os.environ.get("ATTUNE_MODEL", models[0].id)

        answer = create_chat_completion.sync(client=client, body=build_request(model))
        text = answer.choices[0].message.content
        print(f"generate: {answer.usage.completion_tokens} tokens, {len(text)} characters")

        chunks = 0
        call = create_chat_completion._get_kwargs(body=build_request(model, stream=True))
        with client.get_httpx_client().stream(**call) as response:
            for line in response.iter_lines():
                data = line.removeprefix("data: ")
                if not line.startswith("data: ") or data == "[DONE]":
                    continue
                ChatCompletionChunk.from_dict(json.loads(data))
                chunks += 1
        print(f"stream: {chunks} chunks")

        event = FeedbackEvent(id=str(answer.id), feedback=build_feedback())
        (result,) = create_feedback.sync(client=client, body=[event])
        print(f"feedback: {len(result.feedback_ids.additional_properties)} values")

        failure = create_chat_completion.sync(client=client, body=build_request("no-such-model"))
        print(f"error: {failure.error.code}")


main()
