#!/usr/bin/env bash
# promptfoo gives up a whole evaluation when one of its providers answers 404: cases of all others are lost, and its exit status is 0.
# Version: npm promptfoo 0.123.1.
# Guess: the provider's own cases are errors, the other provider's six cases are graded, and the exit status is 100.
# Seen on 2026-12-01: at 404 it ends with "Aborting scan", writes what was answered before, and exits with 0, which a CI takes for a pass; one misspelled model is enough. At 400 it does as guessed. By its own words 401, 403 and 501 do the same.
# Prints the cases of the good provider behind each status; exits 1 if that has changed. Needs Node 22 with npm.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
if [ -n "${PROMPTFOO_MODULES:-}" ]; then ln -s "$PROMPTFOO_MODULES" "$folder/node_modules"; fi
cd "$folder"
[ -e node_modules ] || { npm init -y >/dev/null && npm install --silent --no-audit --no-fund promptfoo@0.123.1 >/dev/null; }
export PROMPTFOO_CONFIG_DIR="$folder/own" PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 OPENAI_API_KEY=k
cat > run.mjs <<'JS'
import { spawn } from "node:child_process"; import { existsSync, readFileSync, writeFileSync } from "node:fs"; import { createServer } from "node:http";
const server = createServer(async (request, response) => {
  await request.toArray();
  const status = Number(request.url.split("/")[1]);
  const answer = { id: "c", object: "chat.completion", created: 1, model: "m", choices: [{ index: 0, message: { role: "assistant", content: "yes" }, finish_reason: "stop" }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
  const body = status === 200 ? answer : { error: { message: "no such model", type: "invalid_request_error", param: "model", code: "model_not_found" } };
  setTimeout(() => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)), status === 200 ? 300 : 0);
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.on("listening", resolve));
let changed = false;
for (const [status, whole] of [[400, true], [404, false]]) {
  const provider = (name, code) => ({ id: `openai:chat:${name}`, label: name, config: { apiBaseUrl: `http://127.0.0.1:${server.address().port}/${code}/v1`, maxRetries: 0 } });
  const tests = [1, 2, 3, 4, 5, 6].map((n) => ({ vars: { n }, assert: [{ type: "contains", value: "yes" }] }));
  writeFileSync("config.json", JSON.stringify({ prompts: ["{{n}}"], providers: [provider("misspelled", status), provider("good", 200)], tests }));
  const child = spawn("node_modules/.bin/promptfoo", ["eval", "-c", "config.json", "--no-cache", "--no-table", "--no-progress-bar", "-o", `${status}.json`]);
  const code = await new Promise((resolve) => child.on("close", resolve));
  const results = existsSync(`${status}.json`) ? JSON.parse(readFileSync(`${status}.json`, "utf8")).results.results : [];
  const good = results.filter((row) => row.provider.label === "good" && row.success).length;
  const asSeen = whole ? good === 6 && code === 100 : good < 6 && code === 0;
  changed ||= !asSeen;
  console.log(`${asSeen ? "as seen" : "CHANGED"}: beside ${status}: ${good} of 6 good cases, ${results.length} of 12 in all, exit status ${code}`);
}
server.close(); process.exit(changed ? 1 : 0);
JS
node run.mjs
