#!/usr/bin/env bash
# trl 1.16.0, datasets 5.2.0, transformers 5.24.0, torch 2.15.0
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check uv==0.13.9
venv/bin/uv pip install --quiet --python venv/bin/python trl==1.16.0 datasets==5.2.0 transformers==5.24.0 torch==2.15.0
node "$ATTUNE_ROOT/compat/tools/make-dataset.ts"
cat > train.py <<'PY'
import json, os, trl
from datasets import load_dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import SFTConfig, SFTTrainer
from trl.data_utils import apply_chat_template, is_conversational

ANSWER = 'Grüße 🌍 — "ok"\n<|im_end|>'
CALLS = ['{"name": "Weather", "arguments": {"city": "Oslo", "degrees": 4}}', '{"name": "get_weather", "arguments": {"city": "Oslo"}}']
def check(step, held, seen): print(f"held {step}" if held else f"failed {step}: {str(seen)[:160]}")
def parsed(row): # As docs/datasets.md says.
    for message in row["messages"]:
        for call in message.get("tool_calls") or []: call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    return row
tokens = Tokenizer(models.BPE())
tokens.pre_tokenizer, tokens.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
tokens.train_from_iterator(open("openai.jsonl"), trainers.BpeTrainer(vocab_size=400, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"], show_progress=False))
tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokens, eos_token="<|im_end|>", pad_token="<|endoftext|>")
tokenizer.chat_template = open(os.path.dirname(trl.__file__) + "/chat_templates/qwen2_5_training.jinja").read()
small = LlamaConfig(vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2)
for form, lines in {"openai": 7, "anthropic": 2}.items():
    rows = load_dataset("json", data_files=f"{form}.jsonl", split="train", chunksize=1 << 30)
    check(f"{form}: {lines} conversations", len(rows) == lines and all(is_conversational(row) for row in rows), rows.features)
    if form == "openai":
        sent = [json.loads(line)["tools"] for line in open("openai.jsonl") if "tools" in line]
        check("openai: tools as they were", [row["tools"] for row in rows if row["tools"]] == sent, rows[0]["tools"])
        rows = rows.map(parsed)
    texts = [apply_chat_template(row, tokenizer, tools=row.get("tools"))["text"] for row in rows]
    # docs/datasets.md warns of both.
    if form == "anthropic": check("anthropic: its system is not read", not any("Be brief." in text for text in texts), texts[:1])
    check(f"{form}: a text of each", all("<|im_start|>assistant\n" in text for text in texts) and (form != "openai" or all(any(call in text for text in texts) for call in CALLS)), texts[:1])
    options = SFTConfig(output_dir="out", use_cpu=True, bf16=False, num_train_epochs=1, assistant_only_loss=True, report_to=[], save_strategy="no", disable_tqdm=True)
    trainer = SFTTrainer(model=LlamaForCausalLM(small), processing_class=tokenizer, train_dataset=rows, args=options)
    learned = [tokenizer.decode([each for each in row["labels"] if each >= 0]) for row in trainer.train_dataset]
    check(f"{form}: answers alone are trained on", all(text.rstrip("\n").endswith(ANSWER) or text.rstrip("\n").endswith("</tool_call><|im_end|>") for text in learned) and not any("weather?" in text for text in learned), learned[:1])
    check(f"{form}: an epoch", 0 < trainer.train().training_loss < 20, trainer.state.log_history)
    if form == "openai": check("openai: weight 0 is trained on, too", len(learned[-1]) > 0 and rows[-1]["messages"][-1]["weight"] == 0, rows[-1])
PY
HF_HUB_OFFLINE=1 HF_HOME="$PWD/hf" venv/bin/python train.py 2>train.log || tail -3 train.log
