import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import dspy  # noqa: E402

from steps import KEY, URL, run  # noqa: E402


def lm(model, model_type):
    return dspy.LM(
        f"openai/{model}", api_base=f"{URL}/v1", api_key=KEY, model_type=model_type, cache=False, num_retries=0
    )


def plain(model_type):
    def act(model):
        at = lm(model, model_type)
        [text] = at("Hello")
        return (text["text"] if isinstance(text, dict) else text), at.history[-1]["response"].id

    return act


run({"chat": plain("chat"), "responses": plain("responses")})
