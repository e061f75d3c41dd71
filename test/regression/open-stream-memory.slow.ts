import { once } from "node:events";
import { type ClientRequest, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { FORMATS, PATH } from "../support/sdk-calls.ts";
import { startTestService, yamlFor } from "../support/service.ts";

const STREAMS = 12;
const PROMPT = "lorem ipsum dolor ".repeat(58_255);
/** The prompt itself, which its record needs, and what a stream takes beside it. */
const MOST_BYTES = 1.3 * 2 ** 20;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes that are in use, of strings and objects as of buffers, once garbage is gone. */
async function usedBytes(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5; run++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

/** Answers with the head of a stream and the first of its events, and keeps nothing of what it was asked. */
async function startSilentUpstream() {
  const server = createServer((received, response) => {
    received.resume().once("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "a" } }] })}\n\n`);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** An open stream held the body, its JSON, the request to the upstream as text and as bytes: 3.5 MB for a prompt of one. */
// What tests before it left may be collected in the middle of the measurement.
it("holds a prompt once while its answer is awaited", { retry: 2 }, async () => {
  const upstream = await startSilentUpstream();
  const { port } = upstream.address() as AddressInfo;
  const service = await startTestService({
    yaml: yamlFor(`http://127.0.0.1:${port}`).replaceAll("family: chat", "family: messages"),
  });
  const open: ClientRequest[] = [];
  const begin = async (format: (typeof FORMATS)[number]): Promise<void> => {
    const prompt = [{ role: "user", content: PROMPT }];
    const asked = format === "responses" ? { input: prompt } : { messages: prompt, max_tokens: 64 };
    const body = Buffer.from(JSON.stringify({ model: "attune/chatty", stream: true, ...asked }));
    const sent = request(service.url + PATH[format], { method: "POST", headers: service.headers, agent: false });
    open.push(sent.on("error", () => {}));
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    await once(
      response.on("error", () => {}),
      "data",
    );
  };
  try {
    // The first ones make what all of them share.
    for (const format of FORMATS) await begin(format);
    const before = await usedBytes();
    for (let stream = 0; stream < STREAMS; stream++) await begin(FORMATS[stream % FORMATS.length] ?? "chat");
    const perStream = ((await usedBytes()) - before) / STREAMS;
    expect(perStream).toBeGreaterThan(PROMPT.length * 0.9);
    expect(perStream).toBeLessThan(MOST_BYTES);
  } finally {
    for (const sent of open) sent.destroy();
    upstream.closeAllConnections();
    upstream.close();
    await service.close();
  }
});
