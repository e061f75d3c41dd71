import { describe, expect, it } from "vitest";
import { readLitellmPrice } from "../../../src/catalog/lists/litellm-price.ts";

describe("readLitellmPrice()", () => {
  it("reads every kind of tokens, without the noise of binary fractions", () => {
    const { price, left } = readLitellmPrice({
      input_cost_per_token: 1e-6,
      output_cost_per_token: 3e-6,
      cache_read_input_token_cost: 1e-7,
      cache_creation_input_token_cost: 1.25e-6,
      cache_creation_input_token_cost_above_1hr: 2e-6,
      cache_creation_input_token_cost_above_12hr: 2.5e-6,
      output_cost_per_reasoning_token: 4e-6,
      input_cost_per_audio_token: 3.2e-5,
      output_cost_per_audio_token: 6.4e-5,
      input_cost_per_image_token: 5e-6,
      output_cost_per_image_token: 6e-6,
      max_tokens: 7,
    });
    expect(price).toEqual({
      input: 1,
      output: 3,
      cacheRead: 0.1,
      cacheWrite5m: 1.25,
      cacheWrite1h: 2,
      cacheWrite12h: 2.5,
      reasoning: 4,
      audioInput: 32,
      audioOutput: 64,
      imageInput: 5,
      imageOutput: 6,
    });
    expect(left).toEqual([]);
  });

  it("reads steps of long prompts, whose other prices are as before", () => {
    const { price } = readLitellmPrice({
      input_cost_per_token: 1e-6,
      output_cost_per_token: 2e-6,
      cache_read_input_token_cost: 1e-7,
      input_cost_per_token_above_128k_tokens: 2e-6,
      output_cost_per_token_above_128k_tokens: 4e-6,
      input_cost_per_token_above_256k_tokens: 3e-6,
      cache_creation_input_token_cost_above_1hr_above_256k_tokens: 9e-6,
    });
    expect(price?.longPrompt).toEqual([
      { aboveTokens: 128_000, input: 2, output: 4, cacheRead: 0.1 },
      { aboveTokens: 256_000, input: 3, output: 4, cacheRead: 0.1, cacheWrite1h: 9 },
    ]);
  });

  it("reads tiers, as multiples where they are, and never below their short prompts", () => {
    const long = { input_cost_per_token_above_200k_tokens: 2e-6, output_cost_per_token_above_200k_tokens: 4e-6 };
    const { price } = readLitellmPrice({
      input_cost_per_token: 1e-6,
      output_cost_per_token: 2e-6,
      ...long,
      input_cost_per_token_flex: 5e-7,
      output_cost_per_token_flex: 1e-6,
      input_cost_per_token_above_200k_tokens_flex: 1e-6,
      output_cost_per_token_above_200k_tokens_flex: 2e-6,
      input_cost_per_token_priority: 3e-6,
      output_cost_per_token_batches: 1e-6,
    });
    const longPrompt = { aboveTokens: 200_000, input: 3, output: 4 };
    expect(price?.tiers).toEqual({
      flex: { multiple: 0.5 },
      priority: { input: 3, output: 2, longPrompt },
      fast: { input: 3, output: 2, longPrompt },
      batch: { input: 1, output: 1, longPrompt: { aboveTokens: 200_000, input: 2, output: 4 } },
    });
  });

  it("reads ranges, regions, speeds and tools", () => {
    const { price, left } = readLitellmPrice({
      tiered_pricing: [
        { range: [0, 32_000], input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
        { range: [32_000, 64_000], input_cost_per_token: 2e-6, output_cost_per_token: 4e-6 },
      ],
      provider_specific_entry: { us: 1.1, fast: 6 },
      regional_processing_uplift_multiplier_eu: 1.2,
      search_context_cost_per_query: { search_context_size_low: 0.01, search_context_size_high: 0.02 },
      file_search_cost_per_1k_calls: 2.5,
      citation_cost_per_token: 2e-6,
      code_interpreter_cost_per_session: 0.03,
    });
    expect(price).toEqual({
      input: 1,
      output: 2,
      longPrompt: { aboveTokens: 32_000, input: 2, output: 4 },
      tiers: { fast: { multiple: 6 } },
      regions: { us: 1.1, eu: 1.2 },
      toolCalls: { web_search: 0.02, file_search: 0.0025, code_interpreter: 0.03, citation_token: 0.000002 },
    });
    expect(left).toEqual([]);
  });

  it("reads steps that a tier alone has", () => {
    const { price, left } = readLitellmPrice({
      input_cost_per_token: 1e-6,
      output_cost_per_token: 2e-6,
      input_cost_per_token_above_272k_tokens_priority: 4e-6,
    });
    const priority = { input: 1, output: 2, longPrompt: { aboveTokens: 272_000, input: 4, output: 2 } };
    expect([price, left]).toEqual([{ input: 1, output: 2, tiers: { priority, fast: priority } }, []]);
  });

  it.each([
    [
      "tiered_pricing",
      [{ range: [0, 9], input_cost_per_token: 1e-6, cost_per_view: 1 }],
      "tiered_pricing.cost_per_view",
    ],
    ["off_peak_pricing", { hours_utc: "22-06", input_cost_per_token: 5e-7 }, "off_peak_pricing"],
    [
      "off_peak_pricing",
      { hours_utc: "22:00-06:00", input_cost_per_token: 5e-7, cost_per_view: 1 },
      "off_peak_pricing.cost_per_view",
    ],
    ["provider_specific_entry", { us: 1.1, mars: { multiple: 2 } }, "provider_specific_entry.mars"],
  ])("names what it cannot read inside of %s", (member, value, name) => {
    const entry = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6, [member]: value };
    const { price, left } = readLitellmPrice(entry);
    expect(left).toEqual([name]);
    expect(price?.hours ?? [{}]).not.toEqual([]);
  });

  it("names prices that have no counterpart, and all of them where the prompt has none", () => {
    expect(
      readLitellmPrice({ input_cost_per_token: 0, input_cost_per_second: 1, input_cost_per_token_balanced: 2 }),
    ).toEqual({
      price: { input: 0, output: 0 },
      read: ["input_cost_per_token"],
      left: ["input_cost_per_second", "input_cost_per_token_balanced"],
    });
    expect(readLitellmPrice({ output_cost_per_token: 1 })).toEqual({
      price: undefined,
      read: [],
      left: ["output_cost_per_token"],
    });
  });
});
