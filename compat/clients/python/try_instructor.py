import instructor
from anthropic import Anthropic
from openai import OpenAI
from pydantic import BaseModel

from steps import KEY, TEXT, URL, run

openai = OpenAI(api_key=KEY, base_url=f"{URL}/v1", max_retries=0)
anthropic = Anthropic(api_key=KEY, base_url=URL, max_retries=0)
messages = [{"role": "user", "content": "Weather in Oslo?"}]


class Weather(BaseModel):
    city: str
    degrees: int


def shown(client, **more):
    def act(model):
        weather, answer = client.chat.completions.create_with_completion(
            model=model, messages=messages, response_model=Weather, max_retries=0, **more
        )
        return (TEXT if (weather.city, weather.degrees) == ("Oslo", 4) else weather), answer.id

    return act


run(
    {
        "chat tools": shown(instructor.from_openai(openai, mode=instructor.Mode.TOOLS)),
        "messages tools": shown(instructor.from_anthropic(anthropic, mode=instructor.Mode.ANTHROPIC_TOOLS), max_tokens=1000),
    }
)
