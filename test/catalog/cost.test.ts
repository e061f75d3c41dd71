import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { UsageSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { costNanos } from "../../src/catalog/cost.ts";
import type { PricePicos } from "../../src/catalog/model.ts";

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
  longPrompt: {
    aboveTokens: 100,
    input: 2_000_000,
    output: 20_000_000,
    cacheRead: 1_000_000,
    cacheWrite5m: 3_000_000,
    cacheWrite1h: 4_000_000,
  },
};

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
];

describe("costNanos()", () => {
  it.each(ROWS)("%s", (_name, price, usage, nanos) => {
    expect(costNanos(price, create(UsageSchema, usage))).toBe(nanos);
  });
});
