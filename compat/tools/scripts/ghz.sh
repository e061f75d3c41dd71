#!/usr/bin/env bash
# ghz 0.93.0
export GOBIN="$PWD/go/bin"
go install github.com/bojand/ghz/cmd/ghz@v0.93.0 2>install.log
address=${ATTUNE_URL#http://}; head='{"authorization":"Bearer '"$ATTUNE_KEY"'"}'
load() { # step, RPC, request
  go/bin/ghz --insecure --total 100 --concurrency 4 --timeout 30s --metadata "$head" --reflect-metadata "$head" --call "attune.$2" --data "$3" --format json "$address" > report.json 2>ghz.log || true
  node -e 'const { readFileSync } = require("fs"); let codes; try { codes = JSON.parse(readFileSync("report.json")).statusCodeDistribution } catch { codes = readFileSync("ghz.log", "utf8").slice(0, 160) }
    console.log(codes[process.argv[2]] === 100 ? `held ${process.argv[1]}: 100 of 100` : `failed ${process.argv[1]}: ${JSON.stringify(codes)}`)' "$1" "${4:-OK}"
}
ask='{"input":{"model":"MODEL","messages":[{"role":"ROLE_USER","content":[{"text":{"text":"hi"}}]}]}}'
load "calls by reflection" inference.v1.InferenceService.Generate "${ask/MODEL/attune/chat-model}"
load "streams by reflection" inference.v1.InferenceService.StreamGenerate "${ask/MODEL/attune/messages-model}"
load "lists by reflection" model.v1.ModelService.ListModels '{}'
load "refusals by reflection" inference.v1.InferenceService.Generate "${ask/MODEL/none}" NotFound
