"""Shared by the scripts of clients: runs their steps on a model of each kind of upstream, and prints a line of JSON each."""

import json
import os
import urllib.request

URL = os.environ["ATTUNE_URL"]
KEY = os.environ["ATTUNE_KEY"]
TEXT = "Grüße 🌍"
KINDS = ("chat", "responses", "messages")
PLAIN = ("chat", "responses", "messages")  # steps that are tried on models that fail too
FAILURES = {"error": "refused", "429": "limited"}
REASON = "the oracle of Oslo"  # what upstreams say that fail
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def run(steps):
    """Each step gets a model's name, and returns the text of the last answer and its id, None where the client shows none."""
    for kind in KINDS:
        model = f"attune/{kind}-model"
        for step, act in steps.items():
            print_line(model, step, attempt(act, model))
        for step in (name for name in PLAIN if name in steps):
            for failure, way in FAILURES.items():
                print_line(model, f"{step} {failure}", fail(steps[step], f"attune/{kind}-{way}-model"))


def print_line(model, step, result):
    held, note, rated = result
    line = {"model": model, "step": step, "held": held, "rated": rated, "note": note.replace("\n", " ")}
    # Clients may have begun a line of their own.
    print(f"\n{json.dumps(line)}", flush=True)


def fail(act, model):
    """A call has to fail, with the upstream's reason."""
    try:
        text, _ = act(model)
    except Exception as error:  # noqa: BLE001
        note = f"{type(error).__name__}: {error} {error.__cause__ or ''}"
        return (True, "", True) if REASON in note else (False, f"the reason is not in {note}", False)
    return False, f"it did not fail: {text!r}", False


def attempt(act, model):
    try:
        text, answer_id = act(model)
    except Exception as error:  # noqa: BLE001
        return False, f"{type(error).__name__}: {error}", False
    if TEXT not in str(text):
        return False, f"the text is {text!r}", False
    if answer_id is not None and not takes_feedback(answer_id):
        return False, f"no feedback by the id {answer_id}", False
    return True, "", answer_id is not None


def takes_feedback(answer_id):
    body = json.dumps([{"id": answer_id, "feedback": {"helpful": True}}]).encode()
    headers = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{URL}/v1/feedback", body, headers)) as answer:
        return json.load(answer)[0]["error"] is None
