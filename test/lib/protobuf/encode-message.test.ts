import { create, type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { FeatureSetSchema, StructSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextBlockSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  GenerateResponseSchema,
  InferenceInputSchema,
  StoredInferenceSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { encodeMessage } from "../../../src/lib/protobuf/encode-message.ts";
import { anyMessage } from "../../support/message-arbitrary.ts";

function expectSameAsLibrary<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): void {
  expect(Buffer.from(encodeMessage(schema, message)).toString("hex")).toBe(
    Buffer.from(toBinary(schema, message)).toString("hex"),
  );
}

function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnknown);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const members = Object.entries(value).filter(([name]) => name !== "$unknown");
  return Object.fromEntries(members.map(([name, member]) => [name, withoutUnknown(member)]));
}

describe("encodeMessage()", () => {
  it("writes the bytes that the encoding's documentation has", () => {
    // Tag, length, UTF-8; the least number of seconds in ten bytes, 150 in two. https://protobuf.dev/programming-guides/encoding/
    const { number } = TextBlockSchema.field.text;
    const message = create(TextBlockSchema, { text: "testing" });
    expect([...encodeMessage(TextBlockSchema, message)]).toEqual([(number << 3) | 2, 7, ...Buffer.from("testing")]);
    const time = create(TimestampSchema, { seconds: -1n, nanos: 150 });
    expect(Buffer.from(encodeMessage(TimestampSchema, time)).toString("hex")).toBe("08ffffffffffffffffff01109601");
  });

  it.each([StoredInferenceSchema, GenerateResponseSchema])("writes what the library writes for any $name", (schema) => {
    fc.assert(
      fc.property(anyMessage(schema), (message) => {
        expectSameAsLibrary(schema, message as never);
        // Fields that nothing knows are left to the library.
        expectSameAsLibrary(schema, withoutUnknown(message) as never);
      }),
      { numRuns: 300 },
    );
  });

  it.each(["a", "é", "€", "👋", "\ud800"])("writes texts of all lengths of %j", (unit) => {
    for (const length of [41, 42, 43, 63, 64, 126, 127, 128, 16_383, 16_384, 65_530, 65_536, 3_000_000, 1]) {
      const text = unit.repeat(Math.ceil(length / unit.length));
      const content = [text, "end"].map((part) => ({ kind: { case: "text" as const, value: { text: part } } }));
      expectSameAsLibrary(GenerateResponseSchema, create(GenerateResponseSchema, { id: "id", content }));
    }
  });

  it("gives bytes that the next call leaves as they are", () => {
    for (const text of ["first", "first".repeat(1_000_000)]) {
      const first = encodeMessage(TextBlockSchema, create(TextBlockSchema, { text }));
      const copy = Buffer.from(first);
      encodeMessage(TextBlockSchema, create(TextBlockSchema, { text: "other".repeat(1_000_000) }));
      expect(Buffer.compare(first, copy)).toBe(0);
    }
  });

  it("leaves other editions and messages with a form of their own to the library", () => {
    expectSameAsLibrary(FeatureSetSchema, create(FeatureSetSchema, { fieldPresence: 2 }));
    const fields = { a: { kind: { case: "numberValue" as const, value: 1 } } };
    expectSameAsLibrary(StructSchema, create(StructSchema, { fields: fields as never }));
  });

  it.each([
    [InferenceInputSchema, create(InferenceInputSchema, { model: "m", maxOutputTokens: 1.5 })],
    [TextBlockSchema, create(InferenceInputSchema)],
    [StoredInferenceSchema, { ...create(StoredInferenceSchema), input: {} }],
    [GenerateResponseSchema, { ...create(GenerateResponseSchema), content: undefined }],
  ])("throws what the library throws: %#", (schema, message) => {
    const thrown = (encode: (schema: DescMessage, message: never) => unknown) => {
      try {
        encode(schema, message as never);
      } catch (error) {
        return String(error);
      }
      return "nothing";
    };
    expect(thrown(encodeMessage)).toBe(thrown(toBinary));
    expect(thrown(encodeMessage)).not.toBe("nothing");
  });
});
