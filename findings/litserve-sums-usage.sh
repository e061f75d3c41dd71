#!/usr/bin/env bash
# LitServe adds up the usage that comes with each piece of a whole answer, and takes that of the last piece of a stream.
# Version: PyPI litserve 0.2.19, with its OpenAISpec. The model says "abc" in three pieces, with the count so far in each.
# Guess: 3 tokens of 9 asked both ways, and `length` at max_tokens 3, as its own type of an answer has the word.
# Seen on 2026-11-30: 6 and 27 tokens where the answer is whole, 3 and 9 in a stream; both end with `stop`.
# Who sends counts with the last piece alone is counted alike both ways.
# Prints what came; exits 1 if that has changed. Needs Python 3.10 or newer.
set -euo pipefail
folder=$(mktemp -d); server=; trap '[ -z "$server" ] || kill -- -"$server"; rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv py
py/bin/pip install --quiet litserve==0.2.19
cat >server.py <<'EOF'
import sys
import litserve


class Letters(litserve.LitAPI):
    def setup(self, device):
        pass

    def predict(self, request):
        for count, letter in enumerate("abcdef"[: request.max_tokens], start=1):
            yield letter, count

    def encode_response(self, outputs):
        for letter, count in outputs:
            counts = {"prompt_tokens": 9, "completion_tokens": count, "total_tokens": 9 + count}
            yield {"role": "assistant", "content": letter, **counts}


if __name__ == "__main__":
    server = litserve.LitServer(Letters(spec=litserve.OpenAISpec()), accelerator="cpu")
    server.run(host="127.0.0.1", port=int(sys.argv[1]), generate_client_file=False)
EOF
port=$(py/bin/python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
setsid py/bin/python server.py "$port" >server.log 2>&1 & server=$!
for _ in $(seq 300); do curl -sf "http://127.0.0.1:$port/health" >health.log && break; sleep 0.3; done
# Asks for three tokens; prints the usage and the end, by the last object of the answer that has both.
ask() {
  curl -s "http://127.0.0.1:$port/v1/chat/completions" -H 'content-type: application/json' \
    -d '{"model":"letters","max_tokens":3,"stream":'"$1"',"messages":[{"role":"user","content":"Hi"}]}' |
    sed -e 's/^data: //' -e '/^\[DONE\]$/d' -e '/^$/d' | tail -n 1 |
    py/bin/python -c 'import json, sys; got = json.load(sys.stdin); usage = got["usage"]; print(usage["prompt_tokens"], usage["completion_tokens"], got["choices"][0]["finish_reason"])'
}
seen="whole: $(ask false)
streamed: $(ask true)"
expected="whole: 27 6 stop
streamed: 9 3 stop"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "on 2026-11-30 it was:"; echo "$expected"; exit 1; }
