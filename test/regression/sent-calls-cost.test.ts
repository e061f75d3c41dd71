import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { blockDeltaEvent, blockStartEvent, startedEvent } from "../../src/hub/events.ts";
import { createHubInput } from "../../src/hub/input.ts";
import type { AttemptRecord, CallLimiter, Strategy } from "../../src/inference/ports.ts";
import { caller, overloaded, serviceOf } from "../support/answer-by-plan.ts";
import { type Step, stubPlace, stubUpstream, textEvents } from "../support/stub-upstream.ts";

/** As many tokens in o200k as it has words, each of them one behind a space. */
const words = (count: number): string => Array.from({ length: count }, () => "be").join(" ");

/** 97 tokens of a prompt and 3 around its message, at 1 USD for a million; output is at 10. */
const input = createHubInput({
  model: "attune/m",
  messages: [{ content: [{ kind: { case: "text", value: { text: words(97) } } }] }] as never,
});
const prompt = { inputTokens: 100, outputTokens: 0, estimated: true };
const timedOut = new InferenceError(ErrorReason.UPSTREAM_TIMEOUT, "the upstream sent nothing for 20 ms");
const cutOff = new InferenceError(
  ErrorReason.UPSTREAM_UNREACHABLE,
  "the connection to the upstream failed (ECONNRESET)",
);
const opened = [startedEvent({}), blockStartEvent(0, { kind: { case: "thinking", value: {} } })];

/** Resolves once an upstream is asked: what a slow machine takes until then is in nobody's time. */
let sent = Promise.withResolvers<void>();

const places = (...calls: Step[][]) =>
  calls.map((steps, at) => {
    const answer = () => {
      sent.resolve();
      return steps;
    };
    return stubPlace(stubUpstream(`up${at}`, [answer]));
  });
const inSequence = (...calls: Step[][]): Strategy => ({ kind: "sequence", attempts: places(...calls) });

/** Asks, leaves some time after an upstream was asked if that is told, and returns the record with what the limits were told. */
async function ask(
  strategy: Strategy,
  { leavesAfterMs, streamed = false }: { leavesAfterMs?: number; streamed?: boolean } = {},
) {
  const settled: Partial<Pick<AttemptRecord, "costNanos">>[] = [];
  const quota = { settle: (taken: Partial<AttemptRecord>) => void settled.push(taken) };
  const limiter: CallLimiter = {
    begin: () => ({ reserveFirst: () => {}, reserve: () => quota, states: () => [], end: () => {} }),
    mayCall: () => true,
    checkModel: () => {},
  };
  const { service, recorder } = serviceOf({ strategy }, { limiter });
  const leaving = new AbortController();
  sent = Promise.withResolvers<void>();
  const asked = (
    streamed ? service.stream(input, caller(leaving.signal), () => {}) : service.generate(input, caller(leaving.signal))
  ).catch(() => {});
  if (leavesAfterMs !== undefined) {
    await sent.promise;
    await delay(leavesAfterMs);
    leaving.abort();
  }
  await asked;
  await delay(1);
  const [record] = recorder.records;
  return { record, counted: settled.map(({ costNanos }) => costNanos) };
}

describe("a call that was sent and did not end by itself", () => {
  it.each([
    ["before anything came, asked whole", [], false],
    ["before anything came, as a stream", [], true],
    ["after a first event without text", [[startedEvent({})]], true],
  ] satisfies [string, Step[], boolean][])(
    "costs its prompt where its caller leaves %s",
    async (_name, came, streamed) => {
      const { record, counted } = await ask(inSequence([...came, "hang"]), { leavesAfterMs: 20, streamed });
      expect(record).toMatchObject({ status: "canceled", usage: prompt, isEstimated: true, costNanos: 100_000 });
      expect(counted).toEqual([100_000]);
    },
  );

  it("costs the reasoning that nobody saw, at 100 tokens a second after the first 200 ms", async () => {
    const { record } = await ask(inSequence([opened, "hang"]), { leavesAfterMs: 500, streamed: true });
    const { outputTokens = 0, estimated } = record?.usage ?? {};
    expect(estimated).toBe(true);
    expect(outputTokens).toBeGreaterThanOrEqual(29);
    expect(outputTokens).toBeLessThan(60);
    expect(record?.costNanos).toBe(100_000 + outputTokens * 10_000);
  });

  it("costs no more output than the call may have", async () => {
    const { record } = await ask(inSequence(["hang"]), { leavesAfterMs: 1400 });
    expect(record?.usage).toMatchObject({ inputTokens: 100, outputTokens: 100 });
  });

  it("costs what can be read, without the time in which it was written", async () => {
    const writes = [startedEvent({}), blockStartEvent(0, { kind: { case: "text", value: { text: "" } } })];
    const said: Step[] = [[...writes, blockDeltaEvent(0, { case: "text", value: words(10) })], "hang"];
    const { record } = await ask(inSequence(said), { leavesAfterMs: 350, streamed: true });
    expect(record?.usage).toMatchObject({ inputTokens: 100, outputTokens: 10 });
  });

  it.each([
    ["left", []],
    ["interrupted", [cutOff]],
  ] satisfies [string, Step[]][])(
    "costs the reasoning that nobody saw behind a text where it is %s",
    async (_how, ends) => {
      const text = [
        ...textEvents("Let me look").slice(0, -1),
        blockStartEvent(1, { kind: { case: "thinking", value: {} } }),
      ];
      const record = await (ends.length === 0
        ? ask(inSequence([text, "hang"]), { leavesAfterMs: 500, streamed: true })
        : ask(inSequence([text, { waitMs: 500 }, ...ends]), { streamed: true })
      ).then((asked) => asked.record);
      // Three tokens that can be read, and 100 a second after the first 200 ms.
      const { outputTokens = 0 } = record?.usage ?? {};
      expect(outputTokens).toBeGreaterThanOrEqual(3 + 29);
      expect(outputTokens).toBeLessThan(3 + 60);
    },
  );

  it.each([
    ["ran into a limit of time", timedOut],
    ["lost its connection", cutOff],
  ])("costs its prompt where it %s, beside the one that answered in its place", async (_name, error) => {
    const { record, counted } = await ask(inSequence([error], [textEvents("Hello")]));
    expect(record?.attempts).toMatchObject([
      { outcome: "failed", usage: prompt, costNanos: 100_000 },
      { outcome: "completed", costNanos: 15_000 },
    ]);
    expect(record).toMatchObject({ costNanos: 115_000, isEstimated: true, saved: { failover: -100_000 } });
    expect(counted).toEqual([100_000, 15_000]);
  });

  it("costs both prompts where a hedge answers, and where its caller leaves", async () => {
    const hedged = (...calls: Step[][]): Strategy => ({ kind: "hedged", attempts: places(...calls), afterMs: 1 });
    const answered = await ask(hedged(["hang"], [textEvents("Hello")]));
    expect(answered.record).toMatchObject({ status: "completed", costNanos: 115_000 });
    expect(answered.counted.toSorted()).toEqual([100_000, 15_000]);
    const left = await ask(hedged(["hang"], ["hang"]), { leavesAfterMs: 30 });
    expect(left.record).toMatchObject({ status: "canceled", costNanos: 200_000 });
    expect(left.counted).toEqual([100_000, 100_000]);
  });

  it("costs nothing where its upstream refused it", async () => {
    const { record, counted } = await ask(inSequence([overloaded], [textEvents("Hello")]));
    expect(record).toMatchObject({ costNanos: 15_000, isEstimated: false });
    expect(counted).toEqual([undefined, 15_000]);
  });

  it("costs nothing where it was not sent", async () => {
    const unsent = new InferenceError(
      ErrorReason.UPSTREAM_UNREACHABLE,
      "the connection to the upstream failed (ECONNREFUSED)",
    );
    const upstream = { name: "away", prepare: () => ({ losses: [], send: () => Promise.reject(unsent) }) };
    const { record, counted } = await ask({ kind: "sequence", attempts: [stubPlace(upstream)] });
    expect(record).toMatchObject({ status: "failed", costNanos: undefined });
    expect(counted).toEqual([undefined]);
  });
});
