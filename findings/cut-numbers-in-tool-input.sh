#!/usr/bin/env bash
# Where max_tokens ends a tool call in the middle of a number, Anthropic's Python SDK and LangChain give a whole call with another number: 1 euro of 10.
# Versions: PyPI anthropic 2.14.0 with jiter 0.19.0, langchain-anthropic 1.7.10; npm @anthropic-ai/sdk 1.14.0, @langchain/anthropic 1.5.11 with @langchain/core 1.4.0, ai 7.0.173 with @ai-sdk/anthropic 3.0.140.
# Guess: a number without its end is left out or marked in all, as a reader can't know what it would have been.
# Seen on 2026-12-01: of {"to": "Ada", "euros": 1, cut, the Python SDK's final message and both LangChains have euros 1, and no sign but the stop reason; the JavaScript SDK leaves euros out, the AI SDK marks the call as invalid.
# Of {"to": "Ada", "euros": 4/5}, which is whole, the Python SDK alone reads 4, since jiter takes what it can't read behind a number for the end; the others throw or mark it.
# Prints what each made of both streams; exits 1 if one has changed. Needs Node 22 or newer with npm, and python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund @anthropic-ai/sdk@1.14.0 @langchain/anthropic@1.5.11 @langchain/core@1.4.0 ai@7.0.173 @ai-sdk/anthropic@3.0.140 zod@4 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check anthropic==2.14.0 jiter==0.19.0 langchain-anthropic==1.7.10
cat > read.py <<'PY'
import json, sys, anthropic
from functools import reduce
from langchain_anthropic import ChatAnthropic
tool = {"name": "pay", "input_schema": {"type": "object", "properties": {"to": {"type": "string"}, "euros": {"type": "number"}}}}
def sdk():
    with anthropic.Anthropic(api_key="k", base_url=sys.argv[1]).messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "x"}], tools=[tool]) as stream: return stream.get_final_message().content[0].input
def langchain():
    whole = reduce(lambda one, other: one + other, ChatAnthropic(model="m", api_key="k", base_url=sys.argv[1]).bind_tools([tool]).stream("x"))
    return whole.tool_calls[0]["args"] if whole.tool_calls else "invalid"
for name, read in {"anthropic for Python": sdk, "LangChain for Python": langchain}.items():
    try: seen = read()
    except Exception: seen = "throws"
    print(name, seen if isinstance(seen, str) else json.dumps(seen, separators=(",", ":")), sep="|")
PY
cat > run.mjs <<'JS'
import { execFile } from "node:child_process"; import http from "node:http"; import { promisify } from "node:util";
import { createAnthropic } from "@ai-sdk/anthropic"; import Anthropic from "@anthropic-ai/sdk"; import { ChatAnthropic } from "@langchain/anthropic"; import { streamText, tool } from "ai"; import { z } from "zod";
globalThis.AI_SDK_LOG_WARNINGS = false;
const event = (type, rest) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
const streamOf = (json, stop_reason) => event("message_start", { message: { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } } }) + event("content_block_start", { index: 0, content_block: { type: "tool_use", id: "toolu_1", name: "pay", input: {} } }) + event("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: json } }) + event("content_block_stop", { index: 0 }) + event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } }) + event("message_stop", {});
const streams = { cut: streamOf('{"to": "Ada", "euros": 1', "max_tokens"), whole: streamOf('{"to": "Ada", "euros": 4/5}', "tool_use") };
const server = http.createServer((request, response) => request.resume().on("end", () => response.writeHead(200, { "content-type": "text/event-stream" }).end(streams[request.url.split("/")[1]]))); await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const input_schema = { type: "object", properties: { to: { type: "string" }, euros: { type: "number" } } };
const clients = {
  "anthropic for JavaScript": async (baseURL) => (await new Anthropic({ apiKey: "k", baseURL }).messages.stream({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "x" }], tools: [{ name: "pay", input_schema }] }).finalMessage()).content[0].input,
  "AI SDK": async (base) => { const [call] = await streamText({ model: createAnthropic({ apiKey: "k", baseURL: `${base}/v1` })("m"), prompt: "x", maxOutputTokens: 9, tools: { pay: tool({ inputSchema: z.object({ to: z.string(), euros: z.number() }) }) } }).toolCalls; return call.invalid ? "invalid" : call.input; },
  "LangChain for JavaScript": async (anthropicApiUrl) => { let all; for await (const part of await new ChatAnthropic({ model: "m", apiKey: "k", anthropicApiUrl }).bindTools([{ name: "pay", input_schema }]).stream("x")) all = all?.concat(part) ?? part; return all.tool_calls[0]?.args ?? "invalid"; },
};
const one = '{"to":"Ada","euros":1}';
const expected = { cut: { "anthropic for Python": one, "LangChain for Python": one, "LangChain for JavaScript": one, "anthropic for JavaScript": '{"to":"Ada"}', "AI SDK": "invalid" }, whole: { "anthropic for Python": '{"to":"Ada","euros":4}', "LangChain for Python": "invalid", "LangChain for JavaScript": "invalid", "anthropic for JavaScript": "throws", "AI SDK": "invalid" } };
let changed = false;
for (const name of Object.keys(streams)) {
  const base = `http://127.0.0.1:${server.address().port}/${name}`;
  const seen = (await promisify(execFile)("venv/bin/python", ["read.py", base])).stdout.trim().split("\n").map((line) => line.split("|"));
  for (const [client, read] of Object.entries(clients)) seen.push([client, await read(base).then((input) => (typeof input === "string" ? input : JSON.stringify(input)), () => "throws")]);
  for (const [client, input] of seen) { const wanted = expected[name][client]; changed ||= input !== wanted || seen.length !== 5; console.log(`${input === wanted ? "as seen" : "CHANGED"}: ${client}, ${name}: ${input} (${wanted} on 2026-12-01)`); }
}
server.close(); server.closeAllConnections(); process.exit(changed ? 1 : 0);
JS
node run.mjs
