"""Calls the HTTP API by a client that openapi-generator makes of docs/openapi.json."""

import json
import os

from attune_client import ApiClient, ApiException, ChatApi, Configuration, FeedbackApi, ModelsApi
from attune_client.models import (
    ChatCompletionChunk,
    ChatCompletionRequest,
    ChatContent,
    ChatMessage,
    ChatUserMessage,
    FeedbackEvent,
    FeedbackValue,
)

VALUES = {
    "helpful": True,
    "quality": 0.8,
    "note": "to the point",
    "judged": {"score": 4, "reason": "polite"},
    "style": {"tone": True},
    "withdrawn": None,
}


def build_request(model: str, stream: bool = False) -> ChatCompletionRequest:
    message = ChatUserMessage(role="user", content=ChatContent("Say hello"))
    return ChatCompletionRequest(model=model, messages=[ChatMessage(message)], stream=stream)


def build_value(value: object) -> FeedbackValue | None:
    if isinstance(value, dict):
        return FeedbackValue({name: build_value(each) for name, each in value.items()})
    return None if value is None else FeedbackValue(value)


def main() -> None:
    url = os.environ.get("ATTUNE_URL", "http://127.0.0.1:8080")
    with ApiClient(Configuration(host=url, access_token=os.environ["ATTUNE_KEY"])) as client:
        models = ModelsApi(client).list_models().data
        print(f"models: {len(models)}, the first is {models[0].id}")
        model = os.environ.get("ATTUNE_MODEL", models[0].id)

        chat = ChatApi(client)
        answer = chat.create_chat_completion(build_request(model))
        text = answer.choices[0].message.content
        print(f"generate: {answer.usage.completion_tokens} tokens, {len(text)} characters")

        chunks = 0
        response = chat.create_chat_completion_without_preload_content(build_request(model, stream=True))
        for line in response:
            data = line.decode().removeprefix("data: ").strip()
            if not line.startswith(b"data: ") or data == "[DONE]":
                continue
            ChatCompletionChunk.from_dict(json.loads(data))
            chunks += 1
        print(f"stream: {chunks} chunks")

        event = FeedbackEvent(id=str(answer.id), feedback={name: build_value(each) for name, each in VALUES.items()})
        (result,) = FeedbackApi(client).create_feedback([event])
        print(f"feedback: {len(result.feedback_ids)} values")

        try:
            chat.create_chat_completion(build_request("no-such-model"))
        except ApiException as failure:
            print(f"error: {failure.data.error.code}")


main()
