#!/usr/bin/env bash
# Ollama gives an answer its schema only behind a thought: a model that can think and does not is not held to it.
# Versions: github.com/ollama/ollama 0.17.4, PyPI gguf 0.19.0 and miniaudio 1.71, Debian's nlohmann-json3-dev and libstb-dev.
# Guess: a schema binds each answer, as with models that cannot think.
# Seen on 2026-11-30: where the template knows thoughts, the first run is made without the grammar, to let the model
# think, and the second, with it, begins at the end of a thought. Without a thought the free text of the first run is the
# answer, with 200 and "stop", over Chat, Responses and the API of its own alike. `reasoning_effort: none` mends it.
# The model has 2 MB and answers by the last letter it reads: "Hi there!" to >, and {"ok": true} where a grammar asks.
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
create() {
  printf 'FROM ./tiny.gguf\nPARAMETER temperature 0\nTEMPLATE """{{ range .Messages }}{{ .Content }}%s{{ end }}"""\n' "$2" >Modelfile
  ./ollama create "$1" >create.log 2>&1
}
create plain ''
create thinking '{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}'
schema='{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}'
# Asks a route; prints the text of the answer, by a path of Python.
ask() {
  curl -s "http://$OLLAMA_HOST$1" -H 'content-type: application/json' -d "$2" |
    py/bin/python -c "import json, sys; print(json.load(sys.stdin)$3)"
}
chat() {
  ask /v1/chat/completions '{"model":"'"$1"'","messages":[{"role":"user","content":"Greet me>"}],"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":'"$schema"'}}'"$2"'}' '["choices"][0]["message"]["content"]'
}
seen="plain, Chat: $(chat plain '')
thinking, Chat: $(chat thinking '')
thinking, Chat, effort none: $(chat thinking ',"reasoning_effort":"none"')
thinking, Responses: $(ask /v1/responses '{"model":"thinking","input":"Greet me>","text":{"format":{"type":"json_schema","name":"a","schema":'"$schema"'}}}' '["output"][0]["content"][0]["text"]')
thinking, /api/chat: $(ask /api/chat '{"model":"thinking","stream":false,"messages":[{"role":"user","content":"Greet me>"}],"format":'"$schema"'}' '["message"]["content"]')"
expected='plain, Chat: {"ok": true}
thinking, Chat: Hi there!
thinking, Chat, effort none: {"ok": true}
thinking, Responses: Hi there!
thinking, /api/chat: Hi there!'
echo "$seen"
[ "$seen" = "$expected" ] || { echo "on 2026-11-30 it was:"; echo "$expected"; exit 1; }
