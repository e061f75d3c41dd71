import { describe, expect, it } from "vitest";
import { CacheTtl, Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { PricePicos } from "../../src/catalog/prices.ts";
import { ErrorReason } from "../../src/hub/error.ts";
import { createHubInput, type HubInit } from "../../src/hub/input.ts";
import { createCallLimiter } from "../../src/quotas/call-limiter.ts";
import type { QuotaSettings } from "../../src/quotas/quota.ts";
import { QuotaLedger } from "../../src/quotas/quota-ledger.ts";
import { caller, placeThatSays, serviceOf } from "../support/answer-by-plan.ts";
import { stubModel } from "../support/stub-upstream.ts";

/** A prompt of 1 token, which may be written to a cache at 1.25 USD a million, and 100 of the answer at 10. */
const [PROMPT_NANOS, ANSWER_NANOS] = [1250, 1_000_000];
const plain = stubModel.price ?? expect.fail();
const times = (multiple: number): PricePicos =>
  Object.fromEntries(Object.entries(plain).map(([kind, picos]) => [kind, (picos as number) * multiple])) as never;
const SEARCH_NANOS = 10_000_000;

type Asks = Exclude<HubInit, { $typeName: string }>;

const extension = (members: object): Asks => ({ extension: { dialect: Dialect.CHAT, json: JSON.stringify(members) } });
const tool = (members: object): Asks => ({
  tools: [{ kind: { case: "opaque", value: { dialect: Dialect.MESSAGES, json: JSON.stringify(members) } } }] as never,
});

interface Case {
  readonly name: string;
  readonly price: Partial<PricePicos>;
  readonly asks?: Asks;
  /** The most that the call may cost, with a prompt that a tool makes longer. */
  readonly nanos: number;
}

const TWICE = 2 * (PROMPT_NANOS + ANSWER_NANOS);
const CASES: readonly Case[] = [
  { name: "nothing of the kind", price: {}, nanos: PROMPT_NANOS + ANSWER_NANOS },
  {
    name: "a dear tier",
    price: { tiers: { priority: times(2) } },
    asks: extension({ service_tier: "priority" }),
    nanos: TWICE,
  },
  {
    name: "a cheap tier, which may not be served",
    price: { tiers: { flex: times(0.5) } },
    asks: extension({ service_tier: "flex" }),
    nanos: PROMPT_NANOS + ANSWER_NANOS,
  },
  { name: "a speed", price: { tiers: { fast: times(2) } }, asks: extension({ speed: "fast" }), nanos: TWICE },
  { name: "a region", price: { regions: { us: 2 } }, asks: extension({ inference_geo: "us" }), nanos: TWICE },
  { name: "an hour", price: { hours: [{ ...times(2), fromMinute: 0, toMinute: 60 }] }, nanos: TWICE },
  { name: "a long prompt", price: { longPrompt: [{ ...times(2), aboveTokens: 0 }] }, nanos: TWICE },
  { name: "reasoning", price: { reasoning: 30_000_000 }, nanos: PROMPT_NANOS + 3 * ANSWER_NANOS },
  {
    name: "a cache that keeps its prompt for an hour",
    price: {},
    asks: { automaticCacheMark: { ttl: CacheTtl.CACHE_TTL_1H } as never },
    nanos: 2000 + ANSWER_NANOS,
  },
  {
    name: "searches",
    price: { toolCallNanos: { web_search: SEARCH_NANOS } },
    asks: tool({ type: "web_search_20250305", name: "web_search", max_uses: 3 }),
    nanos: 3 * SEARCH_NANOS + ANSWER_NANOS,
  },
  {
    name: "searches in a dear tier",
    price: { toolCallNanos: { web_search: SEARCH_NANOS }, tiers: { priority: times(2) } },
    asks: { ...extension({ service_tier: "priority" }), ...tool({ type: "web_search_20250305", max_uses: 1 }) },
    nanos: SEARCH_NANOS + 2 * ANSWER_NANOS,
  },
];

function serve(price: Partial<PricePicos>, quota: QuotaSettings | undefined) {
  const model = { ...stubModel, price: { ...plain, ...price } };
  const ledger = new QuotaLedger(() => 0);
  const limiter = createCallLimiter({
    book: { find: () => (quota === undefined ? [] : [{ kind: "key", subject: "key:k", quota }]) },
    ledger,
    now: () => 0,
    reserve: () => "usual",
    hidesModels: () => false,
  });
  const attempts = [{ ...placeThatSays("up", ["Hello"]), model }];
  return serviceOf({ strategy: { kind: "sequence", attempts } }, { limiter }).service;
}

/** Returns what `attune-max-usd` says that the call may cost. */
async function boundOf({ price, asks = {} }: Case): Promise<number> {
  const input = createHubInput({ model: "attune/m", maxOutputTokens: 100, ...asks, maxCostNanos: 1n });
  const { message } = (await serve(price, undefined)
    .generate(input, caller())
    .catch((error: unknown) => error)) as Error;
  return Math.round(Number(/^the call may cost (\S+) USD/.exec(message)?.[1]) * 1e9);
}

describe.each(CASES)("a call that may be charged for $name", ({ ...one }) => {
  const { price, asks = {}, nanos } = one;
  const ask = (more: Asks = {}) => createHubInput({ model: "attune/m", maxOutputTokens: 100, ...asks, ...more });

  it("is bounded by the dearest that it may become", async () => {
    const bound = await boundOf(one);
    // What a tool says of itself is a part of the prompt.
    expect(bound).toBeGreaterThanOrEqual(nanos);
    expect(bound).toBeLessThanOrEqual(asks.tools === undefined ? nanos : 1.01 * nanos + 200 * PROMPT_NANOS);
    const service = serve(price, undefined);
    const tooMuch = service.generate(ask({ maxCostNanos: BigInt(bound) - 1n }), caller());
    await expect(tooMuch).rejects.toMatchObject({ reason: ErrorReason.INVALID_REQUEST });
    await service.generate(ask({ maxCostNanos: BigInt(bound) }), caller());
  });

  it.each(["costNanosTotal", "costNanosPerDay", "costNanosPerMonth"] as const)(
    "reserves it of %s where that is near its end",
    async (rule) => {
      const bound = await boundOf(one);
      await expect(serve(price, { [rule]: bound - 1 }).generate(ask(), caller())).rejects.toMatchObject({
        reason: ErrorReason.QUOTA_EXCEEDED,
      });
      await serve(price, { [rule]: bound }).generate(ask(), caller());
    },
  );
});

describe("a call of tools without a bound", () => {
  it("is refused where somebody wants one", async () => {
    const asks = tool({ type: "web_search_20250305", name: "web_search" });
    const input = createHubInput({ model: "attune/m", maxCostNanos: 10n ** 12n, ...asks });
    const service = serve({ toolCallNanos: { web_search: SEARCH_NANOS } }, undefined);
    await expect(service.generate(input, caller())).rejects.toMatchObject({
      reason: ErrorReason.INVALID_REQUEST,
      message: expect.stringContaining("sets no bound on calls of web_search"),
    });
  });
});
