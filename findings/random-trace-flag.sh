#!/usr/bin/env bash
# OpenTelemetry's JavaScript takes the random flag off a caller's trace, and rewrites its tracestate where Python's keeps or drops all of it.
# Versions: npm @opentelemetry/core and sdk-trace 3.1.0 with api 1.10.0; PyPI opentelemetry-sdk 1.45.2.
# W3C Trace Context Level 2: who goes on with a trace passes the random flag (02) on as it came; samplers further down use the random part of the trace id only with it.
# Guess: both write 01 or 00, since both know the sampled flag alone.
# Seen on 2026-11-30: Python keeps 03 and 02, JavaScript writes 01 and 00. Of 33 members of tracestate JavaScript sends 32 and Python none; of a key that comes twice JavaScript sends the last and Python none.
# Prints what goes on for what came; exits 1 if it has changed. Needs Node 20 with npm, and python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund @opentelemetry/core@3.1.0 @opentelemetry/sdk-trace@3.1.0 @opentelemetry/api@1.10.0 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check opentelemetry-sdk==1.45.2
cat > through.py <<'PY'
import json, logging
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator as Propagator
logging.disable(logging.CRITICAL)
for line in open("came.jsonl"):
    headers, out = json.loads(line), {}
    context = Propagator().extract(headers)
    span = TracerProvider().get_tracer("t").start_span("s", context=context)
    Propagator().inject(out, context=trace.set_span_in_context(span, context))
    print(out["traceparent"][-2:], len((out.get("tracestate") or "").split(",")) if out.get("tracestate") else 0, (out.get("tracestate") or "-")[:12])
PY
cat > through.mjs <<'JS'
import { readFileSync } from "node:fs";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api"; import { W3CTraceContextPropagator } from "@opentelemetry/core"; import { TracerProvider } from "@opentelemetry/sdk-trace";
const propagator = new W3CTraceContextPropagator(), tracer = new TracerProvider({}).getTracer("t");
for (const line of readFileSync("came.jsonl", "utf8").trim().split("\n")) {
  const out = {}, context = propagator.extract(ROOT_CONTEXT, JSON.parse(line), { get: (carrier, key) => carrier[key], keys: Object.keys });
  propagator.inject(trace.setSpan(context, tracer.startSpan("s", {}, context)), out, { set: (carrier, key, value) => { carrier[key] = value; } });
  console.log(out.traceparent.slice(-2), out.tracestate ? out.tracestate.split(",").length : 0, (out.tracestate || "-").slice(0, 12));
}
JS
id=00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331
{
  for flags in 01 03 02; do echo "{\"traceparent\":\"$id-$flags\"}"; done
  echo "{\"traceparent\":\"$id-01\",\"tracestate\":\"$(seq -s, -f 'k%g=v' 33)\"}"
  echo "{\"traceparent\":\"$id-01\",\"tracestate\":\"a=1,a=2\"}"
} > came.jsonl
paste -d'|' <(venv/bin/python through.py) <(node through.mjs) > seen.txt
cat > expected.txt <<'TXT'
01 0 -|01 0 -
03 0 -|01 0 -
02 0 -|00 0 -
01 0 -|01 32 k1=v,k2=v,k3
01 0 -|01 1 a=2
TXT
if diff expected.txt seen.txt; then echo "as seen: flags, number of members and their beginning, of Python and JavaScript"; cat seen.txt; else echo "CHANGED: the first is of 2026-11-30"; exit 1; fi
