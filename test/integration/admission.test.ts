import http2 from "node:http2";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

const ROUTES = [
  "/v1/chat/completions",
  "/v1/responses",
  "/v1/messages",
  "/v1/messages/count_tokens",
  "/v1/responses/input_tokens",
  "/v1/feedback",
  "/attune.inference.v1.InferenceService/Generate",
  "/attune.feedback.v1.FeedbackService/CreateFeedback",
];

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

/** Sends a head that announces 30 MB, and nothing of them; resolves to the first lines that come back. */
function sendHead(path: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const { port, hostname } = new URL(service.url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 30000000\r\n${lines.join("")}\r\n`,
      );
    });
    socket.once("data", (chunk) => {
      socket.destroy();
      resolve(chunk.toString("latin1").split("\r\n", 1)[0] ?? "");
    });
    socket.on("error", reject);
  });
}

describe.each(ROUTES)("admission at %s", (path) => {
  it.each([
    ["no key", {}],
    ["a wrong key", { authorization: `Bearer att_abcdefghijkl_${"x".repeat(43)}` }],
    ["a wrong key that waits for leave to send", { authorization: "Bearer wrong", expect: "100-continue" }],
  ])("answers %s before a byte of the body has come", async (_what, headers) => {
    expect(await sendHead(path, headers)).toBe("HTTP/1.1 401 Unauthorized");
  });

  it("lets a good key send what it announced", async () => {
    const headers = { authorization: `Bearer ${service.key}`, expect: "100-continue" };
    expect(await sendHead(path, headers)).toBe("HTTP/1.1 100 Continue");
  });
});

describe("admission over HTTP/2", () => {
  it.each([
    ["application/json", "/v1/messages", { ":status": 401 }],
    ["application/proto", "/attune.inference.v1.InferenceService/Generate", { ":status": 401 }],
    ["application/grpc", "/attune.inference.v1.InferenceService/Generate", { "grpc-status": "16" }],
    ["application/grpc", "/attune.inference.v1.InferenceService/StreamGenerate", { "grpc-status": "16" }],
    ["application/grpc-web+proto", "/attune.inference.v1.InferenceService/Generate", { ":status": 200 }],
  ])("answers a half body of %s at %s, and ends its stream", async (contentType, path, expected) => {
    const session = http2.connect(service.url);
    const stream = session.request({ ":method": "POST", ":path": path, "content-type": contentType });
    stream.on("error", () => {});
    stream.write("half");
    let said: Record<string, unknown> = {};
    stream.on("response", (headers) => {
      said = { ...said, ...headers };
    });
    stream.on("trailers", (trailers) => {
      said = { ...said, ...trailers };
    });
    stream.resume();
    await new Promise((resolve) => stream.once("close", resolve));
    session.destroy();
    expect(said).toMatchObject(expected);
  });
});

describe("a path that does not exist", () => {
  it("is told so before a byte of the body has come", async () => {
    expect(await sendHead("/v1/nothing", {})).toBe("HTTP/1.1 404 Not Found");
    expect(await sendHead("/nothing", {})).toBe("HTTP/1.1 404 Not Found");
  });
});
