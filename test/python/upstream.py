"""What the scripted upstreams say, and what they received, read in the format that each kind speaks."""

import json
import os
import urllib.request

TEXT = 'Grüße 🌍 — "ok"\n'
THOUGHT = "Let me think."
SIGNATURE = "EqQBCgIYAhIkMTIz+/abc=="
REFUSAL = "I will not help with that."

# Identifier, name and arguments of the calls, and what the tools give back.
CALLS = [("call_oslo", "get_weather", {"city": "Oslo"}), ("call_rome", "get_weather", {"city": "Rome"})]
RESULTS = [("call_oslo", "rain"), ("call_rome", "sun")]

# Reasoning as its own upstream has to get it back.
THOUGHT_BACK = {
    "openai-chat": {
        "reasoning_content": THOUGHT,
        "reasoning_details": [{"type": "reasoning.text", "text": THOUGHT, "signature": SIGNATURE}],
    },
    "openai-responses": {"summary": [{"type": "summary_text", "text": THOUGHT}], "encrypted_content": SIGNATURE},
    "anthropic-messages": {"thinking": THOUGHT, "signature": SIGNATURE},
}


def received():
    """How many requests have come so far, and the body of the last one."""
    with urllib.request.urlopen(f"{os.environ['UPSTREAM_URL']}/received") as answer:
        told = json.load(answer)
    return told["count"], told["body"]


def _blocks(body, kind):
    contents = [message["content"] for message in body["messages"] if isinstance(message["content"], list)]
    return [block for content in contents for block in content if block["type"] == kind]


def calls_in(kind, body):
    """Calls of the conversation, in their order."""
    if kind == "openai-chat":
        calls = [call for message in body["messages"] for call in message.get("tool_calls", [])]
        return [(call["id"], call["function"]["name"], json.loads(call["function"]["arguments"])) for call in calls]
    if kind == "openai-responses":
        items = [item for item in body["input"] if item["type"] == "function_call"]
        return [(item["call_id"], item["name"], json.loads(item["arguments"])) for item in items]
    return [(block["id"], block["name"], block["input"]) for block in _blocks(body, "tool_use")]


def results_in(kind, body):
    """Results of the conversation, in their order."""
    if kind == "openai-chat":
        messages = [message for message in body["messages"] if message["role"] == "tool"]
        return [(message["tool_call_id"], message["content"]) for message in messages]
    if kind == "openai-responses":
        items = [item for item in body["input"] if item["type"] == "function_call_output"]
        return [(item["call_id"], item["output"]) for item in items]
    return [(block["tool_use_id"], block["content"]) for block in _blocks(body, "tool_result")]


def thoughts_in(kind, body):
    """Reasoning of the conversation, without what names it or tells its type."""
    names = THOUGHT_BACK[kind].keys()
    if kind == "openai-chat":
        holders = [message for message in body["messages"] if message["role"] == "assistant"]
    elif kind == "openai-responses":
        holders = [item for item in body["input"] if item["type"] == "reasoning"]
    else:
        holders = _blocks(body, "thinking")
    return [{name: holder[name] for name in names if name in holder} for holder in holders]


def schema_in(kind, body):
    """Schema that the answer has to obey."""
    if kind == "openai-chat":
        return body["response_format"]["json_schema"]["schema"]
    if kind == "openai-responses":
        return body["text"]["format"]["schema"]
    return body["output_config"]["format"]["schema"]
