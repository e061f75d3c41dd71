#!/usr/bin/env bash
# LiteLLM's proxy refuses to start without a key of its own, also on a loopback address.
# Version: PyPI litellm[proxy] 1.108.7.
# Guess: a file with a list of models is enough, as in its quick start, and whoever reaches the port may call.
# Seen on 2026-11-29: it ends with UnsafeMasterKeyError; general_settings.dangerously_permit_weak_or_unset_master_key starts it.
# Prints how it ended without a key, and whether it answered with the setting; exits 1 if that has changed. Needs Python 3.11.
set -euo pipefail
folder=$(mktemp -d); pid=""
trap 'test -z "$pid" || kill "$pid" 2>/dev/null || true; rm -rf "$folder"' EXIT; cd "$folder"
if [ -n "${LITELLM:-}" ]; then litellm=$LITELLM
else python3 -m venv env && env/bin/pip install --quiet 'litellm[proxy]==1.108.7'; litellm=env/bin/litellm; fi
models='"model_list":[{"model_name":"tiny","litellm_params":{"model":"openai/tiny","api_base":"http://127.0.0.1:9/v1","api_key":"none"}}]'
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf '{%s}' "$models" > without.yaml
printf '{%s,"general_settings":{"dangerously_permit_weak_or_unset_master_key":true}}' "$models" > told.yaml
unset LITELLM_MASTER_KEY
timeout 300 "$litellm" --config without.yaml --host 127.0.0.1 --port "$port" > without.log 2>&1 || true
refused=$(grep -c UnsafeMasterKeyError without.log || true)
"$litellm" --config told.yaml --host 127.0.0.1 --port "$port" > told.log 2>&1 & pid=$!
answered=no
for _ in $(seq 300); do if curl -sf "http://127.0.0.1:$port/health/liveliness" > /dev/null; then answered=yes; break; fi; sleep 1; done
echo "without a key: $([ "$refused" -gt 0 ] && echo refused to start || echo started); with the setting: answered $answered"
[ "$refused" -gt 0 ] && [ "$answered" = yes ]
