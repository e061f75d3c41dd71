import { createServer, type IncomingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createGrpcExporterTransport } from "../../../../src/observability/telemetry/sdk/grpc-transport.ts";

it("writes the timeout of an export as a whole number, as gRPC over HTTP/2 demands", async () => {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer().on("stream", (stream, headers) => {
    received.push(headers);
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    // An empty message behind its head.
    stream.end(Buffer.alloc(5));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = createGrpcExporterTransport(
    { url, protocol: "grpc", headers: {}, timeoutMs: 2000, compression: "none" },
    "traces",
  );
  onTestFinished(() => transport.shutdown());
  expect(await transport.send(new Uint8Array(), 2000)).toEqual({ status: "success" });
  // https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md: at most 8 digits and a unit.
  expect(received.map((headers) => headers["grpc-timeout"])).toEqual([expect.stringMatching(/^\d{1,8}m$/)]);
});
