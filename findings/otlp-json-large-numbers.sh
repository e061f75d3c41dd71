#!/usr/bin/env bash
# OpenTelemetry's JavaScript writes a large attribute as an integer that no reader of OTLP/JSON takes: one value loses the whole export.
# Versions: npm @opentelemetry/otlp-transformer 0.301.0; PyPI opentelemetry-proto 1.45.2 with protobuf 7.36.2 as the reader.
# Guess: a number that is no int64 goes as a double in both encodings, and an infinite one as "Infinity" in JSON.
# Seen on 2026-11-29: as protobuf 1e21 and Infinity are doubles; as JSON they are {"intValue":1e+21}, which protobuf's parser refuses with all other spans, and {"doubleValue":null}, whose value is lost.
# Prints what a reader gets; exits 1 if it has changed. Needs Node 20 with npm, and python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund --legacy-peer-deps @opentelemetry/otlp-transformer@0.301.0 @opentelemetry/sdk-trace-base@2.12.1 @opentelemetry/api@1.10.0 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check opentelemetry-proto==1.45.2 protobuf==7.36.2
cat > write.mjs <<'JS'
import { writeFileSync } from "node:fs";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
for (const [name, value] of [["large", 1e21], ["infinite", Infinity], ["plain", 0.5]]) {
  const spans = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  provider.getTracer("t").startSpan("s", { attributes: { value } }).end();
  writeFileSync(`${name}.json`, JsonTraceSerializer.serializeRequest(spans.getFinishedSpans()));
  writeFileSync(`${name}.bin`, ProtobufTraceSerializer.serializeRequest(spans.getFinishedSpans()));
}
JS
cat > read.py <<'PY'
import sys
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest as Request
def value(read):
    try: sent = read().resource_spans[0].scope_spans[0].spans[0].attributes[0].value
    except json_format.ParseError: return "refused"
    kind = sent.WhichOneof("value")
    return "nothing" if kind is None else f"{kind} {getattr(sent, kind)}"
expected = {"large": ("double_value 1e+21", "refused"), "infinite": ("double_value inf", "nothing"), "plain": ("double_value 0.5", "double_value 0.5")}
changed = False
for name, wanted in expected.items():
    seen = (value(lambda: Request.FromString(open(f"{name}.bin", "rb").read())), value(lambda: json_format.Parse(open(f"{name}.json").read(), Request())))
    changed |= seen != wanted
    print(f"{'as seen' if seen == wanted else 'CHANGED'}: {name}: protobuf {seen[0]}, JSON {seen[1]} ({wanted[0]}, {wanted[1]} on 2026-11-29)")
sys.exit(1 if changed else 0)
PY
node write.mjs && venv/bin/python read.py
