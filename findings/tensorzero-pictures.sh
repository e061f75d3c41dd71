#!/usr/bin/env bash
# TensorZero's gateway answers 500 to every picture until its operator says where files are stored, or that they are not.
# Version: PyPI tensorzero 2026.6.0, whose clients start a gateway; its provider is a script of a few lines.
# Guess: it passes a picture in a data URL on to its provider, which stores nothing.
# Seen on 2026-11-30: 500 "Object storage is not configured. ..." of a gateway without a store, and its provider is not
# asked; with `object_storage = { type = "disabled" }` the provider gets the picture.
# Prints what came; exits 1 if that has changed. Needs Python 3.10 or newer.
set -euo pipefail
folder=$(mktemp -d); trap 'kill $(jobs -p); rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv py
py/bin/pip install --quiet tensorzero==2026.6.0
cat >provider.py <<'EOF'
import http.server, json, sys


class Provider(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = self.rfile.read(int(self.headers["content-length"])).decode()
        said = {"role": "assistant", "content": "a picture" if "image_url" in asked else "text"}
        choices = [{"index": 0, "message": said, "finish_reason": "stop"}]
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        body = {"id": "a", "object": "chat.completion", "created": 1, "model": "m", "choices": choices, "usage": usage}
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_):
        pass


http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Provider).serve_forever()
EOF
cat >gateway.py <<'EOF'
import os, sys, time, tensorzero

arguments = dict(clickhouse_url=None, postgres_url=None, valkey_url=None, async_setup=False)
gateway = tensorzero._start_http_gateway(config_file=sys.argv[1], **arguments)
with open(sys.argv[2] + ".part", "w") as file:
    file.write(gateway.base_url)
os.rename(sys.argv[2] + ".part", sys.argv[2])
time.sleep(1e6)
EOF
port=$(py/bin/python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
py/bin/python provider.py "$port" >provider.log 2>&1 &
model="[models.m]
routing = [\"p\"]
[models.m.providers.p]
type = \"openai\"
api_base = \"http://127.0.0.1:$port/v1\"
model_name = \"m\"
api_key_location = \"none\""
echo "$model" >plain.toml
printf '[object_storage]\ntype = "disabled"\n%s\n' "$model" >disabled.toml
for kind in plain disabled; do py/bin/python gateway.py $kind.toml $kind.url >$kind.log 2>&1 & done
for _ in $(seq 300); do [ -s plain.url ] && [ -s disabled.url ] && break; sleep 0.3; done
dot=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==
# Asks a gateway with some content; prints the status and what was said.
ask() {
  curl -s -w '\n%{http_code}' "$(cat "$1.url")/chat/completions" -H 'content-type: application/json' \
    -d '{"model":"tensorzero::model_name::m","messages":[{"role":"user","content":'"$2"'}]}' |
    py/bin/python -c 'import json, sys; body, status = sys.stdin.read().rsplit("\n", 1); got = json.loads(body); print(status, got["error"]["message"].split(".")[0] if "error" in got else got["choices"][0]["message"]["content"])'
}
picture='[{"type":"image_url","image_url":{"url":"data:image/png;base64,'$dot'"}},{"type":"text","text":"Hi"}]'
seen="text: $(ask plain '"Hi"')
a picture: $(ask plain "$picture")
a picture, files are not stored: $(ask disabled "$picture")"
expected="text: 200 text
a picture: 500 Object storage is not configured
a picture, files are not stored: 200 a picture"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "on 2026-11-30 it was:"; echo "$expected"; exit 1; }
