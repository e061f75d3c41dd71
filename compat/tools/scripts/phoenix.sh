#!/usr/bin/env bash
# arize-phoenix 20.26.1
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check uv==0.13.9
venv/bin/uv pip install --quiet --python venv/bin/python arize-phoenix==20.26.1
export PHOENIX_WORKING_DIR="$PWD/data" PHOENIX_HOST=127.0.0.1 PHOENIX_PORT="$OTLP_PORT" PHOENIX_GRPC_PORT=0 PHOENIX_TELEMETRY_ENABLED=false
venv/bin/python -m phoenix.server.main serve >phoenix.log 2>&1 &
trap 'kill %1' EXIT
address="http://127.0.0.1:$OTLP_PORT"
curl -sf --retry 900 --retry-delay 1 --retry-connrefused --retry-all-errors "$address/healthz" >health.log || { tail -5 phoenix.log; exit 1; }
node "$ATTUNE_ROOT/compat/tools/play-scenes.ts" > ids.json
count() { curl -s "$address/v1/projects/default/spans?limit=100" > spans.json && node -p 'JSON.parse(require("fs").readFileSync("spans.json")).data.length'; }
for _ in $(seq 60); do [ "$(count)" -ge 25 ] && break || sleep 1; done
curl -s "$address/v1/projects/default/sessions" > sessions.json
cat > read.mjs <<'JS'
import { readFileSync } from "node:fs";
const read = (name) => JSON.parse(readFileSync(name, "utf8"));
const ids = read("ids.json"), spans = read("spans.json").data;
const find = (name, isRoot = false) => spans.find((span) => span.attributes["attune.inference.id"] === ids[name] && (span.parent_id === null) === isRoot);
const check = (step, held, seen) => console.log(held ? `held ${step}` : `failed ${step}: ${JSON.stringify(seen)?.slice(0, 160)}`);
const OUT = "llm.output_messages.0.message";
for (const model of ["chat-model", "responses-model", "messages-model"]) for (const call of ["call", "stream"]) {
  const { span_kind: kind, attributes: seen } = find(`${model} ${call}`);
  check(`${model} ${call}`, kind === "LLM" && seen["llm.model_name"] === "real-model" && seen["llm.token_count.prompt"] === 120 && seen["llm.token_count.completion"] === 15 && seen["llm.token_count.prompt_details.cache_read"] === 90 && seen["llm.input_messages.0.message.content"] === "hi" && seen[`${OUT}.content`]?.startsWith("Grüße"), seen);
}
for (const model of ["chat-model", "responses-model", "messages-model"]) {
  const { attributes: seen } = find(`${model} thought`);
  check(`${model} thought`, seen[`${OUT}.contents.0.message_content.type`] === "reasoning" && seen[`${OUT}.contents.1.message_content.type`] === "text", seen);
}
const { attributes: called } = find("loop call"), { attributes: answered } = find("loop answer", true);
check("an agent's loop", called[`${OUT}.tool_calls.0.tool_call.function.name`] === "get_weather" && answered["llm.input_messages.2.message.role"] === "tool", called);
const [session] = read("sessions.json").data;
check("its session", session?.session_id === "session-of-loop" && session.traces.length === 2 && session.token_count_prompt === 240, session);
check("a failure", find("failure").status_code === "ERROR" && find("failure", true).status_code === "ERROR", find("failure"));
const events = spans.find((span) => span.name === "POST /v1/feedback")?.events ?? [];
check("feedback, as events", events.length === 3 && events.every(({ attributes }) => attributes["gen_ai.response.id"] === ids["chat-model call"]), events);
JS
node read.mjs
