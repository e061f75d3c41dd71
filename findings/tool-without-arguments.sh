#!/usr/bin/env bash
# LlamaIndex and Genkit cannot read a streamed call of a tool that takes nothing, where its arguments are "".
# Versions: npm @llamaindex/openai 0.4.23 (llamaindex 0.12.1), @genkit-ai/compat-oai 1.42.0, @langchain/openai 1.6.0, ai 7.0.173.
# Guess: all four read it as {}; servers write "" for a tool without parameters.
# Seen on 2026-11-29: LangChain and AI SDK give {}, Genkit gives the text "" as the input, LlamaIndex throws a SyntaxError.
# Prints what each client made of the same stream; exits 1 if that has changed. Needs Node 22 or newer and npm.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund --legacy-peer-deps openai@7.59.0 @llamaindex/openai@0.4.23 llamaindex@0.12.1 @llamaindex/core@0.6.22 @llamaindex/env@0.1.30 genkit@1.42.0 @genkit-ai/compat-oai@1.42.0 @langchain/openai@1.6.0 @langchain/core@1.4.0 ai@7.0.173 @ai-sdk/openai-compatible@3.0.92 zod@4 >/dev/null
cat > run.mjs <<'JS'
import http from "node:http"; import { z } from "zod";
const chunk = (delta, finish_reason = null) => `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const call = { index: 0, id: "call_1", type: "function", function: { name: "now", arguments: "" } };
const stream = `${chunk({ role: "assistant", content: null, tool_calls: [call] })}${chunk({}, "tool_calls")}data: [DONE]\n\n`;
const server = http.createServer((q, r) => q.resume().on("end", () => r.writeHead(200, { "content-type": "text/event-stream" }).end(stream)));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const baseURL = `http://127.0.0.1:${server.address().port}/v1`;
const parameters = { type: "object", properties: {} };
const tools = [{ type: "function", function: { name: "now", description: "The time", parameters } }];
const clients = {
  LangChain: ["{}", async () => { const { ChatOpenAI } = await import("@langchain/openai"); let all; for await (const part of await new ChatOpenAI({ model: "m", apiKey: "k", configuration: { baseURL } }).bindTools(tools).stream("x")) all = all?.concat(part) ?? part; return JSON.stringify(all.tool_calls[0].args); }],
  "AI SDK": ["{}", async () => { const { streamText, tool } = await import("ai"); const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible"); const answer = streamText({ model: createOpenAICompatible({ name: "x", baseURL, apiKey: "k" })("m"), prompt: "x", tools: { now: tool({ inputSchema: z.object({}) }) } }); return JSON.stringify((await answer.toolCalls)[0].input); }],
  Genkit: ['""', async () => { const { genkit } = await import("genkit"); const { openAICompatible } = await import("@genkit-ai/compat-oai"); const ai = genkit({ plugins: [openAICompatible({ name: "x", apiKey: "k", baseURL })] }); const now = ai.defineTool({ name: "now", description: "The time", inputSchema: z.object({}) }, async () => "noon"); const { response, stream: parts } = ai.generateStream({ model: "x/m", prompt: "x", tools: [now], returnToolRequests: true }); for await (const _ of parts); return JSON.stringify((await response).toolRequests[0].toolRequest.input); }],
  LlamaIndex: ["SyntaxError", async () => { const { OpenAI } = await import("@llamaindex/openai"); let input; for await (const part of await new OpenAI({ model: "gpt-4o", apiKey: "k", baseURL }).chat({ messages: [{ role: "user", content: "x" }], stream: true, tools: [{ metadata: { name: "now", description: "The time", parameters } }] })) input = part.options?.toolCall?.[0].input ?? input; return JSON.stringify(input); }],
};
let changed = false;
for (const [name, [expected, run]] of Object.entries(clients)) { const seen = await run().catch((error) => error.name); changed ||= seen !== expected; console.log(`${seen === expected ? "as seen" : "CHANGED"}: ${name}: ${seen} (${expected} on 2026-11-29)`); }
process.exit(changed ? 1 : 0);
JS
node run.mjs
