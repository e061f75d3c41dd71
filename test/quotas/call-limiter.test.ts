import { setTimeout as delay } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UsageSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { QuotaKind, QuotaRule } from "../../gen/attune/quota/v1/quota_pb.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { createHubInput } from "../../src/hub/input.ts";
import type { CallLimiter, Plan } from "../../src/inference/ports.ts";
import { createCallLimiter } from "../../src/quotas/call-limiter.ts";
import type { QuotaSettings, SubjectQuota } from "../../src/quotas/quota.ts";
import { QuotaLedger } from "../../src/quotas/quota-ledger.ts";
import { caller, overloaded, placeThatSays, serviceOf } from "../support/answer-by-plan.ts";
import { stubModel } from "../support/stub-upstream.ts";

const NOON = Date.parse("2026-11-30T12:00:30Z");
/** The stub answers "Hello" in two pieces: 5 tokens in at 1 USD a million, 2 out at 10. */
const CALL_NANOS = 25_000;
/** A prompt of 1 token by its length, which a cache may keep at 1.25 of its price, and the 100 tokens that an answer may have. */
const BOUND_NANOS = 1_001_250;

let nowMs = NOON;
let ledger = new QuotaLedger(() => nowMs);
let quotas: SubjectQuota[] = [];
const input = createHubInput({ model: "attune/m" });

beforeEach(() => {
  nowMs = NOON;
  ledger = new QuotaLedger(() => nowMs);
});
afterEach(() => {
  quotas = [];
});

function limiter(settings: { hidesModels?: boolean; onEstimate?: () => void } = {}): CallLimiter {
  return createCallLimiter({
    book: { find: () => quotas },
    ledger,
    now: () => nowMs,
    reserve: () => {
      settings.onEstimate?.();
      return "usual";
    },
    hidesModels: () => settings.hidesModels ?? false,
  });
}

function limitKey(quota: QuotaSettings): void {
  quotas = [{ kind: "key", subject: "key:k", quota }];
}

function sequence(...places: ReturnType<typeof placeThatSays>[]): Pick<Plan, "strategy"> {
  return { strategy: { kind: "sequence", attempts: places } };
}

const answering = () => placeThatSays("up", ["Hello"]);

describe("createCallLimiter()", () => {
  it("settles a call with what it took, and refuses one that has no room, without a record", async () => {
    limitKey({ costNanosPerDay: BOUND_NANOS + CALL_NANOS });
    const { service, recorder } = serviceOf(sequence(answering()), { limiter: limiter() });
    await service.generate(input, caller());
    await service.generate(input, caller());
    expect(ledger.used("key:k", "costNanosPerDay")).toBe(2 * CALL_NANOS);
    await expect(service.generate(input, caller())).rejects.toMatchObject({
      reason: ErrorReason.QUOTA_EXCEEDED,
      message:
        "the budget of the API key has 0.00097625 USD left of 0.00102625 USD a day, and this call may cost " +
        "0.00100125 USD: lower its output limit, or shorten its prompt; it renews at 2026-12-01T00:00:00Z",
      shouldRetry: false,
      facts: { retryAfterMs: 12 * 3_600_000 - 30_000, quota: { kind: QuotaKind.KEY, remaining: 976_250n } },
    });
    expect(recorder.records).toHaveLength(2);
  });

  it("counts what an attempt lost with its connection, though it was refused when it was sent again", async () => {
    limitKey({ costNanosPerDay: BOUND_NANOS, inputTokensPerMinute: 1000, outputTokensPerMinute: 5000 });
    const { model, deployment } = answering();
    const unknownModel = () => InferenceError.invalid("model", "unknown");
    const quota = await limiter().begin({ ...caller(), input, model, unknownModel });
    const attempt = await quota?.reserve({ model, deployment }, input);
    const lost = [create(UsageSchema, { inputTokens: 30, cacheReadTokens: 10, outputTokens: 7 })];
    attempt?.settle({ lost, costNanos: 4000, outcome: "failed" });
    expect(ledger.used("key:k", "costNanosPerDay")).toBe(4000);
    expect(ledger.used("key:k", "inputTokensPerMinute")).toBe(40);
    expect(ledger.used("key:k", "outputTokensPerMinute")).toBe(7);
  });

  it("tells when the requests of a minute renew", async () => {
    limitKey({ requestsPerMinute: 1 });
    const { service } = serviceOf(sequence(answering()), { limiter: limiter() });
    const { serving } = await service.generate(input, caller());
    expect(serving?.quotas).toMatchObject([{ rule: QuotaRule.REQUESTS_PER_MINUTE, limit: 1n, remaining: 0n }]);
    await expect(service.generate(input, caller())).rejects.toMatchObject({
      reason: ErrorReason.RATE_LIMITED,
      message: "the limit of the API key is reached: 1 request a minute; it renews in 30 s",
      shouldRetry: true,
      facts: { retryAfterMs: 30_000 },
    });
    nowMs += 30_000;
    await service.generate(input, caller());
  });

  it("counts calls in flight from their start to their end", async () => {
    limitKey({ concurrentCalls: 1 });
    const place = placeThatSays("up", [["hang"], "Hello"]);
    const { service } = serviceOf(sequence(place), { limiter: limiter() });
    const leaving = new AbortController();
    const first = service.generate(input, caller(leaving.signal));
    await expect(service.generate(input, caller())).rejects.toMatchObject({
      message: "the limit of the API key is reached: 1 call at a time; try again when one of them has ended",
    });
    leaving.abort();
    await expect(first).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
    await service.generate(input, caller());
  });

  it("bounds the calls of a minute that callers leave, whether they have left or may yet", async () => {
    limitKey({ canceledCallsPerMinute: 2 });
    const { service } = serviceOf(sequence(placeThatSays("up", ["Hello", ["hang"]])), { limiter: limiter() });
    await service.generate(input, caller());
    const leaving = new AbortController();
    const left = [0, 1].map(() => service.generate(input, caller(leaving.signal)));
    const message =
      "the limit of the API key is reached: 2 calls a minute that end before their answer; it renews in 30 s";
    await expect(service.generate(input, caller())).rejects.toMatchObject({ message });
    leaving.abort();
    for (const call of left) await expect(call).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
    await expect(service.generate(input, caller())).rejects.toMatchObject({ message });
    expect(ledger.used("key:k", "canceledCallsPerMinute")).toBe(2);
  });

  it("lets no burst of calls that say their bounds pass a budget, and lets calls run that take little", async () => {
    const bounded = createHubInput({ model: "attune/m", maxOutputTokens: 8000 });
    const bound = 80_001_250;
    for (const budget of [10, 100]) {
      limitKey({ costNanosTotal: budget * bound });
      ledger = new QuotaLedger(() => nowMs);
      const place = placeThatSays("up", [["hang"]]);
      const { service } = serviceOf(sequence({ ...place, model: { ...stubModel, maxOutputTokens: 100_000 } }), {
        limiter: limiter(),
      });
      const leaving = new AbortController();
      const burst = Array.from({ length: 300 }, () => service.generate(bounded, caller(leaving.signal)));
      const ending = Promise.allSettled(burst);
      await delay(10);
      const held = ledger.used("key:k", "costNanosTotal");
      leaving.abort();
      const ended = await ending;
      const sent = ended.filter(
        (end) => end.status === "rejected" && InferenceError.from(end.reason).reason === ErrorReason.CANCELED,
      );
      // A quarter of what is left is at risk at most: far from the end calls reserve what is usual.
      expect(sent.length).toBeGreaterThanOrEqual(budget);
      expect(sent.length).toBeLessThanOrEqual(1.25 * budget);
      expect(held).toBeLessThanOrEqual(budget * bound);
      expect(held).toBeGreaterThan(0.9 * budget * bound);
    }
  });

  it("gives everything back where no upstream has answered", async () => {
    limitKey({ requestsPerMinute: 10, costNanosTotal: 10 * BOUND_NANOS });
    const { service } = serviceOf(sequence(placeThatSays("up", [[overloaded]])), { limiter: limiter() });
    await expect(service.generate(input, caller())).rejects.toMatchObject({ reason: ErrorReason.UPSTREAM_OVERLOADED });
    expect(ledger.used("key:k", "requestsPerMinute")).toBe(0);
    expect(ledger.used("key:k", "costNanosTotal")).toBe(0);
  });

  it("starts no failover where a limit has no room for it", async () => {
    limitKey({ outputTokensPerMinute: 150 });
    const failing = placeThatSays("first", [[overloaded]]);
    const { service } = serviceOf(sequence(failing, answering()), { limiter: limiter() });
    // The first attempt has failed and given back what it held, so that the second has room.
    await service.generate(input, caller());
    limitKey({ outputTokensPerMinute: 101 });
    await expect(service.generate(input, caller())).rejects.toMatchObject({
      reason: ErrorReason.RATE_LIMITED,
      facts: { quota: { rule: QuotaRule.OUTPUT_TOKENS_PER_MINUTE } },
    });
  });

  it("lets the call in flight go on where there is no room for a hedge", async () => {
    limitKey({ outputTokensPerMinute: 100 });
    const slow = placeThatSays("slow", ["Hello"]);
    // The first one answers once there was no room for the second.
    const refused = Promise.withResolvers<void>();
    let estimates = 0;
    const onEstimate = (): void => {
      estimates += 1;
      if (estimates === 2) refused.resolve();
    };
    const delayed = {
      ...slow,
      upstream: {
        ...slow.upstream,
        prepare: (...asked: Parameters<typeof slow.upstream.prepare>) => {
          const call = slow.upstream.prepare(...asked);
          return {
            ...call,
            send: (...sent: Parameters<typeof call.send>) => refused.promise.then(() => call.send(...sent)),
          };
        },
      },
    };
    const plan: Pick<Plan, "strategy"> = {
      strategy: { kind: "hedged", attempts: [delayed, answering()], afterMs: 1 },
    };
    const { service, recorder } = serviceOf(plan, { limiter: limiter({ onEstimate }) });
    await service.generate(input, caller());
    expect(recorder.records[0]?.attempts).toMatchObject([
      { role: "primary", outcome: "completed" },
      { role: "hedge", outcome: "refused" },
    ]);
    expect(ledger.used("key:k", "outputTokensPerMinute")).toBe(2);
  });

  it.each<[QuotaSettings, string]>([
    [
      { costNanosTotal: 1000 },
      "this call may cost 0.00100125 USD, more than the budget of the API key: 0.000001 USD in total; " +
        "lower its output limit, or shorten its prompt",
    ],
    [
      { outputTokensPerMinute: 99 },
      "this call may take 100 output tokens, more than the limit of the API key: 99 output tokens a minute; " +
        "lower its output limit",
    ],
  ])("says what a call may take that is too large for the limit %j", async (quota, message) => {
    limitKey(quota);
    const { service } = serviceOf(sequence(answering()), { limiter: limiter() });
    await expect(service.generate(input, caller())).rejects.toMatchObject({ message, shouldRetry: false });
  });

  it("says that a budget is spent once nothing is left of it", async () => {
    limitKey({ costNanosTotal: BOUND_NANOS });
    const { service } = serviceOf(sequence(answering()), { limiter: limiter() });
    void ledger.reserve(quotas, { costNanos: BOUND_NANOS });
    await expect(service.generate(input, caller())).rejects.toMatchObject({
      message: "the budget of the API key is spent: 0.00100125 USD in total; it does not renew",
      shouldRetry: false,
    });
  });

  it.each<[QuotaSettings, string]>([
    [{ costNanosTotal: 0 }, "the budget of the API key lets no call through: 0 USD in total; have it raised"],
    [{ requestsPerMinute: 0 }, "the limit of the API key lets no call through: 0 requests a minute; have it raised"],
    [{ concurrentCalls: 0 }, "the limit of the API key lets no call through: 0 calls at a time; have it raised"],
  ])("says that the limit %j lets nothing through", async (quota, message) => {
    limitKey(quota);
    const { service } = serviceOf(sequence(answering()), { limiter: limiter() });
    await expect(service.generate(input, caller())).rejects.toMatchObject({ message, shouldRetry: false });
  });

  it("refuses a model without a price where money is counted", async () => {
    limitKey({ costNanosTotal: BOUND_NANOS });
    const { price: _, ...unpriced } = stubModel;
    const place = { ...answering(), model: { ...unpriced, price: undefined } };
    const { service } = serviceOf(sequence(place), { limiter: limiter() });
    await expect(service.generate(input, caller())).rejects.toMatchObject({
      reason: ErrorReason.PERMISSION_DENIED,
      facts: { param: "model" },
    });
  });

  it("refuses a model that a key may not call, or says that there is none", async () => {
    limitKey({ models: ["other"] });
    const shown = serviceOf(sequence(answering()), { limiter: limiter() });
    await expect(shown.service.generate(input, caller())).rejects.toMatchObject({
      reason: ErrorReason.PERMISSION_DENIED,
      message: "the API key may not call the model 'm': GET /v1/models lists what may be called",
    });
    await expect(shown.service.countTokens(input, caller())).rejects.toMatchObject({
      reason: ErrorReason.PERMISSION_DENIED,
    });
    const hidden = serviceOf(sequence(answering()), { limiter: limiter({ hidesModels: true }) });
    await expect(hidden.service.generate(input, caller())).rejects.toMatchObject({
      reason: ErrorReason.MODEL_NOT_FOUND,
      message: "there is no such model here",
    });
    expect(limiter().mayCall(caller().principal, "other")).toBe(true);
    expect(limiter().mayCall(caller().principal, "m")).toBe(false);
  });
});
