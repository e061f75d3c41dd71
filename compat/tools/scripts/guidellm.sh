#!/usr/bin/env bash
# guidellm 0.8.1
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check uv==0.13.9
venv/bin/uv pip install --quiet --python venv/bin/python guidellm==0.8.1
for n in $(seq 40); do echo "{\"prompt\": \"question $n\"}"; done > prompts.jsonl
run() {
  HF_HUB_OFFLINE=1 venv/bin/guidellm run --backend "kind=openai_http,target=$ATTUNE_URL,api_key=$ATTUNE_KEY,model=$1,request_format=$2,stream=$3" \
    --profile kind=concurrent,streams=4 --constraint kind=max_requests,count=40 --data kind=json_file,path=prompts.jsonl --output kind=json,path=out.json --disable-console-interactive >run.log 2>&1 || tail -2 run.log
}
cat > read.py <<'PY'
import json, sys
metrics = json.load(open("out.json"))["benchmarks"][0]["metrics"]
totals, name = metrics["request_totals"], sys.argv[1]
tokens = [metrics[kind]["successful"]["total_sum"] for kind in ("prompt_token_count", "output_token_count")]
if name == "none": held, step = (totals["successful"], totals["errored"]) == (0, 40), "an unknown model: 40 errors of 40"
else: held, step = totals["successful"] == 40 and tokens == [4800, 600], f"{name}: 40 of 40 with their tokens"
print(f"held {step}" if held else f"failed {step}: {totals}, {tokens}")
PY
for model in chat-model responses-model messages-model; do
  for path in /v1/chat/completions /v1/responses; do
    for stream in true false; do run "attune/$model" $path $stream; python3 read.py "$model, $path, stream $stream"; done
  done
done
run none /v1/chat/completions true && python3 read.py none
