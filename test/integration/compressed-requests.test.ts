import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

const LIMIT = 100_000;
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ yaml: `server: { limits: { bodyBytes: ${LIMIT} } }\n` });
});

afterAll(() => service.close());

async function send(path: string, encoding: string, body: Uint8Array) {
  const headers = { ...service.headers, "content-type": "application/json", "content-encoding": encoding };
  const response = await fetch(service.url + path, { method: "POST", headers, body: Buffer.from(body) });
  return { status: response.status, taken: response.headers.get("accept-encoding"), body: await response.json() };
}

const chat = (content: string) =>
  JSON.stringify({ model: "attune/gpt-6-astra", messages: [{ role: "user", content }] });
const BODIES = {
  "/v1/chat/completions": chat("Hello"),
  "/v1/responses": JSON.stringify({ model: "attune/gpt-6-astra", input: "Hello" }),
  "/v1/responses/input_tokens": JSON.stringify({ model: "attune/gpt-6-astra", input: "Hello" }),
  "/v1/messages": JSON.stringify({
    model: "attune/claude-sonnet-5-5",
    max_tokens: 9,
    messages: [{ role: "user", content: "Hello" }],
  }),
  "/v1/feedback": "[]",
};

describe("a compressed request", () => {
  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["GZIP", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["zstd", zstdCompressSync],
    ["identity", (body: string) => Buffer.from(body)],
    ["gzip, zstd", (body: string) => zstdCompressSync(gzipSync(body))],
  ])("is read on every route: %s", async (encoding, compress) => {
    for (const [path, body] of Object.entries(BODIES)) {
      expect([path, (await send(path, encoding, compress(body))).status]).toEqual([path, 200]);
    }
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["zstd", zstdCompressSync],
  ])("has the limits of plain ones once it is unpacked: %s", async (encoding, compress) => {
    const bomb = compress(chat("a".repeat(50_000_000)));
    expect(bomb.length).toBeLessThan(LIMIT);
    const { status, body } = await send("/v1/chat/completions", encoding, bomb);
    expect([status, body]).toMatchObject([413, { error: { code: "request_too_large" } }]);
    const deep = compress(`${"[".repeat(10_000)}${"]".repeat(10_000)}`);
    expect((await send("/v1/chat/completions", encoding, deep)).body).toMatchObject({
      error: { message: expect.stringContaining("256 levels") },
    });
  });

  it("is refused with what is taken where its encoding is not known", async () => {
    const { status, taken, body } = await send("/v1/messages", "compress", Buffer.from("x"));
    expect([status, taken]).toEqual([415, "gzip, br, deflate, zstd"]);
    expect(body).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
  });

  it("is refused in the format of its route, whichever its other headers speak of", async () => {
    const headers = { ...service.headers, "content-encoding": "compress", "anthropic-version": "2023-06-01" };
    const response = await fetch(`${service.url}/v1/responses`, { method: "POST", headers, body: "x" });
    expect([response.status, await response.json()]).toMatchObject([415, { error: { param: null } }]);
  });
});
