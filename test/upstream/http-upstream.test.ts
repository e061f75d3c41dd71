import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import { LossList } from "../../src/formats/shared/losses.ts";
import type { UpstreamProtocol } from "../../src/formats/shared/protocol.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { blockDeltaEvent, finishedEvent, startedEvent } from "../../src/hub/events.ts";
import { createHubInput } from "../../src/hub/input.ts";
import type { UpstreamTarget } from "../../src/hub/upstream.ts";
import { createHttpUpstream } from "../../src/upstream/http-upstream.ts";
import { type Answer, type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { sendCall } from "../support/send-call.ts";

/** A format of three words: `start`, `end`, and text. */
const protocol: UpstreamProtocol = {
  dialect: Dialect.CHAT,
  path: "/speak",
  requestIdHeaders: ["x-request-id"],
  forwardedHeaders: ["x-limit-", "x-work-ms"],
  headers: (apiKey): Record<string, string> => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  encodeRequest: (input, { streamed }) => ({
    body: { model: input.model, streamed },
    losses: new LossList("chat", createHubInput({ topK: 1 })).places,
  }),
  createEventDecoder: () => ({
    decode({ data }): GenerateEvent[] {
      if (data === "start") return [startedEvent({ serving: {} })];
      if (data === "end") return [finishedEvent({ rawReason: "end" })];
      if (data === "broken") throw new InferenceError(ErrorReason.UPSTREAM_ERROR, "a broken event");
      return [blockDeltaEvent(0, { case: "text", value: data })];
    },
    close(): GenerateEvent[] {
      throw new InferenceError(ErrorReason.STREAM_INTERRUPTED, "no end event");
    },
    decodeWhole(body): GenerateEvent[] {
      const { said } = JSON.parse(body) as { said: string };
      return [startedEvent({ serving: {} }), blockDeltaEvent(0, { case: "text", value: said }), finishedEvent({})];
    },
  }),
  decodeError: ({ status, body }) => new InferenceError(ErrorReason.RATE_LIMITED, `${status} ${body}`),
};

const input = createHubInput({ model: "attune/m" });
// The protocol above looks at nothing else.
const target = { streamed: true } as UpstreamTarget;
const limits = { eventBytes: 1 << 20, eventValues: 10_000, answerBytes: 1 << 22 };
/** None of them comes but where a test has it short. */
const timeouts = { connectMs: 40_000, firstByteMs: 40_000, idleMs: 40_000, totalMs: 40_000 };

let scripted: ScriptedUpstream;

beforeEach(async () => {
  scripted = await startScriptedUpstream();
});

afterEach(() => scripted.close());

interface Run {
  readonly signal?: AbortSignal;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Whether the caller wants a stream; so it is where this is absent. */
  readonly streamed?: boolean;
  readonly ask?: "as-called" | "stream";
  /** Other limits than those above. */
  readonly short?: Partial<typeof timeouts>;
  /** Is told of each batch that has come and says something. */
  readonly onBatch?: () => void;
}

async function run({ signal = new AbortController().signal, streamed = true, ...options }: Run = {}) {
  const { baseUrl = scripted.url, apiKey = "sk-secret", ask, short = {}, onBatch } = options;
  const settings = { name: "up", baseUrl, apiKey, timeouts: { ...timeouts, ...short }, limits, ask };
  const upstream = createHttpUpstream(protocol, settings);
  const batches: string[][] = [];
  let error: InferenceError | undefined;
  try {
    for await (const events of sendCall(upstream.prepare(input, { ...target, streamed }), signal)) {
      batches.push(
        events.map(({ event }) => (event.case === "blockDelta" ? String(event.value.delta.value) : `${event.case}`)),
      );
      if (events.length > 0) onBatch?.();
    }
  } catch (thrown) {
    error = InferenceError.from(thrown);
  } finally {
    await upstream.close?.();
  }
  return { batches, error };
}

describe("createHttpUpstream()", () => {
  it("posts the encoded request with the protocol's headers", async () => {
    scripted.answer({ steps: ["data: start\n\ndata: end\n\n"] });
    await run();
    const [received] = scripted.received;
    expect(received?.path).toBe("/speak");
    expect(received?.body).toBe('{"model":"attune/m","streamed":true}');
    expect(received?.headers).toMatchObject({
      authorization: "Bearer sk-secret",
      accept: "text/event-stream",
      "content-type": "application/json",
    });
  });

  it("yields what one read brought as one batch, and joins an event that two reads split", async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const wait = ({ promise: until }: PromiseWithResolvers<void>) => ({ until });
    scripted.answer({
      steps: ["data: start\n\ndata: a\n\nda", wait(first), "ta: b\n\n", wait(second), "data: end\n\n"],
    });
    const waiting = [first, second];
    const { batches, error } = await run({ onBatch: () => waiting.shift()?.resolve() });
    expect(error).toBeUndefined();
    expect(batches.filter((batch) => batch.length > 0)).toEqual([["started", "a"], ["b"], ["finished"]]);
  });

  it("tells when the request goes out, and nothing where there is no connection for it", async () => {
    scripted.answer({ steps: [], hang: true });
    const away = await startScriptedUpstream();
    await away.close();
    let sent = 0;
    const onSent = (): void => void sent++;
    const short = { ...timeouts, firstByteMs: 50 };
    for (const baseUrl of [away.url, scripted.url]) {
      const upstream = createHttpUpstream(protocol, { name: "up", baseUrl, timeouts: short, limits });
      const call = upstream.prepare(input, { ...target, onSent });
      await expect(call.send(() => {}, new AbortController().signal)).rejects.toBeInstanceOf(InferenceError);
      expect(sent).toBe(baseUrl === away.url ? 0 : 1);
      await upstream.close?.();
    }
  });

  it("hands on the headers that the protocol names, and no others", async () => {
    const headers = {
      "x-limit-tokens": "5",
      "x-limit-": "",
      "x-work-ms": "12",
      "x-work-ms-2": "1",
      "set-cookie": "a=b",
    };
    scripted.answer({ headers, steps: ["data: start\n\ndata: end\n\n"] });
    const upstream = createHttpUpstream(protocol, { name: "up", baseUrl: scripted.url, timeouts, limits });
    const [first] = await Array.fromAsync(sendCall(upstream.prepare(input, target)));
    await upstream.close?.();
    const started = first?.[0]?.event;
    const serving = started?.case === "started" ? started.value.serving : undefined;
    expect(serving?.upstreamHeaders).toEqual({ "x-limit-tokens": "5", "x-limit-": "", "x-work-ms": "12" });
  });

  it.each([
    ["true", true],
    ["false", false],
    ["maybe", undefined],
    ["constructor", undefined],
  ])("takes what the upstream says of another try: %s", async (said, shouldRetry) => {
    scripted.answer({ status: 500, headers: { "x-should-retry": said, "x-work-ms": "3" }, steps: ["no"] });
    const { error } = await run();
    expect(error?.facts.shouldRetry).toBe(shouldRetry);
    expect(error?.facts.upstreamHeaders).toEqual({ "x-work-ms": "3" });
  });

  it("keeps the status, the wait and the request id of an error answer", async () => {
    scripted.answer({ status: 429, headers: { "retry-after": "7", "x-request-id": "req_1" }, steps: ["slow down"] });
    const { error } = await run();
    expect(error?.message).toBe("429 slow down");
    expect(error?.facts).toMatchObject({
      upstreamStatus: 429,
      retryAfterMs: 7000,
      upstreamRequestId: "req_1",
      upstream: "up",
    });
  });

  it("takes the wait of a limit from its reset where nothing else tells it", async () => {
    const headers = { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6.5s" };
    scripted.answer({ status: 429, headers, steps: ["slow down"] });
    expect((await run()).error?.facts.retryAfterMs).toBe(6500);
  });

  it("never repeats its key in the path that the upstream does not know", async () => {
    scripted.answer({ status: 404, steps: ["404 page not found"] });
    const { error } = await run({ baseUrl: `${scripted.url}/gateway/sk-secret/v1` });
    expect(error?.message).toMatch(/^the upstream 'up' does not know POST \/gateway\/\[redacted\]/);
  });

  it.each<[string, Answer, ErrorReason, string, Run["short"]?]>([
    [
      "no first byte",
      { steps: [], hang: true },
      ErrorReason.UPSTREAM_TIMEOUT,
      "the upstream 'up' sent nothing for 150 ms",
      { firstByteMs: 150 },
    ],
    [
      "silence",
      { steps: ["data: start\n\n"], hang: true },
      ErrorReason.UPSTREAM_TIMEOUT,
      "the upstream 'up' sent nothing more for 150 ms",
      { idleMs: 150 },
    ],
    [
      "an answer without end",
      { steps: ["data: start\n\n", ...Array.from({ length: 40 }, () => [{ waitMs: 50 }, "data: x\n\n"]).flat()] },
      ErrorReason.UPSTREAM_TIMEOUT,
      "the upstream 'up' took longer than 600 ms",
      { totalMs: 600 },
    ],
    [
      "a dead connection",
      { steps: ["data: start\n\n", { waitMs: 30 }, "die" as const] },
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream interrupted its answer",
    ],
    ["an early end", { steps: ["data: start\n\n"] }, ErrorReason.STREAM_INTERRUPTED, "no end event"],
    [
      "an event that cannot be decoded",
      { steps: ["data: start\n\ndata: broken\n\n"] },
      ErrorReason.UPSTREAM_ERROR,
      "a broken event",
    ],
    [
      "a page in place of a stream",
      { headers: { "content-type": "text/html" }, steps: ["<html>"] },
      ErrorReason.UPSTREAM_MISCONFIGURED,
      "the upstream 'up' answered POST /speak with a page of HTML (status 200): its baseUrl in the configuration may be wrong",
    ],
    [
      "words in place of a stream",
      { headers: { "content-type": "text/csv" }, steps: ["hello"] },
      ErrorReason.UPSTREAM_ERROR,
      "the upstream answered 'text/csv', which is neither JSON nor a stream of events",
    ],
    [
      "words without a type of their own",
      { headers: { "content-type": "text/plain; charset=utf-8" }, steps: ["hello"] },
      ErrorReason.STREAM_INTERRUPTED,
      "no end event",
    ],
  ])("fails on %s", async (_name, answer, reason, message, short = {}) => {
    scripted.answer(answer);
    const { error } = await run({ short });
    expect(error).toMatchObject({ reason, message });
  });

  it("still yields what came before a failure in the same read", async () => {
    scripted.answer({ steps: ["data: start\n\ndata: a\n\ndata: broken\n\n"] });
    expect((await run()).batches).toEqual([["started", "a"]]);
  });

  it("never repeats its key, whatever form that has and wherever the upstream says it", async () => {
    scripted.answer({ status: 400, steps: ["no entry with open sesame please, 'open sesame please' is wrong"] });
    const { error } = await run({ apiKey: "open sesame please" });
    expect(error?.message).toBe("400 no entry with [redacted], '[redacted]' is wrong");
    expect(error?.facts).toMatchObject({ upstreamStatus: 400, upstream: "up" });
  });

  it("tells of an upstream that cannot be reached, without its address", async () => {
    const { error } = await run({ baseUrl: "http://127.0.0.1:1" });
    expect(error).toMatchObject({ reason: ErrorReason.UPSTREAM_UNREACHABLE, retryable: true });
    expect(error?.message).toBe("the connection to the upstream 'up' failed (ECONNREFUSED)");
  });

  it("closes the connection at once when the caller leaves", async () => {
    scripted.answer({
      steps: ["data: start\n\n", ...Array.from({ length: 9 }, () => [{ waitMs: 50 }, "data: x\n\n"]).flat()],
      hang: true,
    });
    const controller = new AbortController();
    let abortedAt = 0;
    setTimeout(() => {
      abortedAt = performance.now();
      controller.abort();
    }, 120);
    const { error } = await run({ signal: controller.signal });
    expect(error?.reason).toBe(ErrorReason.CANCELED);
    expect((await scripted.received[0]?.aborted) ?? Number.NaN).toBeLessThan(abortedAt + 10_000);
  });

  it.each([
    ["a caller who streams", { streamed: true }, true],
    ["a caller who does not", { streamed: false }, false],
    ["a caller who does not, where streams are configured", { streamed: false, ask: "stream" as const }, true],
    ["a caller who streams, where it is configured to ask as called", { ask: "as-called" as const }, true],
  ])("asks the way it should for %s", async (_name, asked, streamed) => {
    scripted.answer({ steps: ["data: start\n\ndata: end\n\n"] });
    await run(asked);
    const [received] = scripted.received;
    expect(JSON.parse(received?.body ?? "")).toEqual({ model: "attune/m", streamed });
    expect(received?.headers.accept).toBe(streamed ? "text/event-stream" : "application/json");
  });

  const JSON_HEADERS = { "content-type": "Application/JSON; charset=utf-8" };
  const whole = ["started", "Hé", "finished"];

  it.each([
    ["whole, as it was asked", false, { headers: JSON_HEADERS, steps: ['{"said":"Hé"}'] }, [whole]],
    [
      "whole, in pieces that part a character",
      false,
      { headers: JSON_HEADERS, steps: ['{"said":"H', Buffer.of(0xc3), { waitMs: 20 }, Buffer.of(0xa9), '"}'] },
      [whole],
    ],
    ["whole, although asked for a stream", true, { headers: JSON_HEADERS, steps: ['{"said":"Hé"}'] }, [whole]],
    [
      "whole, in a type of its own",
      false,
      { headers: { "content-type": "application/vnd.up.v1+json" }, steps: ['{"said":"Hé"}'] },
      [whole],
    ],
    [
      "whole, without a word of its type",
      false,
      { headers: { "content-type": "" }, steps: ['{"said":"Hé"}'] },
      [whole],
    ],
    [
      "streamed, although asked for a whole answer",
      false,
      { steps: ["data: start\n\ndata: Hé\n\ndata: end\n\n"] },
      [whole],
    ],
    ["with a mark of its byte order", false, { headers: JSON_HEADERS, steps: ['\ufeff{"said":"Hé"}'] }, [whole]],
  ])("reads what comes %s", async (_name, streamed, answer, batches) => {
    scripted.answer(answer);
    const outcome = await run({ streamed });
    expect(outcome).toEqual({ batches, error: undefined });
  });

  it.each<[string, Answer, ErrorReason, string, Run["short"]?]>([
    [
      "no first byte",
      { steps: [], hang: true },
      ErrorReason.UPSTREAM_TIMEOUT,
      "the upstream 'up' sent nothing for 150 ms",
      { firstByteMs: 150 },
    ],
    [
      "silence",
      { steps: ["{"], hang: true },
      ErrorReason.UPSTREAM_TIMEOUT,
      "the upstream 'up' sent nothing more for 150 ms",
      { idleMs: 150 },
    ],
    [
      "a body without end",
      { steps: ["{", ...Array.from({ length: 40 }, () => [{ waitMs: 50 }, " "]).flat()] },
      ErrorReason.UPSTREAM_TIMEOUT,
      "the upstream 'up' took longer than 600 ms",
      { totalMs: 600 },
    ],
    [
      "a dead connection",
      { steps: ["{", { waitMs: 30 }, "die" as const] },
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream interrupted its answer",
    ],
    [
      "a body that cannot be decoded",
      { steps: ["nothing"] },
      ErrorReason.UPSTREAM_ERROR,
      "the upstream's answer cannot be read",
    ],
    [
      "a body that is compressed",
      { headers: { ...JSON_HEADERS, "content-encoding": "gzip" }, steps: ["x"] },
      ErrorReason.UPSTREAM_ERROR,
      "the upstream compressed its answer ('gzip'), which Attune didn't ask for",
    ],
    [
      "a body that is too long",
      { steps: [`{"said":"${"x".repeat(limits.eventBytes)}`] },
      ErrorReason.UPSTREAM_ERROR,
      "the upstream sent an answer of more than 1048576 bytes, the maximum of its limits.eventBytes",
    ],
    [
      "a body of too many values",
      { steps: [`{"said":[${"1,".repeat(10_001)}1]}`] },
      ErrorReason.UPSTREAM_ERROR,
      "the upstream sent an answer of more than 10000 values, the maximum of its limits.eventValues",
    ],
    [
      "a body that is nested too deep",
      { steps: [`{"said":${"[".repeat(1100)}${"]".repeat(1100)}}`] },
      ErrorReason.UPSTREAM_ERROR,
      "the upstream sent an answer that is nested deeper than 1024 levels",
    ],
  ])("fails on %s in place of a whole answer", async (_name, answer, reason, message, short = {}) => {
    scripted.answer({ headers: JSON_HEADERS, ...answer });
    const { error, batches } = await run({ streamed: false, short });
    expect(error).toMatchObject({ reason, message, retryable: true });
    expect(batches).toEqual([]);
  });

  it("uses a connection again after a complete answer", async () => {
    const steps = ["data: start\n\n", "data: end\n\n", ": the rest\n\n"] as const;
    scripted.answer({ steps: [...steps.slice(0, 2), { waitMs: 20 }, ...steps.slice(2)] });
    const upstream = createHttpUpstream(protocol, { name: "up", baseUrl: scripted.url, timeouts, limits });
    const signal = new AbortController().signal;
    for (let call = 0; call < 3; call++) {
      for await (const _events of sendCall(upstream.prepare(input, target), signal));
      await expect.poll(() => scripted.received[call]?.sent.bytes).toBe(steps.join("").length);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await upstream.close?.();
    const aborted = await Promise.race([...scripted.received.map(({ aborted }) => aborted), Promise.resolve("none")]);
    expect(aborted).toBe("none");
    expect(scripted.received).toHaveLength(3);
  });
});
