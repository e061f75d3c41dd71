import { create, type DescField, type DescMessage, type Message, ScalarType, toBinary } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { UInt32ValueSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema, InferenceInputSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ListModelsResponseSchema } from "../../../../gen/attune/model/v1/model_pb.ts";
import { encodeMessage } from "../../../../src/store/write/recorder/encode-message.ts";

const TYPES: readonly DescMessage[] = [InferenceInputSchema, GenerateResponseSchema, ListModelsResponseSchema];
const DEPTH = 5;

describe("encodeMessage()", () => {
  it.each(TYPES)("writes what toBinary() writes: $typeName", (desc) => {
    fc.assert(
      fc.property(messages(desc, DEPTH), (message) => {
        expect(Buffer.from(encodeMessage(desc, message))).toEqual(Buffer.from(toBinary(desc, message)));
      }),
      { numRuns: 200 },
    );
  });

  it("writes fields that it does not know", () => {
    const message = create(UsageSchema, { inputTokens: 300 });
    message.$unknown = [{ no: 900, wireType: WireType.LengthDelimited, data: Uint8Array.of(2, 104, 105) }];
    const expected = Buffer.from([0x08, 0xac, 0x02, 0xa2, 0x38, 2, 104, 105]);
    expect(Buffer.from(encodeMessage(UsageSchema, message))).toEqual(expected);
  });

  it("throws of a value that its field cannot hold, and leaves nothing of it for the next message", () => {
    const broken = create(UsageSchema, { inputTokens: 7, outputTokens: 1.5 });
    expect(() => encodeMessage(UsageSchema, broken)).toThrow("invalid int32: 1.5");
    const next = create(UsageSchema, { outputTokens: 2 });
    expect(Buffer.from(encodeMessage(UsageSchema, next))).toEqual(Buffer.from(toBinary(UsageSchema, next)));
  });

  it("writes a message that is larger than the memory that is kept", () => {
    const message = create(InferenceInputSchema, { model: "é".repeat(400_000) });
    for (let time = 0; time < 2; time++) {
      expect(Buffer.from(encodeMessage(InferenceInputSchema, message)).length).toBe(800_004);
    }
  });

  it("says of a kind of field that it was not made for that it has to be taught", () => {
    const message = create(UInt32ValueSchema, { value: 1 });
    expect(() => encodeMessage(UInt32ValueSchema, message)).toThrow("teach it to encodeMessage()");
  });
});

/** Any message of a type; below `depth` none has another in it. */
function messages(desc: DescMessage, depth: number): fc.Arbitrary<Message> {
  const groups = desc.oneofs.map((oneof) => fc.option(fc.constantFrom(...oneof.fields)));
  const fields = desc.fields.map((field) =>
    field.message !== undefined && depth === 0 ? fc.constant(undefined) : fc.option(values(field, depth)),
  );
  return fc.tuple(fc.tuple(...groups), fc.tuple(...fields)).map(([chosen, given]) => {
    const init: Record<string, unknown> = {};
    for (const [index, field] of desc.fields.entries()) {
      const value = given[index] ?? undefined;
      if (value === undefined) continue;
      if (field.oneof === undefined) init[field.localName] = value;
      else if (chosen.includes(field)) init[field.oneof.localName] = { case: field.localName, value };
    }
    return create(desc, init);
  });
}

function values(field: DescField, depth: number): fc.Arbitrary<unknown> {
  const one =
    field.message === undefined ? scalars(field.scalar ?? ScalarType.INT32) : messages(field.message, depth - 1);
  if (field.fieldKind === "map") return fc.dictionary(fc.string(), one, { maxKeys: 3 });
  return field.fieldKind === "list" ? fc.array(one, { maxLength: 3 }) : one;
}

function scalars(type: ScalarType): fc.Arbitrary<unknown> {
  if (type === ScalarType.STRING) return fc.string({ unit: "grapheme", maxLength: 300 });
  if (type === ScalarType.BYTES) return fc.uint8Array({ maxLength: 300 });
  if (type === ScalarType.BOOL) return fc.boolean();
  if (type === ScalarType.DOUBLE) return fc.double();
  return type === ScalarType.INT64 ? fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n) : fc.integer();
}
