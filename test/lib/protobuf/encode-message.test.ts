import { create, type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
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

function sameAsLibrary<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): void {
  expect(Buffer.from(encodeMessage(schema, message)).toString("hex")).toBe(
    Buffer.from(toBinary(schema, message)).toString("hex"),
  );
}

describe("encodeMessage", () => {
  it("writes the bytes that the encoding's documentation has", () => {
    // Field 2 is a text: tag 0x12, length, UTF-8. https://protobuf.dev/programming-guides/encoding/
    const { number } = TextBlockSchema.field.text;
    const message = create(TextBlockSchema, { text: "testing" });
    expect([...encodeMessage(TextBlockSchema, message)]).toEqual([(number << 3) | 2, 7, ...Buffer.from("testing")]);
    // The least number of seconds in ten bytes, 150 in two.
    const time = create(TimestampSchema, { seconds: -1n, nanos: 150 });
    expect(Buffer.from(encodeMessage(TimestampSchema, time)).toString("hex")).toBe("08ffffffffffffffffff01109601");
  });

  it.each([StoredInferenceSchema, GenerateResponseSchema])("writes what the library writes for any $name", (schema) => {
    fc.assert(
      fc.property(anyMessage(schema), (message) => sameAsLibrary(schema, message as never)),
      { numRuns: 2000 },
    );
  });

  it("writes texts that are longer than the room it keeps, and is small again", () => {
    for (const length of [65_530, 65_536, 3_000_000, 1]) {
      sameAsLibrary(TextBlockSchema, create(TextBlockSchema, { text: "é".repeat(length) }));
    }
  });

  it.each(["a", "é", "€", "👋", "\ud800"])("writes long texts of %j beside others", (unit) => {
    const lengths = [41, 300, 33_000, 131_072, 131_073, 500].map((length) => Math.floor(length / unit.length));
    const content = lengths.map((length) => ({
      kind: { case: "text" as const, value: { text: unit.repeat(length) } },
    }));
    sameAsLibrary(GenerateResponseSchema, create(GenerateResponseSchema, { id: "id", content }));
  });

  it("gives bytes that the next call leaves as they are", () => {
    const first = encodeMessage(TextBlockSchema, create(TextBlockSchema, { text: "first" }));
    encodeMessage(TextBlockSchema, create(TextBlockSchema, { text: "other" }));
    expect(Buffer.from(first).toString()).toContain("first");
  });

  it("says which field cannot hold what it is given, and goes on", () => {
    const broken = create(InferenceInputSchema, { model: "m", maxOutputTokens: 1.5 });
    expect(() => encodeMessage(InferenceInputSchema, broken)).toThrow(
      "attune.inference.v1.InferenceInput.max_output_tokens cannot hold number 1.5",
    );
    const another = create(TextBlockSchema, { text: 7 as never });
    expect(() => encodeMessage(TextBlockSchema, another)).toThrow("TextBlock.text cannot hold number 7");
    expect(() => encodeMessage(TextBlockSchema, broken as never)).toThrow("it is no attune.content.v1.TextBlock");
    sameAsLibrary(InferenceInputSchema, create(InferenceInputSchema, { model: "m", maxOutputTokens: 1 }));
  });
});
