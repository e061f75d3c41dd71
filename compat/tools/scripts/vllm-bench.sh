#!/usr/bin/env bash
# vllm 0.33.0 (vllm bench serve)
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check uv==0.13.9
venv/bin/uv pip install --quiet --python venv/bin/python "vllm[bench]==0.33.0"
for n in $(seq 20); do echo "{\"prompt\": \"question $n\"}"; done > prompts.jsonl
# It counts by a tokenizer what a server does not tell.
cat > tokenizer.py <<'PY'
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
tokens = Tokenizer(models.BPE(vocab={letter: n for n, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}, merges=[]))
tokens.pre_tokenizer, tokens.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
PreTrainedTokenizerFast(tokenizer_object=tokens).save_pretrained("tokenizer")
PY
venv/bin/python tokenizer.py 2>tokenizer.log
run() {
  HF_HUB_OFFLINE=1 VLLM_NO_USAGE_STATS=1 OPENAI_API_KEY="$ATTUNE_KEY" venv/bin/vllm bench serve --backend openai-chat --base-url "$ATTUNE_URL" --endpoint /v1/chat/completions --model "$1" --tokenizer tokenizer \
    --dataset-name custom --dataset-path prompts.jsonl --skip-chat-template --custom-output-len 15 --num-prompts 20 --max-concurrency 4 --save-result --result-filename "$2.json" >"$2.log" 2>&1 || tail -1 "$2.log"
  python3 -c 'import json, sys; seen = json.load(open(sys.argv[1])); print(*[seen[name] for name in ("completed", "failed", "total_input_tokens", "total_output_tokens")])' "$2.json"
}
for model in chat-model responses-model messages-model; do
  seen=$(run "attune/$model" $model)
  [ "$seen" = "20 0 2400 300" ] && echo "held $model: 20 streams of 20 with their tokens" || echo "failed $model: $seen"
done
seen=$(run none none)
[[ "$seen" == "0 20 "* ]] && echo "held an unknown model: 20 errors of 20" || echo "failed an unknown model: $seen"
