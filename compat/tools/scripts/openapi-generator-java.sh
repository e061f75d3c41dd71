#!/usr/bin/env bash
# openapi-generator 7.26.0 (java, okhttp-gson)
git -C "$ATTUNE_ROOT" archive HEAD clients/openapi/java docs/openapi.json | tar x
clients/openapi/java/run.sh >out.log 2>error.log || tail -5 error.log
sed -i "s/\x1b\[[0-9;]*m//g" out.log # Maven's colors
check() { grep -Eq "$2" out.log && echo "held $1" || echo "failed $1: $(tail -2 out.log | xargs)"; }
[ -s out.log ] && echo "held generates and runs" || { echo "failed generates and runs"; exit 1; }
check models '^models: [1-9]'; check Chat '^generate: [1-9]'; check stream '^stream: [1-9]'; check feedback '^feedback: 3 values'; check error '^error: model_not_found'
