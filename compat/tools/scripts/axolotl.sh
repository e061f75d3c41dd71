#!/usr/bin/env bash
# axolotl 0.19.0 (its chat_template strategy), datasets 5.2.0, transformers 5.24.0, torch 2.15.0
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check uv==0.13.9
# TRL has the template. Axolotl itself asks for what needs a GPU.
venv/bin/uv pip install --quiet --python venv/bin/python trl==1.16.0 datasets==5.2.0 transformers==5.24.0 torch==2.15.0 colorama==0.4.6 addict==2.4.0
venv/bin/uv pip install --quiet --python venv/bin/python --no-deps axolotl==0.19.0
node "$ATTUNE_ROOT/compat/tools/make-dataset.ts"
cat > read.py <<'PY'
import json, os, trl
from axolotl.prompt_strategies.chat_template import load
from axolotl.utils.dict import DictDefault
from datasets import load_dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

ANSWER = 'Grüße 🌍 — "ok"\n<|im_end|>'
CALLS = ['{"name": "Weather", "arguments": {"city": "Oslo", "degrees": 4}}', '{"name": "get_weather", "arguments": {"city": "Oslo"}}']
def check(step, held, seen): print(f"held {step}" if held else f"failed {step}: {str(seen)[:160]}")
tokens = Tokenizer(models.BPE())
tokens.pre_tokenizer, tokens.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
tokens.train_from_iterator(open("openai.jsonl"), trainers.BpeTrainer(vocab_size=400, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"], show_progress=False))
tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokens, eos_token="<|im_end|>", pad_token="<|endoftext|>")
template = open(os.path.dirname(trl.__file__) + "/chat_templates/qwen2_5.jinja").read()
rows = load_dataset("json", data_files="openai.jsonl", split="train", chunksize=1 << 30)
def learned(**more):
    source = {"field_messages": "messages", "message_property_mappings": {"role": "role", "content": "content"}, **more}
    strategy = load(tokenizer, DictDefault(sequence_len=4096, train_on_inputs=False, chat_template="jinja", chat_template_jinja=template), ds_cfg=DictDefault(source))
    read = [strategy.tokenize_prompt(row) for row in rows]
    return [tokenizer.decode(row["input_ids"]) for row in read], [tokenizer.decode([each for each in row["labels"] if each >= 0]) for row in read]
texts, labels = learned()
check("7 conversations", len(texts) == 7 and all("<|im_start|>assistant\n" in text for text in texts), texts)
check("calls and tools", all(any(call in text for text in texts) for call in CALLS) and any('"minimum": -90.5' in text for text in texts), texts[:1])
check("answers alone are trained on", all(text.endswith(ANSWER) or text.endswith("</tool_call><|im_end|>") for text in labels) and not any("weather?" in text for text in labels), labels[:1])
_, weighted = learned(message_field_training="weight")
# docs/datasets.md says both.
check("weight 0 is trained on without message_field_training", labels[-1] == ANSWER, labels[-1])
check("weight 0 is not trained on with message_field_training: weight", weighted == [*labels[:-1], ""], weighted)
PY
HF_HUB_OFFLINE=1 HF_HOME="$PWD/hf" venv/bin/python read.py 2>read.log || tail -3 read.log
