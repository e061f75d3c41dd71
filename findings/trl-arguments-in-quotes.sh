#!/usr/bin/env bash
# TRL's chat templates write the arguments of a tool call from OpenAI's fine-tuning format in quotes, as another text than the model's own, or leave the call out, without an error.
# Versions: PyPI trl 1.16.0 (its chat_templates/*.jinja, without the rest of it), jinja2 3.1.6.
# OpenAI's format has arguments as a JSON text ("{\"city\": \"Oslo\"}"), Hugging Face's as an object. TRL has templates of its own for training, since "generation" has to be marked.
# Guess: all templates write a text in quotes. Or none, since a loader of TRL parses it; it has none.
# Seen on 2026-12-01: llama3_1, gptoss and qwen2_5 write "{\"city\": ...}" in quotes, so that a model learns to call that way; gemma4 writes {{"city": ...}} in place of its own form; qwen3 has the object for both. deepseekv3 takes the text alone (an object throws), and deepseekv3_training, which stands for it in training, puts it in quotes. lfm2 and qwen2_5_vl write no call at all, for either. qwen3_6 and glm4moe throw.
# Prints what follows the tool's name for both forms; exits 1 if one has changed. Needs python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check jinja2==3.1.6 && venv/bin/pip install --quiet --disable-pip-version-check --no-deps trl==1.16.0
cat > render.py <<'PY'
import glob, json, re, sys
from jinja2.sandbox import ImmutableSandboxedEnvironment
# As transformers renders them; its marks of what is trained write nothing.
jinja = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"])
jinja.filters["tojson"] = lambda value, **options: json.dumps(value, ensure_ascii=False, indent=options.get("indent"))
def refuse(message): raise ValueError(message)
jinja.globals.update(raise_exception=refuse, strftime_now=lambda _: "1 Dec 2026")
[folder] = glob.glob("venv/lib/python3*/site-packages/trl/chat_templates")
tool = {"type": "function", "function": {"name": "weather", "description": "Weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}
def render(name, arguments):
    call = {"id": "call12345", "type": "function", "function": {"name": "weather", "arguments": arguments}}
    messages = [{"role": "user", "content": "Weather?"}, {"role": "assistant", "content": "", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "call12345", "name": "weather", "content": "4 degrees"}, {"role": "assistant", "content": "Cold."}]
    source = re.sub(r"\{%-?\s*(end)?generation\s*-?%\}", "", open(f"{folder}/{name}.jinja").read())
    try: text = jinja.from_string(source).render(messages=messages, tools=[tool], bos_token="", eos_token="", add_generation_prompt=False)
    except Exception: return "throws"
    return text if "Oslo" in text else "no call"
expected = {
    "llama3_1": ["quoted", "object"], "gptoss": ["quoted", "object"], "gptoss_training": ["quoted", "object"], "qwen2_5": ["quoted", "object"], "qwen2_5_training": ["quoted", "object"],
    "deepseekv3": ["object", "throws"], "deepseekv3_training": ["quoted", "object"], "qwen3": ["object", "object"], "gemma4": ["in two braces", "own form"],
    "lfm2": ["no call", "no call"], "qwen2_5_vl": ["no call", "no call"], "qwen3_6": ["throws", "own form"], "glm4moe": ["throws", "own form"],
}
def kind(seen): return seen if seen in ("throws", "no call") else "quoted" if '"{\\"city\\": \\"Oslo\\"}"' in seen else "in two braces" if '{{"city": "Oslo"}}' in seen else "object" if '{"city": "Oslo"}' in seen else "own form"
changed = False
for name, wanted in expected.items():
    seen = [kind(render(name, arguments)) for arguments in ('{"city": "Oslo"}', {"city": "Oslo"})]
    changed = changed or seen != wanted
    print(f"{'as seen' if seen == wanted else 'CHANGED'}: {name}: {seen[0]} for a text, {seen[1]} for an object ({wanted[0]}, {wanted[1]} on 2026-12-01)")
sys.exit(1 if changed else 0)
PY
venv/bin/python render.py
