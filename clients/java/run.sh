#!/usr/bin/env bash
# Generates and compiles into target/ with Maven, and runs the example. `run.sh fetch` only downloads.
set -euo pipefail
cd "$(dirname "$0")"
if [ "${1:-}" = fetch ]; then exec mvn --quiet --batch-mode dependency:resolve dependency:resolve-plugins >/dev/null; fi
exec mvn --quiet --batch-mode -Dstyle.color=never compile exec:java
