#!/usr/bin/env bash
# Generates and compiles into target/ with Maven, and runs the example.
set -euo pipefail
cd "$(dirname "$0")"
exec mvn --quiet --batch-mode -Dstyle.color=never compile exec:java
