#!/usr/bin/env bash
# Generates gen/ with openapi-python-client, and runs the example. requirements.txt pins what is downloaded.
# `run.sh fetch` only downloads.
set -euo pipefail
cd "$(dirname "$0")"
[ -d .venv ] || python3 -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
if [ "${1:-}" = fetch ]; then exit 0; fi
PATH="$PWD/.venv/bin:$PATH" openapi-python-client generate --path ../../../docs/openapi.json --output-path gen \
  --overwrite --meta none --fail-on-warning >/dev/null
exec .venv/bin/python attune_example.py
