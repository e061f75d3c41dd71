#!/usr/bin/env bash
# grpcurl 1.9.4, buf 1.75.0 (buf curl)
export GOBIN="$PWD/go/bin"
go install github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4 2>install.log
npm init -y >npm.log && npm install --silent --no-audit --no-fund @bufbuild/buf@1.75.0 >>npm.log
address=${ATTUNE_URL#http://}; key="authorization: Bearer $ATTUNE_KEY"
check() { if grep -q "$2" out.log; then echo "held $1"; else echo "failed $1: $(head -3 out.log | tr -s '\n ' ' ')"; fi; }
files="-import-path $ATTUNE_ROOT/proto -proto attune/inference/v1/inference.proto"
ask='{"input":{"model":"attune/chat-model","messages":[{"role":"ROLE_USER","content":[{"text":{"text":"hi"}}]}]}}'
go/bin/grpcurl -plaintext -H "$key" "$address" list >out.log 2>&1 || true; check "grpcurl reflection" attune.inference.v1.InferenceService
go/bin/grpcurl -plaintext "$address" grpc.health.v1.Health/Check >out.log 2>&1 || true; check "grpcurl health" SERVING
go/bin/grpcurl -plaintext -H "$key" -d "$ask" "$address" attune.inference.v1.InferenceService/Generate >out.log 2>&1 || true; check "grpcurl call" '"text"'
go/bin/grpcurl -plaintext -max-time 20 -H "$key" -d "$ask" "$address" attune.inference.v1.InferenceService/StreamGenerate >out.log 2>&1 || true; check "grpcurl stream" '"finished"'
go/bin/grpcurl -plaintext -H "$key" -d '{"input":{"model":"none"}}' "$address" attune.inference.v1.InferenceService/Generate >out.log 2>&1 || true; check "grpcurl error" 'Code: '
for protocol in connect grpc grpcweb; do
  node_modules/.bin/buf curl --schema "$ATTUNE_ROOT/proto" --protocol $protocol --http2-prior-knowledge -H "$key" -d "$ask" "$ATTUNE_URL/attune.inference.v1.InferenceService/Generate" >out.log 2>&1 || true; check "buf curl $protocol" '"text"'
done
