#!/usr/bin/env bash
# mlflow 3.17.2
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check uv==0.13.9
venv/bin/uv pip install --quiet --python venv/bin/python mlflow==3.17.2
export MLFLOW_TRACKING_URI="http://127.0.0.1:$OTLP_PORT" MLFLOW_DISABLE_TELEMETRY=true DO_NOT_TRACK=true
venv/bin/mlflow server --backend-store-uri "sqlite:///$PWD/mlflow.db" --host 127.0.0.1 --port "$OTLP_PORT" --workers 1 >mlflow.log 2>&1 &
trap 'kill %1' EXIT
curl -sf --retry 300 --retry-delay 1 --retry-connrefused --retry-all-errors "$MLFLOW_TRACKING_URI/health" >health.log || { tail -5 mlflow.log; exit 1; }
node "$ATTUNE_ROOT/compat/tools/play-scenes.ts" > ids.json
cat > read.py <<'PY'
import json, time
import mlflow

ids = json.load(open("ids.json"))
for _ in range(60):
    traces = mlflow.search_traces(locations=["0"], return_type="list")
    if len(traces) >= len(ids) + 1: break
    time.sleep(1)

def check(step, run):
    try: held, seen = run()
    except Exception as error: held, seen = False, f"{type(error).__name__}: {error}"
    print(f"held {step}" if held else f"failed {step}: {str(seen)[:300]}")

def root(trace): return next(span for span in trace.data.spans if span.parent_id is None)

def of(name): return next(trace for trace in traces if any(ids[name] in map(str, span.attributes.values()) for span in trace.data.spans))

def call(name):
    trace = of(name)
    usage = trace.info.token_usage or {}
    seen = (usage.get("input_tokens"), usage.get("output_tokens"), str(root(trace).inputs), str(root(trace).outputs), [span.span_type for span in trace.data.spans])
    return seen[:2] == (120, 15) and "hi" in seen[2] and "Grüße" in seen[3] and "CHAT_MODEL" in seen[4], seen

for model in ("chat-model", "responses-model", "messages-model"):
    for way in ("call", "stream"): check(f"{model} {way}", lambda: call(f"{model} {way}"))
    check(f"{model} thought", lambda: ((seen := str(root(of(f"{model} thought")).outputs)) and "reasoning" in seen, seen))
check("an agent's loop", lambda: ((seen := str(root(of("loop call")).outputs)) and "get_weather" in seen and "4 degrees" in str(root(of("loop answer")).inputs), seen))
check("its session", lambda: ((seen := [of(name).info.trace_metadata.get("mlflow.trace.session") for name in ("loop call", "loop answer")]) == ["session-of-loop"] * 2, seen))
check("a failure", lambda: ((seen := of("failure").info.state) == "ERROR", seen))
check("feedback, as events", lambda: ((seen := [event for trace in traces for span in trace.data.spans for event in span.events if event.name == "gen_ai.evaluation.result"]) and len(seen) == 3, seen))
check("cached tokens", lambda: ((seen := of("chat-model call").info.token_usage).get("cache_read_input_tokens") == 90, seen))
PY
venv/bin/python read.py
