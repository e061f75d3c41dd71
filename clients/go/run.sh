#!/usr/bin/env bash
# Generates gen/ with buf (or the one that $BUF names), compiles, and runs the example. go.sum pins what is downloaded.
set -euo pipefail
cd "$(dirname "$0")"
"${BUF:-buf}" generate
exec go run .
