#!/usr/bin/env bash
# openapi-generator 7.26.0 (python, urllib3)
git -C "$ATTUNE_ROOT" archive HEAD clients/openapi/python docs/openapi.json | tar x
clients/openapi/python/run.sh >out.log 2>error.log || tail -5 error.log
check() { grep -Eq "$2" out.log && echo "held $1" || echo "failed $1: $(tail -2 out.log | xargs)"; }
[ -s out.log ] && echo "held generates and runs" || { echo "failed generates and runs"; exit 1; }
check models '^models: [1-9]'; check Chat '^generate: [1-9]'; check stream '^stream: [1-9]'; check feedback '^feedback: 5 values'; check error '^error: model_not_found'
