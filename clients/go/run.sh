#!/usr/bin/env bash
# Generates gen/ with buf (or the one that $BUF names), compiles, and runs the example. go.sum pins what is downloaded.
# `run.sh fetch` only downloads.
set -euo pipefail
cd "$(dirname "$0")"
if [ "${1:-}" = fetch ]; then exec go mod download; fi
"${BUF:-buf}" generate
exec go run .
