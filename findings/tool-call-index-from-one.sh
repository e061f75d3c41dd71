#!/usr/bin/env bash
# OpenAI's own stream helper throws when a stream's only tool call has the index 1, and Genkit, which is built on the SDK, too.
# Versions: npm openai 7.59.0, @genkit-ai/compat-oai 1.42.0, @langchain/openai 1.6.0, ai 7.0.173.
# Guess: an index only keeps parts of one call together, so every client reads it; servers that count text as index 0 send 1.
# Seen on 2026-11-29: LangChain and AI SDK read the call, chat.completions.stream() and Genkit throw a TypeError at the end.
# Prints what each client made of the same stream; exits 1 if that has changed. Needs Node 22 or newer and npm.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund --legacy-peer-deps openai@7.59.0 genkit@1.42.0 @genkit-ai/compat-oai@1.42.0 @langchain/openai@1.6.0 @langchain/core@1.4.0 ai@7.0.173 @ai-sdk/openai-compatible@3.0.92 zod@4 >/dev/null
cat > run.mjs <<'JS'
import http from "node:http"; import { z } from "zod";
const chunk = (delta, finish_reason = null) => `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const call = { index: 1, id: "call_1", type: "function", function: { name: "now", arguments: '{"zone":"UTC"}' } };
const stream = `${chunk({ role: "assistant", content: null, tool_calls: [call] })}${chunk({}, "tool_calls")}data: [DONE]\n\n`;
const server = http.createServer((q, r) => q.resume().on("end", () => r.writeHead(200, { "content-type": "text/event-stream" }).end(stream)));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const baseURL = `http://127.0.0.1:${server.address().port}/v1`;
const tools = [{ type: "function", function: { name: "now", description: "The time", parameters: { type: "object", properties: { zone: { type: "string" } } } } }];
const inputSchema = z.object({ zone: z.string() });
const clients = {
  LangChain: ["UTC", async () => { const { ChatOpenAI } = await import("@langchain/openai"); let all; for await (const part of await new ChatOpenAI({ model: "m", apiKey: "k", configuration: { baseURL } }).bindTools(tools).stream("x")) all = all?.concat(part) ?? part; return all.tool_calls[0].args.zone; }],
  "AI SDK": ["UTC", async () => { const { streamText, tool } = await import("ai"); const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible"); const answer = streamText({ model: createOpenAICompatible({ name: "x", baseURL, apiKey: "k" })("m"), prompt: "x", tools: { now: tool({ inputSchema }) } }); return (await answer.toolCalls)[0].input.zone; }],
  "openai stream()": ["TypeError", async () => { const { default: OpenAI } = await import("openai"); const answer = await new OpenAI({ apiKey: "k", baseURL }).chat.completions.stream({ model: "m", messages: [{ role: "user", content: "x" }], tools }).finalChatCompletion(); return JSON.parse(answer.choices[0].message.tool_calls[0].function.arguments).zone; }],
  Genkit: ["TypeError", async () => { const { genkit } = await import("genkit"); const { openAICompatible } = await import("@genkit-ai/compat-oai"); const ai = genkit({ plugins: [openAICompatible({ name: "x", apiKey: "k", baseURL })] }); const now = ai.defineTool({ name: "now", description: "The time", inputSchema }, async () => "noon"); const { response, stream: parts } = ai.generateStream({ model: "x/m", prompt: "x", tools: [now], returnToolRequests: true }); response.catch(() => {}); for await (const _ of parts); return (await response).toolRequests[0].toolRequest.input.zone; }],
};
let changed = false;
for (const [name, [expected, run]] of Object.entries(clients)) { const seen = await run().catch((error) => error.cause?.name ?? error.name); changed ||= seen !== expected; console.log(`${seen === expected ? "as seen" : "CHANGED"}: ${name}: ${seen} (${expected} on 2026-11-29)`); }
process.exit(changed ? 1 : 0);
JS
node run.mjs
