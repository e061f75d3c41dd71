import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { ModelFamily, ModelSchema } from "../../../gen/attune/model/v1/model_pb.ts";
import { encodeModel } from "../../../src/facade/models/encode-model.ts";

const picos = {
  inputPicos: 1_250_000n,
  outputPicos: 10_000_000n,
  cacheReadPicos: 125_000n,
  cacheWrite5mPicos: 1_562_500n,
  cacheWrite1hPicos: 2_500_000n,
};
const model = create(ModelSchema, {
  id: "attune/m",
  name: "m",
  family: ModelFamily.MESSAGES,
  purpose: "tests",
  contextWindow: 200_000,
  maxInputTokens: 190_000,
  maxOutputTokens: 8192,
  minCacheableTokens: 1024,
  price: { ...picos, longPrompts: [{ aboveTokens: 100_000, ...picos, inputPicos: 2_500_000n }] },
  createdAt: timestampFromDate(new Date("2026-10-07T00:00:00Z")),
  upstreams: ["a", "b"],
  displayName: "M",
});

describe("encodeModel()", () => {
  it("has the members of both SDKs' models, and prices in USD per million tokens", () => {
    const tokens = { output: 10, cache_read: 0.125, cache_write_5m: 1.5625, cache_write_1h: 2.5 };
    expect(encodeModel(model)).toEqual({
      embeddings: false,
      id: "attune/m",
      object: "model",
      type: "model",
      created: 1791331200,
      created_at: "2026-10-07T00:00:00Z",
      owned_by: "attune",
      display_name: "M",
      family: "messages",
      purpose: "tests",
      context_window: 200_000,
      context_length: 200_000,
      max_model_len: 200_000,
      max_input_tokens: 190_000,
      max_tokens: 8192,
      max_output_tokens: 8192,
      min_cacheable_tokens: 1024,
      pricing: {
        unit: "USD per million tokens",
        input: 1.25,
        ...tokens,
        long_prompts: [{ above_tokens: 100_000, input: 2.5, ...tokens }],
      },
      served_by: ["a", "b"],
    });
  });

  it("says that a price is not known", () => {
    expect(encodeModel(create(ModelSchema, { id: "attune/m" }))).toMatchObject({ pricing: null, created: 0 });
  });
});
