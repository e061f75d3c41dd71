import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { ModelFamily, ModelSchema, TierPriceSchema } from "../../gen/attune/model/v1/model_pb.ts";
import { type CatalogModel, UNKNOWN_TOKENS } from "../../src/catalog/model.ts";
import { modelToMessage } from "../../src/catalog/model-message.ts";

const createdAt = new Date("2026-09-03T00:00:00Z");

const MODEL: CatalogModel = {
  name: "m",
  displayName: "Model",
  family: "messages",
  purpose: "Testing",
  contextWindow: 1000,
  maxOutputTokens: 100,
  minCacheableTokens: 10,
  createdAt,
  deployments: [
    { upstream: "a", model: "m-1" },
    { upstream: "b", model: "m" },
    { upstream: "a", model: "m-2" },
  ],
};

const MESSAGE = {
  id: "attune/m",
  name: "m",
  displayName: "Model",
  family: ModelFamily.MESSAGES,
  purpose: "Testing",
  contextWindow: 1000,
  maxInputTokens: 1000,
  maxOutputTokens: 100,
  minCacheableTokens: 10,
  createdAt: timestampFromDate(createdAt),
  upstreams: ["a", "b"],
};

describe("modelToMessage()", () => {
  it("tells 0 of windows and limits that nobody knows", () => {
    const unknown = { ...MODEL, contextWindow: UNKNOWN_TOKENS, maxOutputTokens: UNKNOWN_TOKENS };
    const expected = { ...MESSAGE, contextWindow: 0, maxInputTokens: 0, maxOutputTokens: 0 };
    expect(modelToMessage(unknown, "attune/m")).toEqual(create(ModelSchema, expected));
  });

  it("turns a model without a price into its message", () => {
    expect(modelToMessage(MODEL, "attune/m")).toEqual(create(ModelSchema, MESSAGE));
  });

  it("keeps both tables of prices", () => {
    const base = { input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 5 };
    const longPrompt = { aboveTokens: 6, input: 7, output: 8, cacheRead: 9, cacheWrite5m: 10, cacheWrite1h: 11 };
    const price = {
      inputPicos: 1n,
      outputPicos: 2n,
      cacheReadPicos: 3n,
      cacheWrite5mPicos: 4n,
      cacheWrite1hPicos: 5n,
      longPrompts: [
        {
          aboveTokens: 6,
          inputPicos: 7n,
          outputPicos: 8n,
          cacheReadPicos: 9n,
          cacheWrite5mPicos: 10n,
          cacheWrite1hPicos: 11n,
        },
      ],
    };
    const model = { ...MODEL, price: { ...base, longPrompt: [longPrompt] } };
    expect(modelToMessage(model, "attune/m")).toEqual(create(ModelSchema, { ...MESSAGE, price }));
  });

  it("tells tiers, hours, regions, tools and further kinds", () => {
    const base = { input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 5 };
    const picos = { inputPicos: 1n, outputPicos: 2n, cacheReadPicos: 3n, cacheWrite5mPicos: 4n, cacheWrite1hPicos: 5n };
    const price = {
      ...base,
      reasoning: 6,
      cacheWrite12h: 7,
      tiers: { flex: base },
      hours: [{ ...base, fromMinute: 8, toMinute: 9 }],
      regions: { us: 1.1 },
      toolCallNanos: { web_search: 10 },
    };
    expect(modelToMessage({ ...MODEL, price, maxInputTokens: 900 }, "attune/m")).toEqual(
      create(ModelSchema, {
        ...MESSAGE,
        maxInputTokens: 900,
        price: {
          ...picos,
          further: { reasoningPicos: 6n, cacheWrite12hPicos: 7n },
          tiers: { flex: create(TierPriceSchema, { price: picos }) },
          hours: [{ fromMinute: 8, toMinute: 9, price: picos }],
          regions: { us: 1.1 },
          toolCallNanos: { web_search: 10n },
        },
      }),
    );
  });
});
