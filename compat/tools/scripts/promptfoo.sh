#!/usr/bin/env bash
# promptfoo 0.123.1
npm init -y >npm.log && npm install --silent --no-audit --no-fund promptfoo@0.123.1 >>npm.log 2>&1
export PROMPTFOO_CONFIG_DIR="$PWD/own" PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 PROMPTFOO_DISABLE_REMOTE_GENERATION=1 OPENAI_API_KEY="$ATTUNE_KEY" ANTHROPIC_API_KEY="$ATTUNE_KEY"
cat > make.mjs <<'JS'
import { writeFileSync } from "node:fs";
const { ATTUNE_URL } = process.env;
const assert = [{ type: "contains", value: "Grüße" }, { type: "javascript", value: "output.length > 5" }];
const tests = [1, 2, 3, 4, 5].map((n) => ({ vars: { n }, assert })).concat({ vars: { n: 6 }, assert: [{ type: "contains", value: "no such text" }] });
function write(name, ids, tests) {
  const provider = (id) => ({ id, label: id, config: { apiBaseUrl: ATTUNE_URL + (id.startsWith("openai") ? "/v1" : ""), max_tokens: 99, maxRetries: 0 } });
  writeFileSync(`${name}.json`, JSON.stringify({ prompts: ["question {{n}}"], providers: ids.map(provider), tests }));
}
write("works", ["openai:chat:attune/chat-model", "openai:responses:attune/responses-model", "anthropic:messages:attune/messages-model"], tests);
write("refused", ["openai:chat:attune/chat-refused-model", "openai:responses:attune/responses-refused-model", "anthropic:messages:attune/messages-refused-model"], tests);
write("unknown", ["openai:chat:none"], tests);
JS
cat > read.mjs <<'JS'
import { readFileSync } from "node:fs";
const check = (step, is, seen) => console.log(is ? `held ${step}` : `failed ${step}: ${String(JSON.stringify(seen)).slice(0, 150)}`);
const read = (name) => JSON.parse(readFileSync(`${name}.out.json`, "utf8")).results;
for (const { provider, metrics } of read("works").prompts) {
  const [, format] = provider.split(":");
  const row = read("works").results.find((each) => each.provider.id === provider);
  const { prompt, completion, total } = metrics.tokenUsage;
  check(`${format}: 5 of 6 cases pass`, metrics.testPassCount === 5 && metrics.testFailCount === 1 && metrics.testErrorCount === 0, row?.error ?? row);
  check(`${format}: ${prompt} tokens in and ${completion} out at cost ${metrics.cost}`, completion === 90 && total === prompt + completion, metrics.tokenUsage);
}
for (const { provider, metrics } of read("refused").prompts) {
  const rows = read("refused").results.filter((each) => each.provider.id === provider);
  check(`${provider.split(":")[1]}: 6 refused with the reason`, metrics.testErrorCount === 6 && rows.every((row) => /oracle of Oslo/.test(row.error)), rows[0]?.error);
}
const unknown = read("unknown").results;
check("an unknown model", unknown.length > 0 && /the model 'none' does not exist/.test(unknown[0].error), unknown);
JS
node make.mjs
for name in works refused unknown; do
  node_modules/.bin/promptfoo eval --config "$name.json" --no-cache --no-progress-bar --no-table --max-concurrency 4 --output "$name.out.json" >"$name.log" 2>&1 || true
  [ -f "$name.out.json" ] || { tail -30 "$name.log"; exit 1; }
done
node read.mjs
