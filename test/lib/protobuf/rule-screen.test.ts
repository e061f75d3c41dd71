import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type InferenceInput,
  InferenceInputSchema,
  ListInferencesRequestSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createRuleScreen } from "../../../src/lib/protobuf/rule-screen.ts";

type Init = MessageInitShape<typeof InferenceInputSchema>;

const screen = createRuleScreen(InferenceInputSchema);
const input = (init: Init): InferenceInput => create(InferenceInputSchema, { model: "attune/m", ...init });
const tool = (name: string) => ({ kind: { case: "function" as const, value: { name } } });

describe("createRuleScreen()", () => {
  it.each<[string, Init]>([
    ["a plain request", { messages: [{}] }],
    ["a model of the longest name", { model: "m".repeat(256) }],
    ["numbers at their bounds", { temperature: 2, topP: 0, topK: 0, n: 8, candidates: 4, maxOutputTokens: 0 }],
    ["an integer of 64 bits", { maxCostNanos: 1n }],
    ["messages within a list", { tools: [tool("a"), tool("b")] }],
    ["messages within a message", { facts: { sessionId: "s" } }],
  ])("lets pass %s", (_, init) => {
    expect(screen(input(init))).toBe(true);
  });

  it.each<[string, Init]>([
    ["an empty text", { model: "" }],
    ["a text that is too long", { workload: "w".repeat(257) }],
    ["a number above its bound", { temperature: 2.1 }],
    ["no number", { temperature: Number.NaN }],
    ["an infinite number", { topP: Number.POSITIVE_INFINITY }],
    ["a number that is not above its bound", { maxCostNanos: 0n }],
    ["a list that is too long", { stopSequences: Array(8192).fill("") }],
    ["a broken message within a list", { tools: [tool("a"), tool("")] }],
    ["a broken message within a message", { facts: { sessionId: "s".repeat(257) } }],
    ["items with rules of their own", { betas: ["a-2026-01-01"] }],
    ["a map with rules", { metadata: { a: "b" } }],
  ])("leaves to the whole check %s", (_, init) => {
    expect(screen(input(init))).toBe(false);
  });

  const number = fc.oneof(fc.integer({ min: -1, max: 10 }), fc.constant(2147483647));
  const double = fc.oneof(fc.double(), fc.constantFrom(-0.1, 0, 1, 2, 2.1));
  const text = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.constantFrom("a".repeat(256), "\u{1F600}".repeat(200), "b".repeat(1025)),
  );
  const fields = fc.record({
    model: text,
    workload: text,
    temperature: double,
    topP: double,
    topK: number,
    n: number,
    candidates: number,
    topLogprobs: number,
    maxOutputTokens: number,
    maxCostNanos: fc.bigInt({ min: -1n, max: 1n }),
    betas: fc.array(text, { maxLength: 2 }),
    metadata: fc.dictionary(text, text, { maxKeys: 2 }),
    tools: fc.array(text.map(tool), { maxLength: 2 }),
    facts: fc.record({ sessionId: text, tags: fc.dictionary(text, text, { maxKeys: 2 }) }),
  });
  const few = fc.nat({ max: 13 }).chain((from) => {
    return fields.map((all) => Object.fromEntries(Object.entries(all).slice(from, from + 2)) as Init);
  });

  it("lets nothing pass that breaks a rule", () => {
    const validator = createValidator();
    const isValid = (message: InferenceInput) => validator.validate(InferenceInputSchema, message).kind === "valid";
    const passed = fc
      .sample(few, 2000)
      .map((init) => input(init))
      .filter(screen);
    expect(passed.length).toBeGreaterThan(50);
    expect(passed.filter((message) => !isValid(message))).toEqual([]);
  });

  it("leaves a filter with a rule for the items of a set to the whole check", () => {
    const screenFilter = createRuleScreen(ListInferencesRequestSchema as DescMessage);
    expect(screenFilter(create(ListInferencesRequestSchema, { pageSize: 1001 }))).toBe(false);
  });
});
