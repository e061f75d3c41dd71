#!/usr/bin/env bash
# Ollama takes a picture for a model without eyes, and the model reads the letters "[img-0]" in its place.
# Versions: github.com/ollama/ollama 0.17.4, PyPI gguf 0.19.0 and miniaudio 1.71, Debian's nlohmann-json3-dev and libstb-dev.
# Guess: 400, for /api/show says that the model has no `vision`; tools and thoughts are refused that way.
# Seen on 2026-11-30: 200 over all routes. The prompt is "[img-0]Greet me>", and its 7 letters more are counted as tokens.
# The model has 2 MB and answers by the last letter it reads: "Hi there!" to >.
# Prints what came; exits 1 if that has changed. Needs Go, a C++ compiler, apt-get, and Python 3.10 or newer.
set -euo pipefail
model=$(cd "$(dirname "$0")/../compat/servers" && pwd)/tiny-model.py
folder=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv py
py/bin/pip install --quiet gguf==0.19.0
py/bin/pip download --quiet --no-deps --no-binary :all: miniaudio==1.71
tar xzf miniaudio-1.71.tar.gz
apt-get download -q nlohmann-json3-dev libstb-dev >apt.log 2>&1
for deb in *.deb; do dpkg -x "$deb" .; done
GOBIN=$folder CPATH=$folder/usr/include:$folder/miniaudio-1.71 go install github.com/ollama/ollama@v0.17.4
py/bin/python "$model" tiny.gguf
port=$(py/bin/python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export OLLAMA_HOST=127.0.0.1:$port OLLAMA_MODELS=$folder/models HOME=$folder
./ollama serve >server.log 2>&1 & server=$!
for _ in $(seq 100); do curl -sf "http://$OLLAMA_HOST/api/version" >version.json && break; sleep 0.3; done
printf 'FROM ./tiny.gguf\nPARAMETER temperature 0\nTEMPLATE """{{ range .Messages }}{{ .Content }}{{ end }}"""\n' >Modelfile
./ollama create blind >create.log 2>&1
# Asks a route; prints the status and a part of the answer, by a path of Python.
ask() {
  curl -s -w '\n%{http_code}' "http://$OLLAMA_HOST$1" -H 'content-type: application/json' -d "$2" |
    py/bin/python -c "import json, sys; body, status = sys.stdin.read().rsplit('\n', 1); got = json.loads(body); print(status, $3)"
}
dot=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==
shown='[{"role":"user","content":"Greet me>","images":["'$dot'"]}]'
block='{"type":"image","source":{"type":"base64","media_type":"image/png","data":"'$dot'"}}'
seen="capabilities: $(ask /api/show '{"model":"blind"}' 'got["capabilities"]')
prompt: $(ask /api/chat '{"model":"blind","stream":false,"_debug_render_only":true,"messages":'"$shown"'}' 'got["_debug_info"]["rendered_template"]')
without a picture: $(ask /api/chat '{"model":"blind","stream":false,"messages":[{"role":"user","content":"Greet me>"}]}' '[got["message"]["content"], got["prompt_eval_count"]]')
with one: $(ask /api/chat '{"model":"blind","stream":false,"messages":'"$shown"'}' '[got["message"]["content"], got["prompt_eval_count"]]')
Messages, with one: $(ask /v1/messages '{"model":"blind","max_tokens":20,"messages":[{"role":"user","content":['"$block"',{"type":"text","text":"Greet me>"}]}]}' '[got["content"][0]["text"], got["usage"]["input_tokens"]]')
Messages, a tool: $(ask /v1/messages '{"model":"blind","max_tokens":20,"messages":[{"role":"user","content":"Greet me>"}],"tools":[{"name":"look","input_schema":{"type":"object","properties":{}}}]}' 'got["error"]["message"]')"
expected="capabilities: 200 ['completion']
prompt: 200 [img-0]Greet me>
without a picture: 200 ['Hi there!', 9]
with one: 200 ['Hi there!', 16]
Messages, with one: 200 ['Hi there!', 16]
Messages, a tool: 400 registry.ollama.ai/library/blind:latest does not support tools"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "on 2026-11-30 it was:"; echo "$expected"; exit 1; }
