import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { readWhenWritten } from "../../support/read-when-written.ts";
import { bodyOf, FORMATS, type Format, PATH } from "../../support/sdk-calls.ts";
import { MODEL } from "../../support/sdk-fixture.ts";
import { FRAMES, REFUSAL, UPSTREAM_HEADERS, UPSTREAM_KINDS, type UpstreamKind } from "../../support/upstream-frames.ts";
import { ask } from "./ask.ts";
import { SANDBOX, useHardCases } from "./hard-case.ts";

const cases = useHardCases({ heartbeatMs: 200 });
const routes = FORMATS.flatMap((format) => UPSTREAM_KINDS.map((kind) => ({ format, kind })));

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/;
const idOf = (text: string): string => ID.exec(text)?.[0] ?? "";
/** Frames as far as the first piece of the text. */
const BEGUN: Record<UpstreamKind, number> = { chat: 2, responses: 5, messages: 4 };
const datas = (text: string): string[] =>
  text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));

/** Opens a stream without reading it. */
function open(format: Format, model: string, signal?: AbortSignal): Promise<Response> {
  const { url, headers } = cases().service;
  const body = JSON.stringify({ ...bodyOf(format, model), stream: true });
  return fetch(url + PATH[format], { method: "POST", headers, body, ...(signal === undefined ? {} : { signal }) });
}

describe.each(routes)("an upstream of $kind that fails in the middle, asked in $format", ({ format, kind }) => {
  const scripts = [
    ["dies", [...FRAMES[kind].text.slice(0, BEGUN[kind]), { waitMs: 40 }, "die" as const]],
    ["ends without its end", FRAMES[kind].text.slice(0, BEGUN[kind])],
  ] as const;

  it.each(scripts)(
    "case 5: that %s ends the stream in the format's own error, and the record says so",
    async (_what, steps) => {
      cases().upstream.answer({ headers: UPSTREAM_HEADERS, steps });
      const { text } = await cases().post(format, { model: MODEL[kind], stream: true });
      checkFailed[format](text);
      const { row } = await readWhenWritten(cases().service.store, idOf(text));
      expect(row).toMatchObject({ status: "failed", streamed: true });
      // Messages upstreams tell of the prompt at the start; of the answer came "Gr|ü|ße| |🌍", 5 tokens.
      if (kind === "messages") {
        const costNanos = 20 * 3_000 + 90 * 300 + 10 * 3_750 + 5 * 15_000;
        expect(row).toMatchObject({ inputTokens: 20, usageEstimated: true, costNanos });
      }
    },
  );

  it("case 5: makes the official client throw", async () => {
    cases().upstream.answer({ headers: UPSTREAM_HEADERS, steps: scripts[0][1] });
    await expect(ask(cases(), format, { model: MODEL[kind], stream: true })).rejects.toThrow();
  });
});

const checkFailed: Record<Format, (text: string) => void> = {
  chat(text) {
    const all = datas(text);
    expect(JSON.parse(all.at(-1) ?? "")).toMatchObject({
      error: { message: expect.any(String), type: "server_error" },
    });
    expect(text).not.toContain("[DONE]");
  },
  responses(text) {
    const events = datas(text)
      .filter((data) => data !== "[DONE]")
      .map((data) => JSON.parse(data) as { type: string; sequence_number: number });
    expect(events.slice(-2).map(({ type }) => type)).toEqual(["error", "response.failed"]);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
    expect(events.at(-1)).toMatchObject({ response: { status: "failed", error: { message: expect.any(String) } } });
  },
  messages(text) {
    expect(text).toMatch(/event: error\ndata: \{"type":"error","error":\{"type":"api_error",.*\n\n$/);
    expect(text).not.toContain("message_stop");
  },
};

describe.each([...UPSTREAM_KINDS.map((kind) => MODEL[kind]), SANDBOX])("the usage of a Chat stream of %s", (model) => {
  const script = () => {
    const kind = UPSTREAM_KINDS.find((name) => MODEL[name] === model);
    if (kind !== undefined) cases().script(kind, "text");
  };

  it.each([undefined, {}, { include_usage: false }])(
    "case 7: include_usage absent or false: no chunk without choices, %j",
    async (options) => {
      script();
      const { text } = await cases().post("chat", { model, stream: true, stream_options: options });
      expect(text).not.toContain("usage");
      expect(text).not.toContain('"choices":[]');
      expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    },
  );

  it("case 7: include_usage: one chunk with it before the end, null in all others", async () => {
    script();
    const { text } = await cases().post("chat", { model, stream: true, stream_options: { include_usage: true } });
    const all = datas(text);
    expect(all.at(-1)).toBe("[DONE]");
    const chunks = all.slice(0, -1).map((data) => JSON.parse(data) as { choices: object[]; usage: object | null });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number) } });
    for (const chunk of chunks.slice(0, -1)) {
      expect(chunk.choices).toHaveLength(1);
      expect(chunk.usage).toBeNull();
    }
  });
});

describe("a client that leaves", () => {
  it.each(FORMATS)("case 17: has the upstream aborted at once, and what came recorded, in %s", async (format) => {
    cases().upstream.answer({ steps: FRAMES.messages.text.slice(0, BEGUN.messages), hang: true });
    const controller = new AbortController();
    const response = await open(format, MODEL.messages, controller.signal);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("Grüße")) text += (await reader?.read())?.value ?? "";
    const left = performance.now();
    controller.abort();
    const aborted = (await cases().upstream.received.at(-1)?.aborted) ?? Number.POSITIVE_INFINITY;
    expect(aborted - left).toBeLessThan(10_000);
    const { row } = await readWhenWritten(cases().service.store, idOf(text));
    // What was told by then is charged: 20 at 3,000 nano-USD, 90 read at 300, 10 written at 3,750. Of the answer the
    // upstream had told 1 token at its start; what came of it is estimated as 5, at 15,000.
    const costNanos = 20 * 3_000 + 90 * 300 + 10 * 3_750 + 5 * 15_000;
    expect(row).toMatchObject({ status: "canceled", inputTokens: 20, cacheReadTokens: 90, costNanos });
  });
});

describe("an upstream that is slow to begin", () => {
  const ALIVE: Record<Format, string> = {
    chat: ": keep-alive\n\n",
    responses: ": keep-alive\n\n",
    messages: 'event: ping\ndata: {"type":"ping"}\n\n',
  };

  it.each(FORMATS)("case 18: has the headers and signs of life sent before the first token, in %s", async (format) => {
    cases().upstream.answer({ headers: UPSTREAM_HEADERS, steps: [], hang: true });
    const { url, headers } = cases().service;
    const response = await fetch(url + PATH[format], {
      method: "POST",
      headers: { ...headers, "accept-encoding": "gzip, br" },
      body: JSON.stringify({ ...bodyOf(format, MODEL.chat), stream: true }),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader?.read();
    expect(first?.value).toBe(ALIVE[format]);
    expect(response.headers.get("content-encoding")).toBeNull();
    await reader?.cancel();
  });
});

describe.each(routes)("the framing of a stream of $kind in $format", ({ format, kind }) => {
  it("case 38: is LF only, without a BOM, and each event is named as its type", async () => {
    cases().script(kind, "thinking");
    const { text, headers } = await cases().post(format, { model: MODEL[kind], stream: true });
    expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(text).not.toContain("\r");
    expect(text.startsWith("\ufeff")).toBe(false);
    const frames = text.split("\n\n");
    expect(frames.pop()).toBe("");
    for (const frame of frames.filter((one) => one !== "data: [DONE]" && !one.startsWith(":"))) {
      const [, name, data] = /^(?:event: (.*)\n)?data: (.*)$/.exec(frame) ?? [];
      const { type } = JSON.parse(data ?? "null") as { type?: string };
      expect(name).toBe(format === "chat" ? undefined : type);
    }
  });

  it("case 38: puts whole events into each write", async () => {
    const frames = FRAMES[kind].text.map((frame) => Buffer.from(frame));
    // The upstream's own frames come in halves.
    const steps = frames.flatMap((frame) => {
      const half = frame.length >> 1;
      return [frame.subarray(0, half), { waitMs: 2 }, frame.subarray(half), { waitMs: 2 }];
    });
    cases().upstream.answer({ headers: UPSTREAM_HEADERS, steps });
    const chunks = await rawChunks(format, MODEL[kind]);
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk.endsWith("\n\n")).toBe(true);
  });
});

/** The chunks of a chunked body: the service's own writes. The connection stays open behind it. */
function rawChunks(format: Format, model: string): Promise<string[]> {
  const { url, headers } = cases().service;
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ ...bodyOf(format, model), stream: true });
  const head = Object.entries({ host: hostname, ...headers, "content-length": String(Buffer.byteLength(body)) });
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let bytes = Buffer.alloc(0);
    socket.on("error", reject).on("data", (data) => {
      bytes = Buffer.concat([bytes, data]);
      if (!bytes.toString("latin1").endsWith("\r\n0\r\n\r\n")) return;
      const open = !socket.readableEnded;
      socket.destroy();
      if (open) resolve(chunksOf(bytes.subarray(bytes.indexOf("\r\n\r\n") + 4)));
      else reject(new Error("the connection was closed"));
    });
    socket.write(
      `POST ${PATH[format]} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
    );
  });
}

function chunksOf(body: Buffer): string[] {
  const chunks: string[] = [];
  let at = 0;
  for (;;) {
    const end = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.toString("latin1", at, end), 16);
    if (size === 0) return chunks;
    chunks.push(body.toString("utf8", end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

describe.each(routes)("a refusal of $kind in $format", ({ format, kind }) => {
  const REASON: Record<Format, string> = { chat: "stop", responses: "completed", messages: "refusal" };

  it.each([false, true])("case 41: is told as one, in a stream: %s", async (stream) => {
    cases().script(kind, "refusal");
    const { reason, text, refusal } = await ask(cases(), format, { model: MODEL[kind], stream });
    if (format === "messages") {
      // There is no place for the words of a refusal but a text.
      expect({ reason, text }).toEqual({ reason: "refusal", text: REFUSAL });
    } else if (kind === "messages") {
      // The text was cut off; the explanation that comes with the end is the refusal.
      const cut = format === "chat" ? "stop" : "content_filter";
      expect({ reason, text, refusal }).toEqual({ reason: cut, text: REFUSAL, refusal: "policy" });
    } else expect({ reason, text, refusal }).toEqual({ reason: REASON[format], text: "", refusal: REFUSAL });
  });
});

describe("a content filter and stop details", () => {
  const CUT: Record<Format, string> = { chat: "content_filter", responses: "content_filter", messages: "refusal" };

  it.each(FORMATS)("case 41: a filter's cut is said in %s, in a stream and whole", async (format) => {
    for (const stream of [false, true]) {
      const said = await ask(cases(), format, { model: `${SANDBOX}:sandbox-content-filter`, stream });
      expect(said.reason).toBe(CUT[format]);
    }
  });

  it("case 41: stop_details are in message_delta", async () => {
    cases().script("messages", "refusal");
    const { text } = await cases().post("messages", { model: MODEL.messages, stream: true });
    expect(text).toContain(
      '"stop_reason":"refusal","stop_sequence":null,"stop_details":{"type":"refusal","category":null,"explanation":"policy"}',
    );
  });
});
