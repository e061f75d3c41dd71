import { create, type DescMessage, hasOption, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import {
  field as fieldRules,
  message as messageRules,
  oneof as oneofRules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { describe, expect, it } from "vitest";
import { CreateKeyRequestSchema } from "../../../gen/attune/admin/v1/admin_pb.ts";
import { ContentBlockSchema, MessageSchema, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  CreateItemsRequestSchema,
  UpdateConversationRequestSchema,
} from "../../../gen/attune/conversation/v1/conversation_pb.ts";
import { CreateFeedbackRequestSchema } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, type InferenceError } from "../../../src/hub/error.ts";
import { createCountCheck, createInputValidator, createRecordValidator } from "../../../src/inference/run/validate.ts";

const validate = createInputValidator();
const good = { model: "attune/m", messages: [{ role: Role.USER }] };
const tool = (name: string) => ({ kind: { case: "function" as const, value: { name } } });
const input = (init: MessageInitShape<typeof InferenceInputSchema>) => create(InferenceInputSchema, init);

describe("createInputValidator()", () => {
  it("accepts what keeps the rules", () => {
    expect(() =>
      validate(input({ ...good, temperature: 2, maxOutputTokens: 0, betas: ["a-2026-01-01", "!~"] })),
    ).not.toThrow();
  });

  it.each([
    ["model", { ...good, model: "" }],
    ["messages", { ...good, messages: [] }],
    ["temperature", { ...good, temperature: 2.1 }],
    ["temperature", { ...good, temperature: Number.NaN }],
    ["top_p", { ...good, topP: -0.1 }],
    ["max_output_tokens", { ...good, maxOutputTokens: -1 }],
    ["workload", { ...good, workload: "w".repeat(257) }],
    ["betas[1]", { ...good, betas: ["b", "a\r\nx: y"] }],
    ["betas[0]", { ...good, betas: ["\u65e5\u672c"] }],
    ["betas[0]", { ...good, betas: ["a,b"] }],
    ["betas[0]", { ...good, betas: [""] }],
    ["betas[0]", { ...good, betas: ["b".repeat(129)] }],
    ["metadata", { ...good, metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, ""])) }],
    ['metadata["a"]', { ...good, metadata: { a: "b".repeat(513) } }],
    ["tools[1].function.name", { ...good, tools: [tool("a"), tool("")] }],
  ])("names the field %s", (param, init) => {
    expect(() => validate(input(init))).toThrow(
      expect.objectContaining({ reason: ErrorReason.INVALID_REQUEST, facts: expect.objectContaining({ param }) }),
    );
  });

  it("passes over no rule in messages and system, which it does not look into", () => {
    const seen = new Set<DescMessage>([MessageSchema, ContentBlockSchema]);
    for (const { fields } of seen) for (const { message } of fields) if (message) seen.add(message);
    const ruled = [...seen].filter(
      (desc) =>
        hasOption(desc, messageRules) ||
        desc.fields.some((field) => hasOption(field, fieldRules)) ||
        desc.oneofs.some((oneof) => hasOption(oneof, oneofRules)),
    );
    expect(seen.size).toBeGreaterThan(15);
    expect(ruled.map(({ typeName }) => typeName)).toEqual([]);
  });
});

const check = createCountCheck({ messages: 2, tools: 1 });

function inputOf(messages: number, tools: number) {
  const many = (count: number) => Array.from({ length: count }, () => ({}));
  return create(InferenceInputSchema, { messages: many(messages), tools: many(tools) });
}

describe("createCountCheck()", () => {
  it("takes as many as the limits allow", () => {
    expect(() => check(inputOf(2, 1))).not.toThrow();
  });

  it.each([
    [3, 0, "messages: has 3 entries, and this service accepts at most 2", "messages"],
    [3, 9, "messages: has 3 entries, and this service accepts at most 2", "messages"],
    [1, 2, "tools: has 2 entries, and this service accepts at most 1", "tools"],
  ])("refuses %i messages and %i tools", (messages, tools, message, param) => {
    expect(() => check(inputOf(messages, tools))).toThrow(expect.objectContaining({ message, facts: { param } }));
  });
});

const SCHEMAS = [CreateItemsRequestSchema, UpdateConversationRequestSchema, CreateFeedbackRequestSchema];
const key = (members: object) => create(CreateKeyRequestSchema, { key: members });
const said = (text: string) => [{ content: [{ kind: { case: "text" as const, value: { text } } }] }];

/** The place that the check names. */
function placeOf(message: Message): string | undefined {
  const schema = SCHEMAS.find(({ typeName }) => typeName === message.$typeName) ?? CreateKeyRequestSchema;
  try {
    createRecordValidator<DescMessage>(schema)(message);
    return undefined;
  } catch (thrown) {
    const { violations } = (thrown as InferenceError).facts;
    return violations?.find(({ problem }) => problem === "must not hold the character U+0000")?.param;
  }
}

describe("createRecordValidator()", () => {
  it.each([
    ["a text", key({ name: "a\0b" }), "key.name"],
    ["a list", key({ permissions: ["a", "b\0"] }), "key.permissions[1]"],
    ["a map", create(UpdateConversationRequestSchema, { metadata: { a: "b\0" } }), "metadata.a"],
    ["the name in a map", create(UpdateConversationRequestSchema, { metadata: { "a\0": "b" } }), "metadata.a\\u0000"],
    [
      "a oneof",
      create(CreateFeedbackRequestSchema, { events: [{ feedback: [{ value: { case: "text", value: "\0" } }] }] }),
      "events[0].feedback[0].text",
    ],
    ["what is said to a model", create(CreateItemsRequestSchema, { items: said("\0") }), undefined],
    ["no text", key({ name: "a" }), undefined],
  ])("looks for U+0000 in %s", (_where, message, place) => {
    expect(placeOf(message)).toBe(place);
  });
});
