#!/usr/bin/env bash
# Installs what requirements.txt pins, generates gen/ with protoc, and runs the example.
# `run.sh fetch` only installs.
set -euo pipefail
cd "$(dirname "$0")"
if ! cmp -s requirements.txt .venv/installed; then
  python3 -m venv --clear .venv
  .venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
  cp requirements.txt .venv/installed
fi
if [ "${1:-}" = fetch ]; then exit; fi
rm -rf gen && mkdir gen
# google/rpc comes with googleapis-common-protos.
.venv/bin/python -m grpc_tools.protoc -I ../../proto --python_out=gen --pyi_out=gen --grpc_python_out=gen \
  $(cd ../../proto && find attune buf -name '*.proto')
exec .venv/bin/python attune_example.py
