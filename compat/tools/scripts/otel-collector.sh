#!/usr/bin/env bash
# OpenTelemetry Collector 0.165.0, with its receiver and exporter of OTLP
export GOBIN="$PWD/go/bin"
go install go.opentelemetry.io/collector/cmd/builder@v0.165.0 2>install.log
cat > builder.yaml <<'YAML'
dist: { module: example/collector, name: collector, output_path: ./built }
receivers: [{ gomod: go.opentelemetry.io/collector/receiver/otlpreceiver v0.165.0 }]
exporters: [{ gomod: go.opentelemetry.io/collector/exporter/otlphttpexporter v0.165.0 }]
YAML
go/bin/builder --config builder.yaml >>install.log 2>&1 || { tail -3 install.log; exit 1; }
cat > sink.mjs <<'JS'
import { appendFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
const sink = createServer(async (request, response) => {
  appendFileSync(`${request.url.slice("/v1/".length)}.jsonl`, `${Buffer.concat(await request.toArray())}\n`);
  response.setHeader("content-type", "application/json").end("{}");
}).listen(0, "127.0.0.1", () => writeFileSync("sink.port", `${sink.address().port}`));
JS
node sink.mjs & sink=$!
until [ -s sink.port ]; do sleep 0.2; done
http=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
grpc=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
cat > collector.yaml <<YAML
receivers: { otlp: { protocols: { http: { endpoint: "127.0.0.1:$http" }, grpc: { endpoint: "127.0.0.1:$grpc" } } } }
exporters: { otlp_http: { endpoint: "http://127.0.0.1:$(cat sink.port)", encoding: json, compression: none } }
service:
  telemetry: { metrics: { level: none } }
  pipelines: { traces: { receivers: [otlp], exporters: [otlp_http] }, metrics: { receivers: [otlp], exporters: [otlp_http] } }
YAML
built/collector --config collector.yaml >collector.log 2>&1 & collector=$!
trap 'kill $sink $collector' EXIT
until grep -q "Everything is ready" collector.log; do kill -0 $collector || { tail -5 collector.log; exit 1; }; sleep 0.5; done
for protocol in http/protobuf http/json grpc; do
  [ $protocol = grpc ] && port=$grpc || port=$http
  node "$ATTUNE_ROOT/compat/tools/export-scenes.ts" $protocol "http://127.0.0.1:$port" > "ids-${protocol/\//-}.json"
done
cat > read.mjs <<'JS'
import { readFileSync } from "node:fs";
const lines = (name) => readFileSync(`${name}.jsonl`, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const check = (step, held, seen) => console.log(held ? `held ${step}` : `failed ${step}: ${JSON.stringify(seen)?.slice(0, 300)}`);
const plain = ({ stringValue, intValue, doubleValue, boolValue, arrayValue }) =>
  stringValue ?? boolValue ?? doubleValue ?? (intValue === undefined ? arrayValue?.values?.map(plain) : Number(intValue));
const members = (attributes = []) => Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
const resources = lines("traces").flatMap(({ resourceSpans }) => resourceSpans).concat(lines("metrics").flatMap(({ resourceMetrics }) => resourceMetrics));
const facts = {};
for (const protocol of ["http/protobuf", "http/json", "grpc"]) {
  const ids = JSON.parse(readFileSync(`ids-${protocol.replace("/", "-")}.json`, "utf8"));
  const own = resources.filter(({ resource }) => members(resource.attributes)["service.name"] === protocol);
  const isNamed = own.length > 0 && own.every(({ resource }) => members(resource.attributes)["service.version"] !== undefined && members(resource.attributes)["service.instance.id"] !== undefined);
  check(`${protocol}: version and instance`, isNamed, own[0]?.resource);
  const spans = own.flatMap(({ scopeSpans = [] }) => scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, attributes: members(span.attributes) }))));
  const of = (name) => spans.filter(({ attributes }) => attributes["attune.inference.id"] === ids[name] || attributes["gen_ai.response.id"] === ids[name]);
  const calls = Object.keys(ids).filter((name) => /(call|stream)$/.test(name) && name !== "loop call");
  const bad = calls.map((name) => of(name).find(({ parentSpanId, attributes }) => parentSpanId && attributes["gen_ai.operation.name"] === "chat")).filter((span) =>
    span?.attributes["gen_ai.usage.input_tokens"] !== 120 || span.attributes["gen_ai.usage.output_tokens"] !== 15 || span.attributes["gen_ai.usage.cache_read.input_tokens"] !== 90 || span.attributes["gen_ai.response.finish_reasons"]?.[0] !== "stop" || !span.attributes["gen_ai.output.messages"]?.includes("Grüße"));
  check(`${protocol}: ${calls.length} calls with their tokens and texts`, bad.length === 0, bad[0] ?? null);
  check(`${protocol}: a failure`, of("failure").length > 1 && of("failure").every(({ status }) => status.code === 2), of("failure"));
  const ended = spans.every(({ startTimeUnixNano: from, endTimeUnixNano: to }) => BigInt(from) > 0n && BigInt(to) >= BigInt(from));
  const whole = new Set(spans.map(({ spanId }) => spanId));
  check(`${protocol}: ${spans.length} spans, each within one that is there`, ended && spans.every(({ parentSpanId }) => !parentSpanId || whole.has(parentSpanId)), spans.length);
  const feedback = spans.flatMap(({ events = [] }) => events).filter(({ name }) => name === "gen_ai.evaluation.result");
  check(`${protocol}: three events of feedback`, feedback.length === 3, feedback);
  const metrics = own.flatMap(({ scopeMetrics = [] }) => scopeMetrics.flatMap((scope) => scope.metrics));
  const points = metrics.filter(({ name }) => name === "gen_ai.client.token.usage").at(-1)?.histogram;
  const isSound = points?.aggregationTemporality === 2 && points.dataPoints.every(({ count, bucketCounts, explicitBounds }) => bucketCounts.length === explicitBounds.length + 1 && bucketCounts.map(Number).reduce((a, b) => a + b) === Number(count));
  check(`${protocol}: a histogram of tokens`, isSound, points);
  facts[protocol] = [[...new Set(spans.map(({ name, attributes }) => `${name}: ${Object.keys(attributes).sort()}`))].sort(), // What became of spans is counted once some have been sent.
    [...new Set(metrics.filter(({ name }) => !name.startsWith("otel.sdk.")).map(({ name, unit }) => `${name} ${unit}`))].sort()];
}
const [first, ...others] = Object.values(facts);
check("the same spans, attributes and metrics by all three", others.every((each) => JSON.stringify(each) === JSON.stringify(first)), others.map((each) => each[0].filter((line) => !first[0].includes(line)).concat(each[1].filter((line) => !first[1].includes(line)))));
check("the collector refuses nothing", !/\t(warn|error)\t/.test(readFileSync("collector.log", "utf8")), readFileSync("collector.log", "utf8").match(/\t(?:warn|error)\t.*/)?.[0]);
JS
node read.mjs
