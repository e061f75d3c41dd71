#!/usr/bin/env bash
# inspect-ai 0.3.285, openai 3.57.0
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check inspect-ai==0.3.285 openai==3.57.0
cat > evaluate.py <<'PY'
import json, os
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import tool

@tool
def get_weather():
    async def execute(city: str):
        """Tells the weather.

        Args:
            city: A city.
        """
        return f"4 degrees in {city}"
    return execute

def check(step, held, seen): print(f"held {step}" if held else f"failed {step}: {str(seen)[:160]}")
def run(name, samples, solver, **options):
    model = get_model(f"openai-api/attune/attune/{name}", base_url=os.environ["ATTUNE_URL"] + "/v1", api_key=os.environ["ATTUNE_KEY"], **options)
    [log] = eval(Task(dataset=samples, solver=solver, scorer=includes()), model=model, display="none", log_dir="logs", retry_on_error=0)
    return log
for name in ["chat-model", "responses-model", "messages-model"]:
    log = run(name, [Sample(input=f"question {n}", target="Grüße") for n in range(20)], generate())
    usage = next(iter(log.stats.model_usage.values()), None)
    right = sum(sample.scores["includes"].value == "C" for sample in log.samples or [])
    check(f"{name}: 20 samples of 20", log.status == "success" and right == 20, log.error or [sample.output.completion for sample in log.samples[:2]])
    check(f"{name}: tokens of 20 calls", usage is not None and usage.output_tokens == 300 and sum([usage.input_tokens, usage.input_tokens_cache_read or 0, usage.input_tokens_cache_write or 0]) == 2400, usage)
    looped = run(name, [Sample(input="How is the weather?", target="")], [use_tools(get_weather()), generate()])
    roles = [message.role for message in (looped.samples or [])[0].messages] if looped.samples else looped.error
    check(f"{name}: a tool", roles == ["user", "assistant", "tool", "assistant"], roles)
failed = run("none", [Sample(input="x", target="y")], generate())
check("an unknown model", failed.status == "error" and "none" in failed.error.message, failed.error)
PY
venv/bin/python evaluate.py
