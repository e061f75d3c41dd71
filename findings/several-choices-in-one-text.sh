#!/usr/bin/env bash
# A stream of two choices (n: 2) reads as one mixed text in the AI SDK, Genkit and LlamaIndex.
# Versions: npm ai 7.0.173 with @ai-sdk/openai-compatible 3.0.92, @genkit-ai/compat-oai 1.42.0, @llamaindex/openai 0.4.23 (llamaindex 0.12.1), openai 7.59.0.
# Guess: each gives the choice with the index 0, and drops the other; each has a setting by which n is sent.
# Seen on 2026-11-30: the AI SDK's text and the streams of Genkit and LlamaIndex are "one ZWEI two DREI", in the order of arrival; the AI SDK has the finish reason of the last choice to end. Genkit's whole answer and OpenAI's helper keep them apart.
# Prints the texts; exits 1 if one has changed. Needs Node 22 or newer and npm.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund --legacy-peer-deps openai@7.59.0 @llamaindex/openai@0.4.23 llamaindex@0.12.1 @llamaindex/core@0.6.22 @llamaindex/env@0.1.30 genkit@1.42.0 @genkit-ai/compat-oai@1.42.0 ai@7.0.173 @ai-sdk/openai-compatible@3.0.92 zod@4 >/dev/null
cat > run.mjs <<'JS'
import http from "node:http";
const chunk = (index, delta, finish_reason = null) => `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index, delta, finish_reason }] })}\n\n`;
const stream = [chunk(0, { role: "assistant", content: "one " }), chunk(1, { role: "assistant", content: "ZWEI " }), chunk(0, { content: "two " }), chunk(1, { content: "DREI" }), chunk(0, {}, "stop"), chunk(1, {}, "length"), "data: [DONE]\n\n"].join("");
const server = http.createServer((q, r) => q.resume().on("end", () => r.writeHead(200, { "content-type": "text/event-stream" }).end(stream)));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const baseURL = `http://127.0.0.1:${server.address().port}/v1`; const MIXED = "one ZWEI two DREI";
const clients = {
  openai: ["one two |stop", async () => { const { default: OpenAI } = await import("openai"); const answer = await new OpenAI({ apiKey: "k", baseURL }).chat.completions.stream({ model: "m", n: 2, messages: [{ role: "user", content: "x" }] }).finalChatCompletion(); const [first] = answer.choices; return `${first.message.content}|${first.finish_reason}`; }],
  "AI SDK": [`${MIXED}|length`, async () => { const { streamText } = await import("ai"); const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible"); const answer = streamText({ model: createOpenAICompatible({ name: "x", baseURL, apiKey: "k" })("m"), prompt: "x", providerOptions: { x: { n: 2 } } }); return `${await answer.text}|${await answer.finishReason}`; }],
  Genkit: [`${MIXED}|one two `, async () => { const { genkit } = await import("genkit"); const { openAICompatible } = await import("@genkit-ai/compat-oai"); const { response, stream: parts } = genkit({ plugins: [openAICompatible({ name: "x", apiKey: "k", baseURL })] }).generateStream({ model: "x/m", prompt: "x", config: { n: 2 } }); let text = ""; for await (const part of parts) text += part.text; return `${text}|${(await response).text}`; }],
  LlamaIndex: [MIXED, async () => { const { OpenAI } = await import("@llamaindex/openai"); let text = ""; for await (const part of await new OpenAI({ model: "gpt-4o", apiKey: "k", baseURL, additionalChatOptions: { n: 2 } }).chat({ messages: [{ role: "user", content: "x" }], stream: true })) text += part.delta; return text; }],
};
let changed = false;
for (const [name, [expected, run]] of Object.entries(clients)) { const seen = await run().catch((error) => error.name); changed ||= seen !== expected; console.log(`${seen === expected ? "as seen" : "CHANGED"}: ${name}: ${seen} (${expected} on 2026-11-30)`); }
process.exit(changed ? 1 : 0);
JS
node run.mjs
