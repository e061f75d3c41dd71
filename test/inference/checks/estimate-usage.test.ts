import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type ContentBlock, ContentBlockSchema, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { brokenUsage, completeUsage, estimateUsage } from "../../../src/inference/checks/estimate-usage.ts";

const text = (value: string): ContentBlock =>
  create(ContentBlockSchema, { kind: { case: "text", value: { text: value } } });
const image = create(ContentBlockSchema, { kind: { case: "image", value: {} } });
const asking = (...content: ContentBlock[]) => create(InferenceInputSchema, { messages: [{ content }] });
const usage = (init: object) => create(UsageSchema, init);
// 3 tokens stand around a message; letters that are the same are 8 a token where they are longer than a word.
const exchange = { input: asking(text("x".repeat(40))), content: [text("y".repeat(20))] };

describe("estimateUsage()", () => {
  it.each([
    ["nothing told", undefined, { inputTokens: 8, outputTokens: 4 }],
    ["a placeholder", { inputTokens: 9, outputTokens: 1 }, { inputTokens: 9, outputTokens: 4 }],
    ["more than can be read", { inputTokens: 9, outputTokens: 7 }, { inputTokens: 9, outputTokens: 7 }],
    ["a cached prompt", { cacheReadTokens: 9 }, { cacheReadTokens: 9, outputTokens: 4 }],
  ])("estimates beside %s", (_name, told, expected) => {
    expect(estimateUsage(told && usage(told), exchange)).toEqual(usage({ ...expected, estimated: true }));
  });

  it("counts media, and characters of several bytes as more than letters", () => {
    const input = asking(image, text("語".repeat(40_000)));
    expect(estimateUsage(undefined, { input, content: [] }).inputTokens).toBeCloseTo(1000 + 3 + 31_200, -1);
  });

  it("takes the tier, speed and region that are asked for where nothing was told", () => {
    const members = { service_tier: "priority", speed: "fast", inference_geo: "us", top_k: 1 };
    const input = create(InferenceInputSchema, { extension: { json: JSON.stringify(members) } });
    const billing = (told?: object) => estimateUsage(told && usage(told), { input, content: [] }).billing;
    expect(billing()).toMatchObject({ serviceTier: "priority", speed: "fast", region: "us" });
    expect(billing({ inputTokens: 1 })).toBeUndefined();
    const plain = create(InferenceInputSchema, { extension: { json: '{"service_tier":"auto","speed":3}' } });
    expect(estimateUsage(undefined, { input: plain, content: [] }).billing).toBeUndefined();
  });

  it("takes a message of nothing for what stands around it", () => {
    expect(estimateUsage(undefined, { input: asking(), content: [] }).inputTokens).toBe(3);
  });
});

describe("completeUsage()", () => {
  it("hands on what is told, and looks at nothing else", () => {
    const told = usage({ inputTokens: 1, outputTokens: 1 });
    const counted = completeUsage(told, () => {
      throw new Error("must not be asked");
    });
    expect(counted).toBe(told);
  });

  it.each([
    ["no usage", undefined, { inputTokens: 8, outputTokens: 4, estimated: true }],
    ["zeros", {}, { inputTokens: 8, outputTokens: 4, estimated: true }],
    ["a prompt alone", { inputTokens: 9 }, { inputTokens: 9, outputTokens: 4, estimated: true }],
    ["an output alone", { outputTokens: 9 }, { inputTokens: 8, outputTokens: 9, estimated: true }],
  ])("estimates beside %s", (_name, told, expected) => {
    expect(completeUsage(told && usage(told), () => exchange)).toEqual(usage(expected));
  });

  it("takes no output for what it is where nothing was said", () => {
    const told = usage({ inputTokens: 9 });
    expect(completeUsage(told, () => ({ ...exchange, content: [] }))).toBe(told);
  });
});

describe("brokenUsage()", () => {
  it("takes what came with the failure where it is no less than what can be read", () => {
    const told = usage({ inputTokens: 9, outputTokens: 6 });
    expect(brokenUsage(told, exchange)).toBe(told);
    expect(brokenUsage(usage({ inputTokens: 9, outputTokens: 1 }), exchange)).toEqual(
      usage({ inputTokens: 9, outputTokens: 4, estimated: true }),
    );
  });
});
