import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Health } from "../../gen/grpc/health/v1/health_pb.ts";
import { sendRaw } from "../support/send-raw.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  // Where it is switched off, nobody knows it.
  service = await startTestService({ yaml: "server: { grpcHealth: false }" });
});

afterAll(() => service.close());

const transports: readonly (readonly [string, (options?: object) => Transport])[] = [
  ["Connect over HTTP/1.1", (more) => createConnectTransport({ baseUrl: service.url, httpVersion: "1.1", ...more })],
  ["Connect over HTTP/2", (more) => createConnectTransport({ baseUrl: service.url, httpVersion: "2", ...more })],
  ["Connect with JSON", (more) => json({ httpVersion: "1.1", ...more })],
  ["gRPC", (more) => createGrpcTransport({ baseUrl: service.url, ...more })],
  ["gRPC-Web", (more) => createGrpcWebTransport({ baseUrl: service.url, httpVersion: "1.1", ...more })],
];

function json(options: object): Transport {
  return createConnectTransport({ baseUrl: service.url, httpVersion: "1.1", useBinaryFormat: false, ...options });
}

const UNKNOWN = /^there is no method '\/grpc\.health\.v1\.Health\/(?:Check|Watch)' here/;

describe.each(transports)("a method that nobody knows, over %s", (name, createTransport) => {
  // A method of one message over Connect has the content type of any JSON API.
  it.skipIf(name === "Connect with JSON")("is not implemented", async () => {
    const failure = createClient(Health, createTransport())
      .check({})
      .catch((thrown: unknown) => ConnectError.from(thrown));
    expect(await failure).toMatchObject({ code: Code.Unimplemented, rawMessage: expect.stringMatching(UNKNOWN) });
  });

  it("is not implemented as a stream", async () => {
    const read = async (): Promise<void> => {
      for await (const _status of createClient(Health, createTransport()).watch({}));
    };
    const failure = await read().catch((thrown: unknown) => ConnectError.from(thrown));
    expect(failure).toMatchObject({ code: Code.Unimplemented, rawMessage: expect.stringMatching(UNKNOWN) });
  });
});

describe("a method that Attune's services do not have", () => {
  const path = "/attune.inference.v1.InferenceService/Nope";
  const post = (contentType: string, body = "{}") =>
    sendRaw(service.url, { method: "POST", path, headers: { "content-type": contentType }, body });

  it.each(["application/json", "application/proto", "text/plain"])("is not implemented, with %s", async (type) => {
    const { status, headers, text } = await post(type);
    expect([status, headers["content-type"]]).toEqual([501, "application/json"]);
    expect(JSON.parse(text)).toEqual({
      code: "unimplemented",
      message: `there is no method '${path}' here: its proto may be newer than this service`,
    });
  });

  it("ends a call of gRPC in trailers of status 200", async () => {
    const { status, headers } = await post("application/grpc+proto");
    expect([status, headers["content-type"], headers["grpc-status"]]).toEqual([200, "application/grpc+proto", "12"]);
  });

  it("repeats no long path", async () => {
    const { headers } = await sendRaw(service.url, {
      method: "POST",
      path: `/attune.x/${"é%0a".repeat(1000)}`.replaceAll("é", "%C3%A9"),
      headers: { "content-type": "application/grpc" },
    });
    expect(headers["grpc-status"]).toBe("12");
    expect(String(headers["grpc-message"]).length).toBeLessThan(500);
  });

  it("leaves paths of the JSON API as they are", async () => {
    const answer = await fetch(`${service.url}/v1/nope`, { method: "POST", headers: service.headers, body: "{}" });
    expect([answer.status, (await answer.json()) as object]).toEqual([404, { error: expect.any(Object) }]);
  });
});
