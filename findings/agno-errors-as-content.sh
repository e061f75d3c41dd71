#!/usr/bin/env bash
# agno gives the text of a refused call as the answer's content, and raises nothing.
# Version: PyPI agno 3.1.10 with openai 3.57.0.
# Guess: Agent.run() raises at 400 and at 429, as the SDK below it does.
# Seen on 2026-12-01: it returns; `content` is the server's message, and `status` alone says ERROR.
# Prints status and content at both; exits 1 if that has changed. Needs Python 3.11.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
if [ -n "${AGNO_PYTHON:-}" ]; then python=$AGNO_PYTHON
else python3 -m venv env && env/bin/pip install --quiet agno==3.1.10 openai==3.57.0; python=env/bin/python; fi
cat > try.py <<'PY'
import json, logging, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

logging.disable(logging.CRITICAL)

class Refuses(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        status = int(self.path.split("/")[1])
        body = json.dumps({"error": {"message": f"refused with {status}", "type": "invalid_request_error", "param": None, "code": None}}).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("x-should-retry", "false")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Refuses)
threading.Thread(target=server.serve_forever, daemon=True).start()
from agno.agent import Agent
from agno.models.openai.like import OpenAILike

seen = []
for status in (400, 429):
    url = f"http://127.0.0.1:{server.server_address[1]}/{status}/v1"
    answer = Agent(model=OpenAILike(id="m", api_key="k", base_url=url), telemetry=False).run("Hello")
    print(status, answer.status.value, repr(answer.content))
    seen.append(answer.status.value == "ERROR" and f"refused with {status}" in str(answer.content))
sys.exit(0 if all(seen) else 1)
PY
"$python" try.py
