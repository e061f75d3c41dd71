#!/usr/bin/env bash
# connect-node's gRPC client writes a timeout with a fraction as it came, and each server takes it otherwise.
# Versions: npm @connectrpc/connect-node 2.2.0, @bufbuild/protobuf 2.17.0, @grpc/grpc-js 1.14.7; Go google.golang.org/grpc 1.83.0.
# gRPC over HTTP/2: a timeout is a whole number of at most 8 digits and a unit. What is left until a deadline (`deadline - performance.now()`) has a fraction.
# Guess: connect-node rounds it, as grpc-js's client does.
# Seen on 2026-12-01: timeoutMs 20000.5 goes out as 20000.5m. connect-node's own server answers invalid_argument, grpc-go HTTP 400, which the client shows as internal; grpc-js's server reads the 5m behind the point, and ends the call.
# Prints what came of each; exits 1 if it has changed. Needs Node 20 with npm, and Go 1.25.
set -euo pipefail
folder=$(mktemp -d); trap 'kill $(jobs -p) 2>kill.log || true; chmod -R u+w "$folder"; rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >npm.log && npm install --silent --no-audit --no-fund @connectrpc/connect@2.2.0 @connectrpc/connect-node@2.2.0 @bufbuild/protobuf@2.17.0 @grpc/grpc-js@1.14.7 >>npm.log
mkdir health && cat > health/main.go <<'GO'
package main

import (
	"fmt"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	server := grpc.NewServer()
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	panic(server.Serve(listener))
}
GO
(cd health && printf 'module health\ngo 1.25.0\nrequire google.golang.org/grpc v1.83.0\n' > go.mod && go mod tidy 2>go.log && go build -o health .)
health/health > go.port & until [ -s go.port ]; do sleep 0.2; done
cat > call.mjs <<'JS'
import { readFileSync } from "node:fs"; import http2 from "node:http2";
import { create, createFileRegistry, fromBinary, toBinary } from "@bufbuild/protobuf"; import { EmptySchema, FileDescriptorProtoSchema, file_google_protobuf_empty as empty } from "@bufbuild/protobuf/wkt";
import { Code, createClient } from "@connectrpc/connect"; import { connectNodeAdapter, createGrpcTransport } from "@connectrpc/connect-node";
import { Server, ServerCredentials } from "@grpc/grpc-js";
const file = create(FileDescriptorProtoSchema, { name: "h.proto", package: "grpc.health.v1", syntax: "proto3", dependency: ["google/protobuf/empty.proto"], service: [{ name: "Health", method: [{ name: "Check", inputType: ".google.protobuf.Empty", outputType: ".google.protobuf.Empty" }] }] });
const service = createFileRegistry(file, () => empty.proto ?? empty).getService("grpc.health.v1.Health");
let header;
const adapter = connectNodeAdapter({ routes: (router) => router.service(service, { check: () => ({}) }) });
const own = http2.createServer((request, response) => { header = request.headers["grpc-timeout"]; adapter(request, response); });
await new Promise((ready) => own.listen(0, "127.0.0.1", ready));
const grpcJs = new Server(), bytes = (message) => Buffer.from(toBinary(EmptySchema, message));
const answer = (_call, done) => setTimeout(() => done(null, create(EmptySchema)), 500);
grpcJs.addService({ check: { path: "/grpc.health.v1.Health/Check", requestStream: false, responseStream: false, requestDeserialize: (data) => fromBinary(EmptySchema, data), requestSerialize: bytes, responseDeserialize: (data) => data, responseSerialize: bytes } }, { check: answer });
const grpcJsPort = await new Promise((ready) => grpcJs.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (_error, port) => ready(port)));
const ports = { "connect-node": own.address().port, "grpc-go": Number(readFileSync("go.port", "utf8")), "grpc-js": grpcJsPort };
const expected = { "connect-node": "invalid_argument", "grpc-go": "internal", "grpc-js": "deadline_exceeded" };
let changed = false;
const check = (what, seen, wanted) => { changed ||= seen !== wanted; console.log(`${seen === wanted ? "as seen" : "CHANGED"}: ${what}: ${seen} (${wanted} on 2026-12-01)`); };
const ask = (port, timeoutMs) => createClient(service, createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` })).check({}, { timeoutMs }).then(() => "answered", ({ code, message }) => (code === undefined ? message : Code[code].replace(/\B[A-Z]/g, "_$&").toLowerCase()));
for (const [name, port] of Object.entries(ports)) {
  check(`${name}, 20000 ms`, await ask(port, 20_000), "answered");
  check(`${name}, 20000.5 ms`, await ask(port, 20_000.5), expected[name]);
}
check("the header", header, "20000.5m");
process.exit(changed ? 1 : 0);
JS
node call.mjs
