#!/usr/bin/env bash
# Generates with openapi-generator and compiles into target/ with Maven, and runs the example. `run.sh fetch` only downloads.
set -euo pipefail
cd "$(dirname "$0")"
if [ "${1:-}" = fetch ]; then exec mvn --quiet --batch-mode dependency:resolve dependency:resolve-plugins >/dev/null; fi
# The generator writes a request for donations to standard output.
mvn --quiet --batch-mode -Dstyle.color=never compile >&2
exec mvn --quiet --batch-mode -Dstyle.color=never exec:java
