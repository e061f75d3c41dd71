#!/usr/bin/env bash
# A server that says `Retry-After: 61` is asked again at once by three clients, and never by LangChain.
# Versions: npm openai 7.59.0, ai 7.0.173, @genkit-ai/compat-oai 1.42.0, @langchain/openai 1.6.0.
# Guess: OpenAI's SDK keeps to its own backoff above 60 s; the AI SDK and LangChain wait as long as they are told.
# Seen on 2026-11-29: openai and Genkit ask again within 1 s, the AI SDK within 3 s; LangChain gives up without a second try.
# Prints the requests of each client within 10 s; exits 1 if one has changed. Needs Node 22 or newer and npm.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund --legacy-peer-deps openai@7.59.0 genkit@1.42.0 @genkit-ai/compat-oai@1.42.0 @langchain/openai@1.6.0 @langchain/core@1.4.0 ai@7.0.173 @ai-sdk/openai-compatible@3.0.92 zod@4 >/dev/null
cat > run.mjs <<'JS'
import http from "node:http";
const asked = {};
const answer = JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices: [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
const server = http.createServer((q, r) => q.resume().on("end", () => { const name = q.url.split("/")[1]; asked[name] = (asked[name] ?? 0) + 1; if (asked[name] > 1) r.writeHead(200, { "content-type": "application/json" }).end(answer); else r.writeHead(429, { "content-type": "application/json", "retry-after": "61" }).end('{"error":{"message":"slow down","type":"rate_limit_error","code":"rate_limit_exceeded"}}'); }));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = (name) => `http://127.0.0.1:${server.address().port}/${name}/v1`;
const messages = [{ role: "user", content: "x" }];
const clients = {
  openai: [2, async (baseURL) => { const { default: OpenAI } = await import("openai"); await new OpenAI({ apiKey: "k", baseURL }).chat.completions.create({ model: "m", messages }); }],
  genkit: [2, async (baseURL) => { const { genkit } = await import("genkit"); const { openAICompatible } = await import("@genkit-ai/compat-oai"); await genkit({ plugins: [openAICompatible({ name: "x", apiKey: "k", baseURL })] }).generate({ model: "x/m", prompt: "x" }); }],
  "ai-sdk": [2, async (baseURL) => { const { generateText } = await import("ai"); const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible"); await generateText({ model: createOpenAICompatible({ name: "x", baseURL, apiKey: "k" })("m"), prompt: "x" }); }],
  langchain: [1, async (baseURL) => { const { ChatOpenAI } = await import("@langchain/openai"); await new ChatOpenAI({ model: "m", apiKey: "k", configuration: { baseURL } }).invoke("x"); }],
};
let changed = false;
for (const [name, [expected, run]] of Object.entries(clients)) { await Promise.race([run(url(name)).catch(() => {}), new Promise((late) => setTimeout(late, 10_000))]); const seen = asked[name]; changed ||= seen !== expected; console.log(`${seen === expected ? "as seen" : "CHANGED"}: ${name}: ${seen} requests within 10 s (${expected} on 2026-11-29)`); }
process.exit(changed ? 1 : 0);
JS
node run.mjs
