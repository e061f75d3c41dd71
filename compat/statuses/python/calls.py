"""`python calls.py CLIENT`: has a client make one call for each column, and prints of each, as JSON, how it ended."""

import json
import os
import sys
import threading

SERVER = os.environ["SERVER"]
COLUMNS = json.loads(os.environ["COLUMNS"])
LIMIT_S = 80
MODEL = "attune/gpt-6-astra"
CLAUDE = "attune/claude-sonnet-5-5"
PROMPT = "Good day?"
MESSAGES = [{"role": "user", "content": PROMPT}]


def openai_chat(url):
    from openai import OpenAI

    stream = OpenAI(api_key="key", base_url=f"{url}/v1").chat.completions.create(
        model=MODEL, messages=MESSAGES, stream=True
    )
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)


def openai_responses(url):
    from openai import OpenAI

    stream = OpenAI(api_key="key", base_url=f"{url}/v1").responses.create(model=MODEL, input=PROMPT, stream=True)
    return "".join(event.delta for event in stream if event.type == "response.output_text.delta")


def anthropic(url):
    from anthropic import Anthropic

    stream = Anthropic(api_key="key", base_url=url).messages.create(
        model=CLAUDE, messages=MESSAGES, max_tokens=100, stream=True
    )
    return "".join(getattr(getattr(event, "delta", None), "text", None) or "" for event in stream)


def langchain_chat(url):
    from langchain_openai import ChatOpenAI

    return "".join(chunk.text for chunk in ChatOpenAI(model=MODEL, api_key="key", base_url=f"{url}/v1").stream(PROMPT))


def langchain_messages(url):
    from langchain_anthropic import ChatAnthropic

    return "".join(chunk.text for chunk in ChatAnthropic(model=CLAUDE, api_key="key", base_url=url).stream(PROMPT))


def instructor(url):
    import instructor
    from openai import OpenAI
    from pydantic import BaseModel

    class Greeting(BaseModel):
        text: str

    client = instructor.from_openai(OpenAI(api_key="key", base_url=f"{url}/v1"))
    return client.chat.completions.create(model=MODEL, messages=MESSAGES, response_model=Greeting).text


def pydantic_ai(url):
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=f"{url}/v1", api_key="key"))

    async def run():
        async with Agent(model).run_stream(PROMPT) as result:
            return await result.get_output()

    import asyncio

    return asyncio.run(run())


def litellm(url):
    import litellm

    stream = litellm.completion(
        model=f"openai/{MODEL}", messages=MESSAGES, api_base=f"{url}/v1", api_key="key", stream=True
    )
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream)


def aider(url):
    from aider.coders import Coder
    from aider.io import InputOutput
    from aider.models import Model

    # Its program takes too long to start for 17 of them at once.
    model = Model(f"openai/{MODEL}")
    model.extra_params = {"api_base": f"{url}/v1", "api_key": "key"}
    shown = InputOutput(pretty=False, yes=True)
    text = Coder.create(model, io=shown, use_git=False, map_tokens=0, fnames=[]).run(with_message=PROMPT)
    # An error is shown, and what came before it is returned.
    return "" if shown.num_error_outputs > 0 else text


CLIENTS = {
    "openai chat": openai_chat,
    "openai responses": openai_responses,
    "anthropic": anthropic,
    "langchain chat": langchain_chat,
    "langchain messages": langchain_messages,
    "instructor": instructor,
    "pydantic-ai": pydantic_ai,
    "litellm": litellm,
    "aider": aider,
}


def call(run, index, column):
    try:
        text = run(f"{SERVER}/{index}")
        line = {"column": column, "isText": "Good day." in text, "note": text[-300:]}
    except Exception as error:  # noqa: BLE001
        line = {"column": column, "isText": False, "note": f"{type(error).__name__}: {error}"[-300:]}
    print(json.dumps(line).replace("\n", " "), flush=True)


name = sys.argv[1]
# Imports of several threads at once wait for each other.
try:
    CLIENTS[name]("http://127.0.0.1:9")
except Exception:  # noqa: BLE001
    pass
threads = [
    threading.Thread(target=call, args=(CLIENTS[name], index, column), daemon=True)
    for index, column in enumerate(COLUMNS)
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(LIMIT_S)
sys.stdout.flush()
os._exit(0)
