import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type BillingFactsSchema, UsageSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { callCost, costNanos } from "../../src/catalog/cost.ts";
import { type CallTerms, dearestCost, PLAIN_TERMS } from "../../src/catalog/dearest-cost.ts";
import type { PricePicos } from "../../src/catalog/prices.ts";
import { buildPrice } from "../../src/catalog/written-price.ts";

// 1.25, 10, 0.125, 1.5625 and 2.5 USD per million tokens.
const PRICE: PricePicos = {
  input: 1_250_000,
  output: 10_000_000,
  cacheRead: 125_000,
  cacheWrite5m: 1_562_500,
  cacheWrite1h: 2_500_000,
};

const LONG: PricePicos = {
  ...PRICE,
  longPrompt: [
    {
      aboveTokens: 100,
      input: 2_000_000,
      output: 20_000_000,
      cacheRead: 1_000_000,
      cacheWrite5m: 3_000_000,
      cacheWrite1h: 4_000_000,
    },
  ],
};

// 2 and 4 USD per million tokens, with every variant that there is.
const WHOLE = buildPrice({
  input: 2,
  output: 4,
  cacheRead: 1,
  cacheWrite5m: 2.5,
  cacheWrite1h: 4,
  cacheWrite12h: 5,
  reasoning: 6,
  audioInput: 20,
  audioCacheRead: 10,
  audioOutput: 40,
  imageInput: 3,
  imageOutput: 30,
  longPrompt: [
    { aboveTokens: 1000, input: 6, output: 12 },
    { aboveTokens: 100, input: 3, output: 8 },
  ],
  tiers: {
    priority: { multiple: 2 },
    flex: { input: 1, output: 2, longPrompt: { aboveTokens: 100, input: 1.5, output: 3 } },
  },
  hours: [{ from: "16:30", to: "00:30", multiple: 0.5 }],
  regions: { us: 1.1 },
  toolCalls: { web_search: 0.01 },
});

type Row = readonly [name: string, price: PricePicos, usage: MessageInitShape<typeof UsageSchema>, nanos: number];

const ROWS: readonly Row[] = [
  ["nothing", PRICE, {}, 0],
  ["a million prompt tokens: 1.25 USD", PRICE, { inputTokens: 1_000_000 }, 1_250_000_000],
  ["a million answer tokens: 10 USD", PRICE, { outputTokens: 1_000_000 }, 10_000_000_000],
  ["reasoning is part of the answer", PRICE, { outputTokens: 10, reasoningTokens: 4 }, 100_000],
  ["1250 + 2 * 10000 + 8 * 125", PRICE, { inputTokens: 1, outputTokens: 2, cacheReadTokens: 8 }, 22_250],
  ["one write at 1562.5 rounds up", PRICE, { cacheWriteTokens: 1 }, 1563],
  ["two writes at 1562.5 are exact", PRICE, { cacheWriteTokens: 2 }, 3125],
  ["0.4 nanos round down", { ...PRICE, input: 400 }, { inputTokens: 1 }, 0],
  ["0.5 nanos round up", { ...PRICE, input: 500 }, { inputTokens: 1 }, 1],
  [
    "halves are summed before they are rounded",
    { ...PRICE, input: 500, output: 500 },
    { inputTokens: 1, outputTokens: 1 },
    1,
  ],
  ["writes without a split are of five minutes", PRICE, { cacheWriteTokens: 4 }, 6250],
  ["writes with a split", PRICE, { cacheWriteTokens: 6, cacheWrite5mTokens: 4, cacheWrite1hTokens: 2 }, 11_250],
  ["the rest of a partial split is of five minutes", PRICE, { cacheWriteTokens: 6, cacheWrite1hTokens: 2 }, 11_250],
  ["a split without a total", PRICE, { cacheWrite5mTokens: 4, cacheWrite1hTokens: 2 }, 11_250],
  ["a prompt of the limit is not long", LONG, { inputTokens: 100, outputTokens: 1 }, 135_000],
  ["a prompt above the limit is long", LONG, { inputTokens: 101, outputTokens: 1 }, 222_000],
  [
    "cached tokens make a prompt long: 50 * 2000 + 30 * 1000 + 21 * 3000",
    LONG,
    { inputTokens: 50, cacheReadTokens: 30, cacheWriteTokens: 21 },
    193_000,
  ],
  ["an answer does not make a prompt long", LONG, { inputTokens: 1, outputTokens: 1000 }, 10_001_250],
  [
    "beyond the safe integers: 2147483647 * 123456.003 nanos, not exact in a double",
    { ...PRICE, input: 123_456_003 },
    { inputTokens: 2_147_483_647 },
    265_119_747_566_483,
  ],
  ["reasoning at its own price: 6 * 4 + 4 * 6", WHOLE, { outputTokens: 10, reasoningTokens: 4 }, 48_000],
  ["the step of the middle", WHOLE, { inputTokens: 101, outputTokens: 1 }, 311_000],
  ["the last step", WHOLE, { inputTokens: 1001, outputTokens: 1 }, 6_018_000],
  ["12-hour writes: 1 * 2.5 + 2 * 5", WHOLE, { cacheWriteTokens: 3, billing: { cacheWrite12hTokens: 2 } }, 12_500],
  [
    "sound and pictures: 5 * 2 + 3 * 20 + 2 * 3, cached 1 * 1 + 2 * 10, 1 * 4 + 2 * 40 + 3 * 30",
    WHOLE,
    {
      inputTokens: 10,
      cacheReadTokens: 3,
      outputTokens: 6,
      billing: {
        audioInputTokens: 3,
        imageInputTokens: 2,
        audioCacheReadTokens: 2,
        audioOutputTokens: 2,
        imageOutputTokens: 3,
      },
    },
    271_000,
  ],
  ["a tier by its multiple", WHOLE, { inputTokens: 10, billing: { serviceTier: "priority" } }, 40_000],
  ["a speed like a tier", WHOLE, { inputTokens: 10, billing: { speed: "priority" } }, 40_000],
  ["a tier with prices of its own", WHOLE, { inputTokens: 10, billing: { serviceTier: "flex" } }, 10_000],
  ["long prompts of a tier", WHOLE, { inputTokens: 200, billing: { serviceTier: "flex" } }, 300_000],
  ["a region", WHOLE, { inputTokens: 10, outputTokens: 10, billing: { region: "us" } }, 66_000],
  ["a region and a tier", WHOLE, { inputTokens: 10, billing: { region: "us", serviceTier: "priority" } }, 44_000],
  ["web searches", WHOLE, { inputTokens: 10, billing: { toolCalls: { web_search: 3 } } }, 30_020_000],
];

describe("costNanos()", () => {
  it.each(ROWS)("%s", (_name, price, usage, nanos) => {
    expect(costNanos(price, create(UsageSchema, usage))).toBe(nanos);
  });
});

describe("callCost()", () => {
  const gaps = (billing: MessageInitShape<typeof BillingFactsSchema>, price = WHOLE) =>
    callCost(price, create(UsageSchema, { inputTokens: 10, cacheWriteTokens: 2, outputTokens: 10, billing })).gaps;

  it("names what has no price, and nothing else", () => {
    expect(gaps({})).toEqual([]);
    expect(gaps({ serviceTier: "ultrafast" })).toEqual(['service tier "ultrafast"']);
    expect(gaps({ speed: "fast", region: "eu" })).toEqual(['speed "fast"', 'region "eu"']);
    expect(gaps({ speed: "flex", serviceTier: "priority" })).toEqual(['service tier "priority"']);
    expect(gaps({ toolCalls: { code: 1 }, otherModels: ["other"] })).toEqual(["calls of code", "tokens of other"]);
    expect(gaps({ toolCalls: { web_fetch: 1, tool_search: 2 } })).toEqual([]);
    expect(gaps({ serviceTier: "constructor" })).toEqual(['service tier "constructor"']);
    expect(
      gaps({ cacheWrite12hTokens: 1, audioInputTokens: 1, audioOutputTokens: 1, imageOutputTokens: 1 }, PRICE),
    ).toEqual([
      ...["cache writes for 12 hours", "audio in the prompt", "audio in the answer", "pictures in the answer"],
    ]);
  });

  it.each([
    ["16:29", 20_000],
    ["16:30", 10_000],
    ["00:29", 10_000],
    ["00:30", 20_000],
  ])("takes the prices of the hour: %s", (time, nanos) => {
    const usage = create(UsageSchema, { inputTokens: 10 });
    expect(callCost(WHOLE, usage, new Date(`2026-11-28T${time}:00Z`)).nanos).toBe(nanos);
  });
});

describe("prices by days", () => {
  const price = buildPrice({
    input: 2,
    output: 4,
    hours: [
      { from: "04:00", to: "06:00", days: [1, 2, 3, 4, 5], multiple: 0.5 },
      { from: "00:00", to: "00:00", days: [6, 7], multiple: 0.5 },
    ],
  });

  it.each([
    ["2026-11-27T03:59:00Z", 20_000],
    ["2026-11-27T04:00:00Z", 10_000],
    ["2026-11-28T12:00:00Z", 10_000],
    ["2026-11-29T00:00:00Z", 10_000],
    ["2026-11-30T00:00:00Z", 20_000],
  ])("hold at %s", (time, nanos) => {
    expect(callCost(price, create(UsageSchema, { inputTokens: 10 }), new Date(time)).nanos).toBe(nanos);
  });
});

describe("dearestCost()", () => {
  const tokens = { input: 10, output: 10 };

  it("takes the dearest that may come of a plain request: all written to a cache, all reasoned", () => {
    expect(dearestCost(WHOLE, tokens)).toEqual({ nanos: 10 * 2500 + 10 * 40_000, gaps: [] });
    expect(dearestCost(PRICE, tokens)).toEqual({ nanos: 15_625 + 100_000, gaps: [] });
  });

  it("takes the tier, the region, the lifetime and the tools that are asked for", () => {
    const cost = (terms: Partial<CallTerms>) => dearestCost(PLAIN, tokens, { ...PLAIN_TERMS, ...terms });
    const PLAIN = buildPrice({
      input: 2,
      output: 4,
      cacheWrite1h: 8,
      tiers: { priority: { multiple: 2 }, flex: { multiple: 0.5 } },
      regions: { us: 2 },
      toolCalls: { search: 0.01 },
    });
    expect(cost({})).toEqual({ nanos: 60_000, gaps: [] });
    expect(cost({ serviceTier: "priority" })).toEqual({ nanos: 120_000, gaps: [] });
    expect(cost({ serviceTier: "flex" })).toEqual({ nanos: 60_000, gaps: [] });
    expect(cost({ region: "us" })).toEqual({ nanos: 120_000, gaps: [] });
    expect(cost({ cacheWrites: "cacheWrite1h" })).toEqual({ nanos: 120_000, gaps: [] });
    expect(cost({ toolCalls: { search: 2 } })).toEqual({ nanos: 20_060_000, gaps: [] });
    expect(cost({ toolCalls: { search: Number.POSITIVE_INFINITY }, serviceTier: "other" })).toEqual({
      nanos: 60_000,
      gaps: ['service tier "other"', "calls of search"],
    });
  });
});
