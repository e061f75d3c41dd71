#!/usr/bin/env bash
# Generates gen/ with openapi-generator, which pip brings, compiles with Maven, and runs the example. requirements.txt
# and pom.xml pin what is downloaded. `run.sh fetch` only downloads.
set -euo pipefail
cd "$(dirname "$0")"
[ -d .venv ] || python3 -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
if [ "${1:-}" = fetch ]; then exec mvn --quiet --batch-mode dependency:resolve dependency:resolve-plugins >/dev/null; fi
.venv/bin/openapi-generator-cli generate -g java --library okhttp-gson -i ../../../docs/openapi.json -o gen \
  --additional-properties=apiPackage=attune.api,modelPackage=attune.model,invokerPackage=attune.client,containerDefaultToNull=true \
  >/dev/null 2>&1
exec mvn --quiet --batch-mode -Dstyle.color=never compile exec:java
