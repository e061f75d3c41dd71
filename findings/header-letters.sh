#!/usr/bin/env bash
# One letter beyond ASCII in a header: clients send it as Latin-1, as UTF-8 or not at all, and OpenAI's and Anthropic's Python SDKs differ.
# Versions: PyPI openai 3.57.0, anthropic 2.14.0, httpx 0.28.1, requests 2.34.2, urllib3 2.8.0, aiohttp 3.14.5; npm openai 7.59.0, undici 7.30.2; Node's fetch.
# Guess: all refuse it, or send UTF-8; the two SDKs, which one generator makes, do the same.
# Seen on 2026-11-30: fetch, undici, OpenAI's JavaScript SDK, requests and urllib3 send Latin-1; aiohttp and Anthropic's Python SDK UTF-8; httpx and OpenAI's Python SDK throw UnicodeEncodeError before they call.
# A server that labels calls by a header gets two names of one. Prints what each sends; exits 1 if one has changed. Needs Node 20 with npm, and python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund openai@7.59.0 undici@7.30.2 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check openai==3.57.0 anthropic==2.14.0 httpx==0.28.1 requests==2.34.2 urllib3==2.8.0 aiohttp==3.14.5
cat > send.py <<'PY'
import asyncio, sys, aiohttp, anthropic, httpx, openai, requests, urllib3
url = sys.argv[1]
headers = lambda name: {"x-label": "Zürich", "x-client": name}
async def aio():
    async with aiohttp.ClientSession() as session: await session.get(url, headers=headers("aiohttp"))
sdk = lambda name: dict(base_url=url, api_key="k", max_retries=0, default_headers=headers(name))
clients = {
    "httpx": lambda: httpx.get(url, headers=headers("httpx")),
    "requests": lambda: requests.get(url, headers=headers("requests")),
    "urllib3": lambda: urllib3.request("GET", url, headers=headers("urllib3")),
    "aiohttp": lambda: asyncio.run(aio()),
    "openai (Python)": lambda: openai.OpenAI(**sdk("openai (Python)")).models.list(),
    "anthropic (Python)": lambda: anthropic.Anthropic(**sdk("anthropic (Python)")).models.list(),
}
for name, send in clients.items():
    try: send()
    except UnicodeEncodeError: print(f"{name}|throws")
    except Exception: pass
PY
cat > run.mjs <<'JS'
import { execFile } from "node:child_process"; import http from "node:http"; import { promisify } from "node:util";
import OpenAI from "openai"; import { fetch as undici } from "undici";
const expected = { fetch: "Latin-1", undici: "Latin-1", "openai (JavaScript)": "Latin-1", requests: "Latin-1", urllib3: "Latin-1", aiohttp: "UTF-8", "anthropic (Python)": "UTF-8", httpx: "throws", "openai (Python)": "throws" };
const seen = {};
const server = http.createServer((q, r) => { const bytes = Buffer.from(q.headers["x-label"], "latin1").toString("hex"); seen[q.headers["x-client"]] = { "5afc72696368": "Latin-1", "5ac3bc72696368": "UTF-8" }[bytes] ?? bytes; r.writeHead(200, { "content-type": "application/json" }).end('{"object":"list","data":[],"has_more":false,"first_id":null,"last_id":null}'); });
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${server.address().port}/`; const headers = (name) => ({ "x-label": "Zürich", "x-client": name });
await fetch(url, { headers: headers("fetch") }); await undici(url, { headers: headers("undici") });
await new OpenAI({ baseURL: url, apiKey: "k", defaultHeaders: headers("openai (JavaScript)") }).models.list();
const { stdout } = await promisify(execFile)("venv/bin/python", ["send.py", url]);
for (const line of stdout.trim().split("\n")) { const [name, how] = line.split("|"); seen[name] ??= how; }
let changed = false;
for (const [name, how] of Object.entries(expected)) { changed ||= seen[name] !== how; console.log(`${seen[name] === how ? "as seen" : "CHANGED"}: ${name}: ${seen[name]} (${how} on 2026-11-30)`); }
process.exit(changed ? 1 : 0);
JS
node run.mjs
