import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { UsageSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { costLines } from "../../src/catalog/cost-lines.ts";
import type { PricePicos } from "../../src/catalog/model.ts";

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
    expect(costLines({ ...PRICE, longPrompt: LONG }, usage)).toEqual({
      isLongPrompt: true,
      lines: [{ kind: "input", tokens: 101, pricePicos: 20, costPicos: "2020" }],
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
