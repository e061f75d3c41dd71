import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type ClientRequest, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/formats/shared/json.ts";
import { FORMATS, type Format, PATH } from "../support/sdk-calls.ts";
import { startTestService, yamlFor } from "../support/service.ts";

const CALLS = 12;
// What waits for half a second is compressed, which makes little of such a text: what is held differs less by how fast
// the machine is.
const PROMPT = randomBytes(786_432).toString("base64");
/** The least part of a text that stays of it. */
const LEAST = 0.6;
/**
 * The prompt itself, which its record needs, what a call takes beside it (1.25 MiB in all), and what other tests in this
 * process do meanwhile. A second copy of the prompt takes one MiB more.
 */
const MOST_BYTES = 1.45 * 2 ** 20;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Readings without less than before, after which garbage is taken to be collected and what waits to be compressed. */
const STEADY = 10;
const EVERY_MS = 100;

/** Bytes that are in use, of strings and objects as of buffers, once garbage is gone. */
async function usedBytes(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let steady = 0; steady < STEADY; steady++) {
    collectGarbage();
    await sleep(EVERY_MS);
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external < least - 2 ** 16) steady = 0;
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

/**
 * Answers with the head of a stream and the first of its events where a stream is asked for, else with nothing, and
 * keeps nothing of what it was asked.
 */
async function startSilentUpstream() {
  const server = createServer((received, response) => {
    let isStreamed = false;
    received.on("data", (chunk: Buffer) => {
      isStreamed ||= chunk.includes('"stream":true');
    });
    received.once("end", () => {
      server.emit("asked");
      if (!isStreamed) return;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "a" } }] })}\n\n`);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Bytes that each call takes while its answer is awaited; a first one of each format makes what all of them share. */
async function bytesPerCall(formats: readonly Format[], bodyOf: (format: Format) => JsonObject): Promise<number> {
  const upstream = await startSilentUpstream();
  const { port } = upstream.address() as AddressInfo;
  const service = await startTestService({
    yaml: yamlFor(`http://127.0.0.1:${port}`).replaceAll("family: chat", "family: messages"),
  });
  const open: ClientRequest[] = [];
  const begin = async (format: Format): Promise<void> => {
    const asked = bodyOf(format);
    const body = Buffer.from(JSON.stringify({ model: "attune/chatty", ...asked }));
    const sent = request(service.url + PATH[format], { method: "POST", headers: service.headers, agent: false });
    open.push(sent.on("error", () => {}));
    const isAsked = once(upstream, "asked");
    const isAnswered = once(sent, "response") as Promise<[IncomingMessage]>;
    isAnswered.catch(() => {});
    sent.end(body);
    await Promise.race([isAsked, isAnswered]);
    if (asked["stream"] !== true) return;
    const [response] = await isAnswered;
    await once(
      response.on("error", () => {}),
      "data",
    );
  };
  try {
    for (const format of formats) await begin(format);
    const before = await usedBytes();
    for (let call = 0; call < CALLS; call++) await begin(formats[call % formats.length] ?? "chat");
    return ((await usedBytes()) - before) / CALLS;
  } finally {
    for (const sent of open) sent.destroy();
    upstream.closeAllConnections();
    upstream.close();
    await service.close();
  }
}

/**
 * An open stream held the body, its JSON, the request to the upstream as text and as bytes: 3.5 MB for a prompt of one.
 */
// What tests before it left may be collected in the middle of the measurement.
it("holds a prompt once while its answer is awaited", { retry: 2 }, async () => {
  const perStream = await bytesPerCall(FORMATS, (format) => {
    const prompt = [{ role: "user", content: PROMPT }];
    return { stream: true, ...(format === "responses" ? { input: prompt } : { messages: prompt, max_tokens: 64 }) };
  });
  expect(perStream).toBeGreaterThan(PROMPT.length * LEAST);
  expect(perStream).toBeLessThan(MOST_BYTES);
});

/**
 * The objects of a body take several times its bytes; the hub holds the schemas of tools as text. An answer of the
 * Responses format repeats its tools.
 */
it("holds no objects of a body while a whole answer is awaited", { retry: 2 }, async () => {
  // Each object has no more members than a request may name.
  const names = Array.from({ length: 200 }, (_, at) => `property_${at}`);
  const object = () => Object.fromEntries(names.map((name) => [name, [randomBytes(9).toString("base64")]]));
  const properties = Object.fromEntries(names.map((name) => [name, object()]));
  const parameters = { type: "object", properties };
  const perCall = await bytesPerCall(["chat", "messages"], (format) => ({
    messages: [{ role: "user", content: "x" }],
    max_tokens: 64,
    tools: [
      format === "chat"
        ? { type: "function", function: { name: "f", parameters } }
        : { name: "f", input_schema: parameters },
    ],
  }));
  const bytes = JSON.stringify(parameters).length;
  // The names are the same in each object.
  expect(perCall).toBeGreaterThan(bytes * 0.3);
  expect(perCall).toBeLessThan(bytes * 1.3);
});
