from openai import OpenAI

from steps import KEY, PARAMETERS, URL, run

client = OpenAI(api_key=KEY, base_url=f"{URL}/v1", max_retries=0)
messages = [{"role": "user", "content": "Hello"}]
function = {"name": "get_weather", "description": "Weather", "parameters": PARAMETERS}


def chat(model):
    answer = client.chat.completions.create(model=model, messages=messages)
    return answer.choices[0].message.content, answer.id


def chat_stream(model):
    with client.chat.completions.stream(model=model, messages=messages) as stream:
        answer = stream.get_final_completion()
    return answer.choices[0].message.content, answer.id


def chat_tools(model):
    tools = [{"type": "function", "function": function}]
    called = client.chat.completions.create(model=model, messages=messages, tools=tools).choices[0].message
    results = [{"role": "tool", "tool_call_id": call.id, "content": "rain"} for call in called.tool_calls]
    answer = client.chat.completions.create(model=model, messages=[*messages, called, *results], tools=tools)
    return answer.choices[0].message.content, answer.id


def responses(model):
    answer = client.responses.create(model=model, input="Hello")
    return answer.output_text, answer.id


def responses_stream(model):
    with client.responses.stream(model=model, input="Hello") as stream:
        answer = stream.get_final_response()
    return answer.output_text, answer.id


def responses_tools(model):
    tools = [{"type": "function", "strict": False, **function}]
    first = client.responses.create(model=model, input="Weather?", tools=tools)
    calls = [item for item in first.output if item.type == "function_call"]
    results = [{"type": "function_call_output", "call_id": call.call_id, "output": "rain"} for call in calls]
    answer = client.responses.create(model=model, input=results, tools=tools, previous_response_id=first.id)
    return answer.output_text, answer.id


run(
    {
        "chat": chat,
        "chat stream": chat_stream,
        "chat tools": chat_tools,
        "responses": responses,
        "responses stream": responses_stream,
        "responses tools": responses_tools,
    }
)
