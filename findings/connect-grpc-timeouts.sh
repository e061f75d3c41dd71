#!/usr/bin/env bash
# connect-node's gRPC client writes a timeout of 28 hours with nine digits, which gRPC does not allow: servers refuse the call, its own server as well.
# Versions: npm @connectrpc/connect-node 2.2.0, @bufbuild/protobuf 2.17.0; PyPI connectrpc 0.13.0 as the other client of the same project.
# gRPC over HTTP/2: a timeout is a whole number of at most 8 digits and a unit, so 100,000,000 ms has to be written in seconds.
# Guess: both clients of Connect change the unit.
# Seen on 2026-11-30: at 27 hours both write milliseconds. At 28 hours connect-node writes 100800000m, which its server answers with invalid_argument; connectrpc for Python writes 100800S.
# Prints the headers and what connect-node's server says to them; exits 1 if it has changed. Needs Node 20 with npm, and python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund @connectrpc/connect@2.2.0 @connectrpc/connect-node@2.2.0 @bufbuild/protobuf@2.17.0 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check connectrpc==0.13.0 protobuf-py==0.7.0
cat > call.py <<'PY'
import sys
from connectrpc.client import ConnectClientSync
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from protobuf.wkt import StringValue
from pyqwest import HTTPVersion, SyncClient, SyncHTTPTransport
http = SyncClient(SyncHTTPTransport(http_version=HTTPVersion.HTTP2))
client = ConnectClientSync(sys.argv[1], protocol=ProtocolType.GRPC, http_client=http)
method = MethodInfo(name="Echo", service_name="t.E", input=StringValue, output=StringValue, idempotency_level=IdempotencyLevel.UNKNOWN, stream_type=StreamType.UNARY)
client.execute_unary(request=StringValue(value="x"), method=method, timeout_ms=int(sys.argv[2]))
PY
cat > call.mjs <<'JS'
import { execFile } from "node:child_process"; import http2 from "node:http2"; import { promisify } from "node:util";
import { create, createFileRegistry } from "@bufbuild/protobuf"; import { FileDescriptorProtoSchema, file_google_protobuf_wrappers as wrappers } from "@bufbuild/protobuf/wkt";
import { Code, createClient } from "@connectrpc/connect"; import { connectNodeAdapter, createGrpcTransport } from "@connectrpc/connect-node";
const method = { name: "Echo", inputType: ".google.protobuf.StringValue", outputType: ".google.protobuf.StringValue" };
const file = create(FileDescriptorProtoSchema, { name: "e.proto", package: "t", syntax: "proto3", dependency: ["google/protobuf/wrappers.proto"], service: [{ name: "E", method: [method] }] });
const service = createFileRegistry(file, () => wrappers.proto).getService("t.E");
const adapter = connectNodeAdapter({ routes: (router) => router.service(service, { echo: (request) => request }) });
let header;
const server = http2.createServer((request, response) => { header = request.headers["grpc-timeout"]; adapter(request, response); });
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const baseUrl = `http://127.0.0.1:${server.address().port}`;
const clients = {
  "connect-node": (timeoutMs) => createClient(service, createGrpcTransport({ baseUrl })).echo({ value: "x" }, { timeoutMs }),
  "connectrpc for Python": (timeoutMs) => promisify(execFile)("venv/bin/python", ["call.py", baseUrl, String(timeoutMs)]),
};
const expected = { "connect-node": ["97200000m answered", "100800000m invalid_argument"], "connectrpc for Python": ["97200000m answered", "100800S answered"] };
let changed = false;
for (const [name, call] of Object.entries(clients)) for (const [at, hours] of [27, 28].entries()) {
  const came = await call(hours * 3_600_000).then(() => "answered", (error) => (error.code === Code.InvalidArgument ? "invalid_argument" : String(error)));
  const seen = `${header} ${came}`, wanted = expected[name][at];
  changed ||= seen !== wanted;
  console.log(`${seen === wanted ? "as seen" : "CHANGED"}: ${name}, ${hours} hours: ${seen} (${wanted} on 2026-11-30)`);
}
process.exit(changed ? 1 : 0);
JS
node call.mjs
