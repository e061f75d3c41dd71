#!/usr/bin/env bash
# Codex ignores x-should-retry, and repeats by status and code.
# Version: npm @openai/codex 0.171.0. Guess: `x-should-retry: false` ends a call, and every status but 400 is sent six times.
# Seen on 2026-11-29: 400, 404 and 429 once; 401 six times; 503 with the code server_is_overloaded five times; 502 thirty times in 24 s.
# Prints the count of requests for each answer; exits 1 if one has changed. Needs Node 20 or newer and npm.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund @openai/codex@0.171.0 >/dev/null
cat > run.mjs <<'JS'
import { spawn } from "node:child_process"; import fs from "node:fs"; import http from "node:http"; import path from "node:path";
const cases = [[400, "invalid_request_error", null, 1], [401, "invalid_request_error", "invalid_api_key", 6], [404, "invalid_request_error", "model_not_found", 1], [429, "insufficient_quota", "insufficient_quota", 1], [503, "service_unavailable_error", "server_is_overloaded", 5], [502, "server_error", "upstream_error", 30]];
const count = async ([status, type, code, expected]) => {
  let requests = 0;
  const server = http.createServer((request, response) => { request.resume().on("end", () => { if (request.url.endsWith("/responses")) requests++; response.writeHead(status, { "content-type": "application/json", "x-should-retry": "false" }).end(JSON.stringify({ error: { message: "no", type, code, param: null } })); }); });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const home = path.resolve(`home-${status}`); fs.mkdirSync(`${home}/.codex`, { recursive: true });
  fs.writeFileSync(`${home}/.codex/config.toml`, `model = "gpt-6-astra"\nmodel_provider = "x"\n[model_providers.x]\nname = "X"\nbase_url = "http://127.0.0.1:${server.address().port}/v1"\nenv_key = "KEY"\nwire_api = "responses"\n`);
  const codex = spawn("node_modules/.bin/codex", ["exec", "--skip-git-repo-check", "hi"], { env: { PATH: process.env.PATH, HOME: home, KEY: "k" }, stdio: "ignore" });
  const timer = setTimeout(() => codex.kill("SIGKILL"), 90_000);
  await new Promise((ended) => codex.on("exit", ended));
  clearTimeout(timer); server.closeAllConnections(); server.close();
  console.log(`${requests === expected ? "as seen" : "CHANGED"}: ${status} ${code}: ${requests} requests (${expected} on 2026-11-29)`);
  return requests === expected;
};
const all = await Promise.all(cases.map(count)); process.exit(all.every(Boolean) ? 0 : 1);
JS
node run.mjs
