#!/usr/bin/env bash
# Python's readers of server-sent events lose the first event of a stream that begins with a byte order mark; JavaScript's read it.
# Versions: PyPI openai 3.57.0, anthropic 2.14.0, httpx-sse 0.4.3, sseclient-py 1.9.0; npm openai 7.59.0, @anthropic-ai/sdk 1.14.0, eventsource-parser 3.1.1.
# The standard of server-sent events: one leading U+FEFF is ignored if there is one.
# Guess: all skip it, or none does.
# Seen on 2026-11-30: the four Python readers give the second event alone, without an error, so the id and first text of an answer are gone; the three of JavaScript give both.
# Prints the count of events that each reads of two; exits 1 if one has changed. Needs Node 20 with npm, and python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund openai@7.59.0 @anthropic-ai/sdk@1.14.0 eventsource-parser@3.1.1 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check openai==3.57.0 anthropic==2.14.0 httpx-sse==0.4.3 httpx==0.28.1 sseclient-py==1.9.0 requests==2.34.2
cat > read.py <<'PY'
import sys, anthropic._streaming, httpx, httpx_sse, openai._streaming, requests, sseclient
url = sys.argv[1]
def decoder(module):
    with httpx.stream("GET", url) as answer: return sum(1 for _ in module.SSEDecoder().iter_bytes(answer.iter_bytes()))
def sse():
    with httpx.Client() as client, httpx_sse.connect_sse(client, "GET", url) as source: return sum(1 for _ in source.iter_sse())
print("openai (Python)", decoder(openai._streaming), sep="|")
print("anthropic (Python)", decoder(anthropic._streaming), sep="|")
print("httpx-sse", sse(), sep="|")
print("sseclient-py", sum(1 for _ in sseclient.SSEClient(requests.get(url, stream=True)).events()), sep="|")
PY
cat > run.mjs <<'JS'
import { execFile } from "node:child_process"; import http from "node:http"; import { promisify } from "node:util";
import { _iterSSEMessages as anthropic } from "@anthropic-ai/sdk/core/streaming"; import { createParser } from "eventsource-parser"; import { _iterSSEMessages as openai } from "openai/core/streaming";
const server = http.createServer((_q, r) => r.writeHead(200, { "content-type": "text/event-stream" }).end('\ufeffdata: {"n":1}\n\ndata: {"n":2}\n\n'));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${server.address().port}/`;
const count = async (events) => { let all = 0; for await (const _ of events) all++; return all; };
const seen = { "openai (JavaScript)": await count(openai(await fetch(url), new AbortController())), "anthropic (JavaScript)": await count(anthropic(await fetch(url), new AbortController())), "eventsource-parser": 0 };
const parser = createParser({ onEvent: () => seen["eventsource-parser"]++ });
for await (const text of (await fetch(url)).body.pipeThrough(new TextDecoderStream())) parser.feed(text);
const { stdout } = await promisify(execFile)("venv/bin/python", ["read.py", url]);
for (const line of stdout.trim().split("\n")) { const [name, events] = line.split("|"); seen[name] = Number(events); }
let changed = Object.keys(seen).length !== 7;
for (const [name, events] of Object.entries(seen)) { const expected = /Python|httpx|sseclient/.test(name) ? 1 : 2; changed ||= events !== expected; console.log(`${events === expected ? "as seen" : "CHANGED"}: ${name}: ${events} of 2 events (${expected} on 2026-11-30)`); }
process.exit(changed ? 1 : 0);
JS
node run.mjs
