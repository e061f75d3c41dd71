#!/usr/bin/env bash
# Installs what package-lock.json pins, generates gen/, compiles to dist/, and runs the example.
# `run.sh fetch` only installs.
set -euo pipefail
cd "$(dirname "$0")"
if ! cmp -s package-lock.json node_modules/installed; then
  npm ci --silent --no-audit --no-fund
  cp package-lock.json node_modules/installed
fi
if [ "${1:-}" = fetch ]; then exit; fi
npm run --silent generate
npm run --silent build
exec node dist/main.js
