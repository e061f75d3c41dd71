#!/usr/bin/env bash
# A call with a timeout of 25 days ends at once in JavaScript: the SDKs of OpenAI and Anthropic, and connect-node as client and as server.
# Versions: npm openai 7.59.0, @anthropic-ai/sdk 1.14.0, @connectrpc/connect-node 2.2.0, @grpc/grpc-js 1.14.7; Node 24.
# Node's documentation of timers: a delay above 2147483647 ms becomes 1 ms. A client that cuts its delays, as grpc-js does, or tells of them would hold.
# Guess: connect-node and both SDKs end at once, grpc-js does not, whatever the server.
# Seen on 2026-11-30: at 24 days all answer. At 25 days all fail within a second, grpc-js as well, since the server of connect-node ends the call that grpc-js would wait for.
# Prints what a call that takes 300 ms gets; exits 1 if it has changed. Needs Node 24 with npm.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund @connectrpc/connect@2.2.0 @connectrpc/connect-node@2.2.0 @bufbuild/protobuf@2.17.0 @grpc/grpc-js@1.14.7 openai@7.59.0 @anthropic-ai/sdk@1.14.0 >/dev/null
cat > call.mjs <<'JS'
import http from "node:http"; import http2 from "node:http2"; import { setTimeout as wait } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk"; import * as grpc from "@grpc/grpc-js"; import OpenAI from "openai";
import { create, createFileRegistry } from "@bufbuild/protobuf"; import { FileDescriptorProtoSchema, file_google_protobuf_wrappers as wrappers } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect"; import { connectNodeAdapter, createConnectTransport } from "@connectrpc/connect-node";
process.removeAllListeners("warning"); process.on("warning", () => {});
const method = { name: "Echo", inputType: ".google.protobuf.StringValue", outputType: ".google.protobuf.StringValue" };
const file = create(FileDescriptorProtoSchema, { name: "e.proto", package: "t", syntax: "proto3", dependency: ["google/protobuf/wrappers.proto"], service: [{ name: "E", method: [method] }] });
const service = createFileRegistry(file, () => wrappers.proto).getService("t.E");
const echo = async (request, { signal }) => { await wait(300); signal.throwIfAborted(); return request; };
const rpc = http2.createServer(connectNodeAdapter({ routes: (router) => router.service(service, { echo }) }));
const whole = JSON.stringify({ id: "x", object: "chat.completion", choices: [], type: "message", role: "assistant", content: [] });
const json = http.createServer((request, response) => { request.resume(); setTimeout(() => response.setHeader("content-type", "application/json").end(whole), 300); });
for (const server of [rpc, json]) await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const at = (server) => `127.0.0.1:${server.address().port}`, baseURL = `http://${at(json)}`, base = { apiKey: "k", baseURL, maxRetries: 0 };
const transport = createConnectTransport({ baseUrl: `http://${at(rpc)}`, httpVersion: "2" }), plain = new grpc.Client(at(rpc), grpc.credentials.createInsecure());
async function raw(timeoutMs) {
  const session = http2.connect(`http://${at(rpc)}`), stream = session.request({ ":method": "POST", ":path": "/t.E/Echo", "content-type": "application/json", "connect-timeout-ms": String(timeoutMs) });
  let text = ""; stream.end('"x"'); for await (const chunk of stream.setEncoding("utf8")) text += chunk;
  session.close(); if (text !== '"x"') throw new Error(text);
}
const calls = {
  openai: (timeout) => new OpenAI({ ...base, timeout }).chat.completions.create({ model: "m", messages: [] }),
  anthropic: (timeout) => new Anthropic({ ...base, timeout }).messages.create({ model: "m", max_tokens: 9, messages: [] }),
  "connect-node client": (timeoutMs) => createClient(service, transport).echo({ value: "x" }, { timeoutMs }), "connect-node server": raw,
  "grpc-js before it": (timeoutMs) => new Promise((ok, no) => plain.makeUnaryRequest("/t.E/Echo", (x) => x, (x) => x, Buffer.from([10, 1, 120]), { deadline: Date.now() + timeoutMs + 60_000 }, (error, seen) => (error ? no(error) : ok(seen)))),
};
let changed = false;
for (const [name, call] of Object.entries(calls)) for (const [days, expected] of [[24, "answers"], [25, "times out"]]) {
  const seen = await call(days * 86_400_000).then(() => "answers", (error) => (/time/i.test(String(error)) ? "times out" : String(error)));
  changed ||= seen !== expected;
  console.log(`${seen === expected ? "as seen" : "CHANGED"}: ${name}, ${days} days: ${seen} (${expected} on 2026-11-30)`);
}
process.exit(changed ? 1 : 0);
JS
node call.mjs
