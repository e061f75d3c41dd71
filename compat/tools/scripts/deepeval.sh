#!/usr/bin/env bash
# deepeval 4.3.1
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check deepeval==4.3.1
cat > evaluate.py <<'PY'
import asyncio, os
from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import ExactMatchMetric
from deepeval.models import OpenAIModel
from deepeval.test_case import LLMTestCase

WORDS = 'Grüße 🌍 — "ok"\n'
def check(step, held, seen): print(f"held {step}" if held else f"failed {step}: {str(seen)[:160]}")
def model(name): return OpenAIModel(model=f"attune/{name}", base_url=os.environ["ATTUNE_URL"] + "/v1", api_key=os.environ["ATTUNE_KEY"], cost_per_input_token=3e-6, cost_per_output_token=15e-6)
async def ask(name): return await asyncio.gather(*[model(name).a_generate(f"question {n}") for n in range(20)])
for name in ["chat-model", "responses-model", "messages-model"]:
    answers = asyncio.run(ask(name))
    cases = [LLMTestCase(input=f"question {n}", actual_output=text, expected_output=WORDS) for n, (text, _) in enumerate(answers)]
    result = evaluate(cases, [ExactMatchMetric()], async_config=AsyncConfig(run_async=False), cache_config=CacheConfig(write_cache=False), display_config=DisplayConfig(show_indicator=False, print_results=False))
    passed = sum(each.success for each in result.test_results)
    check(f"{name}: 20 cases of 20", passed == 20, [text for text, _ in answers[:2]])
    check(f"{name}: cost of a call", all(cost > 0 for _, cost in answers), answers[:2])
try: check("an unknown model", False, model("none").generate("hi"))
except Exception as error: check("an unknown model", "model_not_found" in repr(error) or "404" in repr(error), repr(error))
PY
DEEPEVAL_TELEMETRY_OPT_OUT=1 CONFIDENT_METRIC_LOGGING_VERBOSE=0 venv/bin/python evaluate.py 2>error.log || tail -3 error.log
