#!/usr/bin/env bash
# vegeta 12.13.0
export GOBIN="$PWD/go/bin"
go install github.com/tsenart/vegeta/v12@v12.13.0 2>install.log
for stream in true false; do
  printf '{"model":"attune/chat-model","stream":%s,"messages":[{"role":"user","content":"hi"}]}' $stream > body.json
  printf 'POST %s/v1/chat/completions\ncontent-type: application/json\nauthorization: Bearer %s\n' "$ATTUNE_URL" "$ATTUNE_KEY" |
    go/bin/vegeta attack -body body.json -rate 20 -duration 5s -workers 4 | go/bin/vegeta report -type json > report.json
  node -e 'const { requests, status_codes: codes } = JSON.parse(require("fs").readFileSync("report.json")); console.log(requests === 100 && codes["200"] === 100 ? `held 100 of 100 calls, stream ${process.argv[1]}` : `failed stream ${process.argv[1]}: ${JSON.stringify(codes)}`)' $stream
done
