#!/usr/bin/env bash
# Fastify takes a web Response as an answer to GET, but its own HEAD route for that GET fails with 500.
# Version: npm fastify 5.12.8. Guess: `exposeHeadRoutes` (the default) answers HEAD with GET's headers, whatever GET sends.
# Seen on 2026-11-29: GET 200; HEAD 500, ERR_INVALID_ARG_TYPE from Buffer.byteLength, which is given the Response (tRPC's adapter sends one).
# Prints both statuses; exits 1 if they have changed. Needs Node 20 or newer and npm.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund fastify@5.12.8 >/dev/null
cat > run.mjs <<'JS'
import fastify from "fastify";
const app = fastify(); let code;
app.setErrorHandler((error, request, reply) => { code = error.code; reply.code(500).send(); });
app.get("/", async (request, reply) => reply.send(new Response("{}", { headers: { "content-type": "application/json" } })));
const url = await app.listen({ port: 0, host: "127.0.0.1" });
const get = await fetch(url); const head = await fetch(url, { method: "HEAD" }); await app.close();
const seen = `GET ${get.status}, HEAD ${head.status} ${code}`; const expected = "GET 200, HEAD 500 ERR_INVALID_ARG_TYPE";
console.log(`${seen === expected ? "as seen" : "CHANGED"}: ${seen} (${expected} on 2026-11-29)`); process.exit(seen === expected ? 0 : 1);
JS
node run.mjs
