#!/usr/bin/env bash
# Generates gen/ with oapi-codegen, compiles, and runs the example. go.sum pins what is downloaded.
# `run.sh fetch` only downloads.
set -euo pipefail
cd "$(dirname "$0")"
if [ "${1:-}" = fetch ]; then exec go mod download; fi
mkdir -p gen
go tool oapi-codegen -generate types,client,skip-prune -package gen -o gen/attune.go ../../../docs/openapi.json
exec go run .
