#!/usr/bin/env bash
# Generates gen/ with openapi-generator, and runs the example. requirements.txt pins what is downloaded.
# `run.sh fetch` only downloads.
set -euo pipefail
cd "$(dirname "$0")"
[ -d .venv ] || python3 -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
if [ "${1:-}" = fetch ]; then exit 0; fi
.venv/bin/openapi-generator-cli generate -g python -i ../../../docs/openapi.json -o gen --package-name attune_client \
  >/dev/null 2>&1
PYTHONPATH=gen exec .venv/bin/python attune_example.py
