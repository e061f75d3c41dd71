import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { UsageSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { costLines } from "../../src/catalog/cost-lines.ts";
import type { PricePicos } from "../../src/catalog/prices.ts";

const PRICE: PricePicos = { input: 10, output: 50, cacheRead: 1, cacheWrite5m: 12, cacheWrite1h: 20 };
const LONG = { aboveTokens: 100, input: 20, output: 75, cacheRead: 2, cacheWrite5m: 25, cacheWrite1h: 40 };

describe("costLines()", () => {
  it("writes a line for each kind of tokens that there were", () => {
    const usage = create(UsageSchema, {
      inputTokens: 7,
      cacheReadTokens: 3,
      cacheWriteTokens: 5,
      cacheWrite1hTokens: 4,
      outputTokens: 2,
    });
    expect(costLines(PRICE, usage)).toEqual({
      isLongPrompt: false,
      toolCalls: [],
      gaps: [],
      lines: [
        { kind: "input", tokens: 7, pricePicos: 10, costPicos: "70" },
        { kind: "cacheRead", tokens: 3, pricePicos: 1, costPicos: "3" },
        { kind: "cacheWrite5m", tokens: 1, pricePicos: 12, costPicos: "12" },
        { kind: "cacheWrite1h", tokens: 4, pricePicos: 20, costPicos: "80" },
        { kind: "output", tokens: 2, pricePicos: 50, costPicos: "100" },
      ],
    });
  });

  it("takes the prices of long prompts where they hold", () => {
    const usage = create(UsageSchema, { inputTokens: 101 });
    expect(costLines({ ...PRICE, longPrompt: [LONG] }, usage)).toEqual({
      isLongPrompt: true,
      toolCalls: [],
      gaps: [],
      lines: [{ kind: "input", tokens: 101, pricePicos: 20, costPicos: "2020" }],
    });
  });

  it("lists tools, kinds with a price of their own, and what has none", () => {
    const billing = { serviceTier: "flex", audioOutputTokens: 4, toolCalls: { web_search: 3, file_search: 1 } };
    const usage = create(UsageSchema, { outputTokens: 10, reasoningTokens: 2, billing });
    expect(costLines({ ...PRICE, reasoning: 60, toolCallNanos: { web_search: 7 } }, usage)).toEqual({
      isLongPrompt: false,
      lines: [
        { kind: "reasoning", tokens: 2, pricePicos: 60, costPicos: "120" },
        { kind: "output", tokens: 8, pricePicos: 50, costPicos: "400" },
      ],
      toolCalls: [{ name: "web_search", calls: 3, nanos: 7 }],
      gaps: ['service tier "flex"', "audio in the answer", "calls of file_search"],
    });
  });

  it("is exact where the product is no safe integer", () => {
    const usage = create(UsageSchema, { inputTokens: 2_147_483_647 });
    const price = { ...PRICE, input: 150_000_001 };
    expect(costLines(price, usage).lines).toEqual([
      { kind: "input", tokens: 2_147_483_647, pricePicos: 150_000_001, costPicos: "322122549197483647" },
    ]);
  });
});
