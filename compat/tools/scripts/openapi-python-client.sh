#!/usr/bin/env bash
# openapi-python-client 0.29.1
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check openapi-python-client==0.29.1
venv/bin/openapi-python-client generate --path "$ATTUNE_ROOT/docs/openapi.json" --output-path attune_client --meta none >generate.log 2>&1 && echo "held generates"
cat > call.py <<'PY'
import os
from attune_client import AuthenticatedClient
from attune_client.api.chat import create_chat_completion
from attune_client.api.feedback import create_feedback
from attune_client.api.messages import create_message
from attune_client.api.models import list_models
from attune_client.api.responses import create_response
from attune_client.models import ChatCompletionRequest, FeedbackEvent, MessageAnswerText, MessageRequest, OpenAiError, ResponseMessageItem, ResponseRequest

client = AuthenticatedClient(base_url=os.environ["ATTUNE_URL"], token=os.environ["ATTUNE_KEY"])
def check(step, held, seen): print(f"held {step}" if held else f"failed {step}: {seen!r}")
turn = [{"role": "user", "content": "hi"}]
chat = create_chat_completion.sync(client=client, body=ChatCompletionRequest.from_dict({"model": "attune/chat-model", "messages": turn}))
check("Chat", chat.choices[0].message.content, chat)
message = create_message.sync(client=client, body=MessageRequest.from_dict({"model": "attune/chat-model", "max_tokens": 9, "messages": turn}))
check("Messages", isinstance(message.content[0], MessageAnswerText) and message.content[0].text, message)
response = create_response.sync(client=client, body=ResponseRequest.from_dict({"model": "attune/chat-model", "input": "hi"}))
check("Responses", isinstance(response.output[0], ResponseMessageItem), response)
feedback = {"helpful": True, "stars": 4, "comment": "good", "quality": {"score": 0.5, "reason": "short"}, "parts": {"tone": 1, "facts": False}, "before": None}
(rated,) = create_feedback.sync(client=client, body=[FeedbackEvent.from_dict({"id": str(chat.id), "feedback": feedback, "tags": {"page": "help"}, "optimize": "max"})])
check("feedback", rated.feedback_ids and len(rated.feedback_ids.additional_properties) == 6, rated)
check("models", len(list_models.sync(client=client).data) > 0, "")
error = create_chat_completion.sync(client=client, body=ChatCompletionRequest.from_dict({"model": "none", "messages": turn}))
check("error", isinstance(error, OpenAiError) and error.error.code == "model_not_found", error)
PY
venv/bin/python call.py
