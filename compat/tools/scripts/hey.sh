#!/usr/bin/env bash
# hey 0.1.5
export GOBIN="$PWD/go/bin"
go install github.com/rakyll/hey@v0.1.5 2>install.log
for stream in true false; do
  printf '{"model":"attune/chat-model","stream":%s,"messages":[{"role":"user","content":"hi"}]}' $stream > body.json
  go/bin/hey -n 200 -c 4 -m POST -T application/json -H "authorization: Bearer $ATTUNE_KEY" -D body.json "$ATTUNE_URL/v1/chat/completions" > report.txt
  grep -Eq '\[200\][[:space:]]+200 responses' report.txt && echo "held 200 of 200 calls, stream $stream" || echo "failed stream $stream: $(grep -A3 'Status code' report.txt | xargs)"
done
