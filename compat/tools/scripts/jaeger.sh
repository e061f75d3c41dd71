#!/usr/bin/env bash
# Jaeger 1.76.0 (all-in-one)
mkdir build && (cd build && go mod init example/jaeger && go get github.com/jaegertracing/jaeger/cmd/all-in-one@v1.76.0 && go build -trimpath -o ../jaeger github.com/jaegertracing/jaeger/cmd/all-in-one) >build.log 2>&1
ports=($(node -e 'const all = [1, 2, 3, 4, 5, 6].map(() => require("net").createServer().listen(0, "127.0.0.1")); setTimeout(() => { console.log(all.map((one) => one.address().port).join(" ")); all.forEach((one) => one.close()) }, 100)'))
address="127.0.0.1:${ports[0]}"
./jaeger --query.http-server.host-port="$address" --query.grpc-server.host-port="127.0.0.1:${ports[1]}" --admin.http.host-port="127.0.0.1:${ports[2]}" --collector.otlp.http.host-port="127.0.0.1:$OTLP_PORT" \
  --collector.otlp.grpc.host-port="127.0.0.1:${ports[3]}" --collector.grpc-server.host-port="127.0.0.1:${ports[4]}" --collector.http-server.host-port="127.0.0.1:${ports[5]}" >jaeger.log 2>&1 &
trap 'kill %1' EXIT
curl -sf --retry 60 --retry-delay 1 --retry-connrefused "http://$address/api/services" >services.json || { tail -3 jaeger.log; exit 1; }
node "$ATTUNE_ROOT/compat/tools/play-scenes.ts" > ids.json
cat > read.mjs <<'JS'
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
const base = `http://${process.argv[2]}/api`;
const get = async (path) => (await (await fetch(base + path)).json()).data;
const check = (step, held, seen) => console.log(held ? `held ${step}` : `failed ${step}: ${JSON.stringify(seen)?.slice(0, 160)}`);
const ids = JSON.parse(readFileSync("ids.json", "utf8"));
let traces = [];
for (let tries = 0; tries < 60 && traces.flatMap(({ spans }) => spans).length < 25; tries++) {
  await delay(1000);
  traces = (await get("/traces?service=attune&limit=100")) ?? [];
}
const spans = traces.flatMap((trace) => trace.spans).map((span) => ({ ...span, values: Object.fromEntries(span.tags.map(({ key, value }) => [key, value])) }));
check("25 spans", spans.length === 25, traces.length);
const known = new Set(spans.map(({ spanID }) => spanID));
check("each within one that is there", spans.every(({ references }) => references.every(({ spanID }) => known.has(spanID))), spans.map(({ references }) => references));
for (const model of ["chat-model", "responses-model", "messages-model"]) for (const way of ["call", "stream", "thought"]) {
  const seen = spans.find(({ values }) => values["attune.inference.id"] === ids[`${model} ${way}`] && values["gen_ai.usage.output_tokens"] !== undefined)?.values;
  check(`${model} ${way}`, seen?.["gen_ai.usage.input_tokens"] === 120 && seen["gen_ai.usage.output_tokens"] === 15 && String(seen["gen_ai.output.messages"]).includes("Grüße"), seen);
}
const failed = spans.filter(({ values }) => values["attune.inference.id"] === ids.failure);
check("a failure", failed.length > 0 && failed.every(({ values }) => values.error === true), failed.map(({ values }) => values.error));
const [loop] = await get(`/traces?service=attune&tags=${encodeURIComponent(JSON.stringify({ "attune.inference.id": ids["loop answer"] }))}`);
check("a search by an inference's id", loop?.spans.length > 0, loop);
const logs = spans.find(({ operationName }) => operationName === "POST /v1/feedback")?.logs ?? [];
check("feedback, as events", logs.length === 3, logs);
JS
node read.mjs "$address"
