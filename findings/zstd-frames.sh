#!/usr/bin/env bash
# Node reads the first frame of a zstd body and drops the others without an error; Python's clients and curl read all.
# Versions: Node 24.21.0 (its own fetch), npm undici 7.30.2, axios 1.21.1, got 14.6.6; PyPI httpx 0.28.1, urllib3 2.8.0 and aiohttp 3.14.5 with zstandard 0.25.0 or backports.zstd 1.8.0.
# RFC 8878 (3): compressed data is one or more frames, and decompresses to their contents one after another.
# Guess: as with gzip, whose members Node reads all, every client gives "hello world".
# Seen on 2026-11-29: zlib.zstdDecompressSync, fetch, undici, axios and got give "hello "; httpx, urllib3 and aiohttp give all.
# Prints what each client reads; exits 1 if one has changed. Needs Node 20 with npm, and python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund node@24.21.0 undici@7.30.2 axios@1.21.1 got@14.6.6 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check httpx==0.28.1 urllib3==2.8.0 aiohttp==3.14.5 zstandard==0.25.0 backports.zstd==1.8.0
cat > read.py <<'PY'
import asyncio, sys, aiohttp, httpx, urllib3
async def get(url):
    async with aiohttp.ClientSession() as session, session.get(url) as answer: return await answer.text()
url = sys.argv[1]
print("httpx", httpx.get(url).text, sep="|")
print("urllib3", urllib3.request("GET", url).data.decode(), sep="|")
print("aiohttp", asyncio.run(get(url)), sep="|")
PY
cat > run.mjs <<'JS'
import { execFile } from "node:child_process"; import http from "node:http"; import { promisify } from "node:util"; import zlib from "node:zlib";
import axios from "axios"; import got from "got"; import { fetch as undici } from "undici";
const twice = (compress) => Buffer.concat([compress("hello "), compress("world")]);
const body = twice(zlib.zstdCompressSync);
const server = http.createServer((_q, r) => r.writeHead(200, { "content-encoding": "zstd", "content-type": "text/plain" }).end(body));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${server.address().port}/`;
const { stdout } = await promisify(execFile)("venv/bin/python", ["read.py", url]);
const seen = {
  gunzipSync: [zlib.gunzipSync(twice(zlib.gzipSync)).toString(), "hello world"],
  zstdDecompressSync: [zlib.zstdDecompressSync(body).toString(), "hello "],
  fetch: [await (await fetch(url)).text(), "hello "],
  undici: [await (await undici(url)).text(), "hello "],
  axios: [(await axios.get(url)).data, "hello "],
  got: [(await got(url)).body, "hello "],
};
for (const line of stdout.trimEnd().split("\n")) { const [name, text] = line.split("|"); seen[name] = [text, "hello world"]; }
let changed = false;
for (const [name, [text, expected]] of Object.entries(seen)) { changed ||= text !== expected; console.log(`${text === expected ? "as seen" : "CHANGED"}: ${name}: ${JSON.stringify(text)} (${JSON.stringify(expected)} on 2026-11-29)`); }
server.close(); server.closeAllConnections();
process.exit(changed || Object.keys(seen).length !== 9 ? 1 : 0);
JS
node_modules/.bin/node run.mjs
