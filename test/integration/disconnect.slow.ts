import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Inference } from "../../src/store/entities/inference.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { bodyOf, callSdk, FORMATS, type Format, PATH } from "../support/sdk-calls.ts";
import { MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { FRAMES, TEXT, UPSTREAM_HEADERS, UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";
import { waitFor, waitUntil } from "../support/wait.ts";

/** One of the answers is larger than what an answer may be. */
const withRoom = (yaml: string): string =>
  yaml.replaceAll('secret" }', 'secret", limits: { answerBytes: 1000000000 } }').replaceAll(/200000|64000/g, "1000000");

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture({ heartbeatMs: 40, change: withRoom });
});

afterAll(() => fixture.close());

const lastReceived = () => {
  const last = fixture.upstream.received.at(-1);
  if (last === undefined) throw new Error("the upstream received nothing");
  return last;
};

/** Tells how long after `since` the upstream's connection was closed. */
async function abortedAfterMs(since: number): Promise<number> {
  const aborted = await Promise.race([lastReceived().aborted, sleep(3000).then(() => Number.POSITIVE_INFINITY)]);
  return aborted - since;
}

/** The id of the inference that began last. */
async function latestId(): Promise<string> {
  seenId = await waitUntil(async () => {
    const [row] = await fixture.service.store.fork().find(Inference, {}, { orderBy: { id: "desc" }, limit: 1 });
    return row !== undefined && row.id > seenId && row.id;
  });
  return seenId;
}

let seenId = "";

function textOf(response: Response): ReadableStreamDefaultReader<string> {
  if (response.body === null) throw new Error("the answer has no body");
  return response.body.pipeThrough(new TextDecoderStream()).getReader();
}

function open(format: Format, body: object): Promise<Response> {
  const { url, headers } = fixture.service;
  return fetch(url + PATH[format], { method: "POST", headers, body: JSON.stringify({ ...body, stream: true }) });
}

describe.each(UPSTREAM_KINDS)("a client that leaves an answer of a %s upstream", (kind) => {
  const model = MODEL[kind];
  /** As far as the first piece of the text. */
  const begun: Record<UpstreamKind, number> = { chat: 2, responses: 5, messages: 4 };

  it.each(FORMATS)(
    "in the middle of a stream of %s: the upstream's connection is closed, and canceled is recorded",
    async (format) => {
      fixture.upstream.answer({
        headers: UPSTREAM_HEADERS,
        steps: FRAMES[kind].text.slice(0, begun[kind]),
        hang: true,
      });
      const controller = new AbortController();
      const { url, headers } = fixture.service;
      const body = JSON.stringify({ ...bodyOf(format, model), stream: true });
      const response = await fetch(url + PATH[format], { method: "POST", headers, body, signal: controller.signal });
      const reader = textOf(response);
      let text = "";
      while (!text.includes("Grüße 🌍")) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`the stream ended after ${text}`);
        text += value;
      }
      const left = performance.now();
      controller.abort();
      expect(await abortedAfterMs(left)).toBeLessThan(1000);
      const id = await latestId();
      expect(text).toContain(id);
      const { row, content } = await readWhenWritten(fixture.service.store, id);
      expect(row).toMatchObject({ status: "canceled", streamed: true, upstream: kind, errorReason: "canceled" });
      expect(content?.output.content[0]?.kind).toMatchObject({ case: "text", value: { text: "Grüße 🌍" } });
    },
  );

  it.each([
    ["comes whole", { ...wholeAnswer(WHOLES[kind].text.slice(0, 40)), hang: true }],
    ["is put together from a stream", { steps: FRAMES[kind].text.slice(0, begun[kind]), hang: true }],
  ])("while a whole answer is awaited that %s", async (_name, answer) => {
    fixture.upstream.answer(answer);
    const controller = new AbortController();
    const before = fixture.upstream.received.length;
    const call = callSdk(fixture, { format: "chat", model, signal: controller.signal });
    const outcome = call.catch((error: Error) => error);
    await waitUntil(() => fixture.upstream.received.length > before);
    await sleep(30);
    const left = performance.now();
    controller.abort();
    expect(await outcome).toMatchObject({ message: "Request was aborted." });
    expect(await abortedAfterMs(left)).toBeLessThan(1000);
    const { row } = await readWhenWritten(fixture.service.store, await latestId());
    expect(row).toMatchObject({ status: "canceled", streamed: false, upstream: kind });
  });
});

describe("the official clients", () => {
  it("close the upstream's connection when they stop reading", async () => {
    const stop: Record<Format, () => Promise<void>> = {
      async chat() {
        const messages = [{ role: "user" as const, content: "Hello" }];
        const body = { model: MODEL.chat, messages, stream: true as const };
        for await (const chunk of await fixture.openai().chat.completions.create(body)) {
          if (chunk.choices[0]?.delta.content) break;
        }
      },
      async responses() {
        const body = { model: MODEL.chat, input: "Hello", stream: true as const };
        for await (const event of await fixture.openai().responses.create(body)) {
          if (event.type === "response.output_text.delta") break;
        }
      },
      async messages() {
        const messages = [{ role: "user" as const, content: "Hello" }];
        const body = { model: MODEL.chat, max_tokens: 9, messages, stream: true as const };
        for await (const event of await fixture.anthropic().messages.create(body)) {
          if (event.type === "content_block_delta") break;
        }
      },
    };
    for (const format of FORMATS) {
      fixture.upstream.answer({ steps: FRAMES.chat.text.slice(0, 2), hang: true });
      const before = performance.now();
      await stop[format]();
      expect(await abortedAfterMs(before)).toBeLessThan(1000);
      const { row } = await readWhenWritten(fixture.service.store, await latestId());
      expect(row).toMatchObject({ status: "canceled", dialect: format });
    }
  });
});

describe("a client that does not read", () => {
  it("pauses the upstream, and gets the rest when it reads", async () => {
    const [head = "", delta = "", , ...end] = FRAMES.chat.text;
    const piece = "0123456789abcdef".repeat(1024);
    // More than what the system's own buffers take, on both sides of the service.
    const count = 4096;
    const chunk = delta.replace("Grüße 🌍", piece);
    fixture.upstream.answer({ steps: [head, ...Array.from({ length: count }, () => chunk), ...end] });
    const { answer, held } = await callWithoutReading();
    try {
      // A heartbeat may have sent the headers before the upstream was reached.
      const { sent } = await waitFor(lastReceived);
      // On a busy machine the upstream may stand still for longer before it has to.
      for (let before = -1; held() === 0 || sent.bytes !== before; await sleep(200)) before = sent.bytes;
      expect(sent.bytes).toBeLessThan(count * chunk.length);
      // One read of the upstream, and what it holds back beyond that.
      expect(held()).toBeLessThan(512 * 1024);
      expect(await countPieces(answer, piece)).toBe(count);
      expect(sent.bytes).toBeGreaterThan(count * chunk.length);
    } finally {
      answer.destroy();
    }
  });
});

/** Calls, and leaves the answer where it is; tells how many bytes of it the service holds in its own memory. */
async function callWithoutReading(): Promise<{ answer: IncomingMessage; held: () => number }> {
  const { url, headers } = fixture.service;
  const responses: ServerResponse[] = [];
  const note = (message: unknown): void => {
    const { request: incoming, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (incoming.url === PATH.chat) responses.push(response);
  };
  subscribe("http.server.request.start", note);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = request(url + PATH.chat, { method: "POST", headers }, resolve).on("error", reject);
    call.end(JSON.stringify({ ...bodyOf("chat", MODEL.chat), stream: true }));
  });
  unsubscribe("http.server.request.start", note);
  // The upstream, which has the same path here, is called later.
  const [response] = responses;
  if (response === undefined) throw new Error("the service received nothing");
  return { answer, held: () => response.writableLength };
}

async function countPieces(answer: IncomingMessage, piece: string): Promise<number> {
  let pieces = 0;
  let rest = "";
  for await (const read of answer.setEncoding("utf8")) {
    const parts = (rest + read).split(piece);
    pieces += parts.length - 1;
    rest = (parts.at(-1) ?? "").slice(-piece.length);
  }
  return pieces;
}

const HEARTBEAT: Record<Format, string> = {
  chat: ": keep-alive\n\n",
  responses: ": keep-alive\n\n",
  messages: 'event: ping\ndata: {"type":"ping"}\n\n',
};

describe.each(FORMATS)("an upstream that is silent before its first byte, for %s", (format) => {
  const silence = { waitMs: 150 };

  it("keeps the client's connection alive", async () => {
    const { promise: areHeard, resolve: goOn } = Promise.withResolvers<void>();
    fixture.upstream.answer({ steps: [{ until: areHeard }, ...FRAMES.chat.text] });
    const since = performance.now();
    const reader = textOf(await open(format, bodyOf(format, MODEL.chat)));
    let text = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += read.value;
      // However late a busy machine is: the answer comes after some.
      if (text.startsWith(HEARTBEAT[format].repeat(2))) goOn();
    }
    const beats = text.split(HEARTBEAT[format]).length - 1;
    expect(beats).toBeGreaterThanOrEqual(2);
    // One in 40 ms, and no more often.
    expect(beats).toBeLessThanOrEqual((performance.now() - since) / 40);
    expect(text).toContain("Grüße 🌍");
  });

  it("does not disturb the SDK", async () => {
    fixture.upstream.answer({ steps: [silence, ...FRAMES.chat.text] });
    const events = await callSdk(fixture, { format, model: MODEL.chat, stream: true });
    expect(JSON.stringify(events)).toContain(JSON.stringify(TEXT.slice(0, 5)).slice(1, -1));
  });

  it("makes the SDK throw if it then fails, although the status was 200", async () => {
    fixture.upstream.answer({ steps: [silence, "die"] });
    const call = callSdk(fixture, { format, model: MODEL.chat, stream: true });
    await expect(call).rejects.toMatchObject({ status: undefined, message: expect.stringContaining("upstream") });
  });
});
