import { create as createByLibrary, type DescMessage, isMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { AnySchema, FieldDescriptorProtoSchema, Int32ValueSchema, StructSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContentBlockSchema, TextBlockSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { CreateFeedbackRequestSchema } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import {
  GenerateResponseSchema,
  InferenceInputSchema,
  StoredInferenceSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { create } from "../../../src/lib/protobuf/create.ts";
import { anyMessage } from "../../support/message-arbitrary.ts";

function sameAsLibrary<Desc extends DescMessage>(schema: Desc, init?: MessageInitShape<Desc>): void {
  expect(create(schema, init)).toStrictEqual(createByLibrary(schema, init));
}

/** What a message says without its type and the types of those in it, some of which stay. */
function saidBy(value: unknown, keepsType: boolean): unknown {
  if (Array.isArray(value)) return value.map((item, position) => saidBy(item, position % 2 === 1));
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const members = Object.entries(value).map(([name, member]) => [name, saidBy(member, name.length % 3 === 0)]);
  const { $typeName, ...said } = Object.fromEntries(members);
  return keepsType && $typeName !== undefined ? value : said;
}

describe("create", () => {
  it.each([StoredInferenceSchema, GenerateResponseSchema, CreateFeedbackRequestSchema])(
    "makes what the library makes for any $name",
    (schema) => {
      fc.assert(
        fc.property(anyMessage(schema), (message) =>
          sameAsLibrary<DescMessage>(schema, saidBy(message, false) as MessageInitShape<DescMessage>),
        ),
        { numRuns: 1000 },
      );
    },
  );

  it("makes an empty message of nothing, of undefined and of null members", () => {
    sameAsLibrary(InferenceInputSchema);
    sameAsLibrary(InferenceInputSchema, {});
    sameAsLibrary(InferenceInputSchema, { model: null, messages: undefined, seed: null } as never);
    expect(create(TextBlockSchema)).toStrictEqual({ $typeName: "attune.content.v1.TextBlock", text: "" });
  });

  it("hands back a message of the kind that it is given", () => {
    const message = createByLibrary(TextBlockSchema, { text: "hello" });
    expect(create(TextBlockSchema, message)).toBe(message);
    const block = create(ContentBlockSchema, { kind: { case: "text", value: message } });
    expect(block.kind.value).toBe(message);
    expect(isMessage(block, ContentBlockSchema)).toBe(true);
  });

  it("makes another list and another map for each message", () => {
    const [one, other] = [create(InferenceInputSchema), create(InferenceInputSchema)];
    expect(one.messages).not.toBe(other.messages);
  });

  it("leaves out a case that a message has not", () => {
    sameAsLibrary(ContentBlockSchema, { kind: { case: "unheardOf", value: {} } } as never);
    sameAsLibrary(ContentBlockSchema, { kind: null } as never);
  });

  it("leaves kinds to the library that no proto of ours has", () => {
    sameAsLibrary(FieldDescriptorProtoSchema, { name: "n" });
    sameAsLibrary(StructSchema, { fields: { a: { kind: { case: "numberValue", value: 1 } } } });
    sameAsLibrary(Int32ValueSchema, { value: 3 });
    sameAsLibrary(AnySchema, { typeUrl: "u", value: Uint8Array.of(1) });
  });
});
