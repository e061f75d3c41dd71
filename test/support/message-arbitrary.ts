import { create, type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import fc from "fast-check";

/** Makes any message of a kind, with fields that it does not know, so many messages deep. */
export function anyMessage<Desc extends DescMessage>(schema: Desc, depth = 5): fc.Arbitrary<MessageShape<Desc>> {
  const members = new Map<string, fc.Arbitrary<unknown>>();
  for (const field of schema.fields) {
    if (field.fieldKind === "message" && depth === 0) continue;
    const value = anyValue(field, depth);
    if (field.oneof === undefined) members.set(field.localName, value);
    else {
      const group = field.oneof.localName;
      const chosen = value.map((of) => ({ case: field.localName, value: of }));
      members.set(group, members.has(group) ? fc.oneof(members.get(group) as fc.Arbitrary<unknown>, chosen) : chosen);
    }
  }
  // Most fields are absent, as in most messages: else these have thousands.
  const absent = [...members].map(([name, value]) => [name, fc.option(value, { nil: undefined, freq: 2 })] as const);
  return fc
    .tuple(fc.record(Object.fromEntries(absent)), fc.option(unknownFields, { nil: undefined, freq: 1 }))
    .map(([of, unknown]) => {
      const set = Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined));
      const message = create(schema, set as never) as MessageShape<Desc>;
      return unknown === undefined ? message : { ...message, $unknown: unknown };
    });
}

/** A number that no field has, as a varint and as bytes behind their length. */
const unknownFields = fc.constant([
  { no: 90_001, wireType: 0, data: Uint8Array.of(0x96, 0x01) },
  { no: 90_002, wireType: 2, data: Uint8Array.of(0x02, 0x68, 0x69) },
]);

function anyValue(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.message !== undefined && depth === 0) return fc.constant([]);
  const one = field.message ? anyMessage(field.message, depth - 1) : anyScalar(field);
  if (field.fieldKind === "list") return fc.array(one, { maxLength: 3 });
  return field.fieldKind === "map" ? fc.dictionary(anyText, one, { maxKeys: 3 }) : one;
}

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ maxLength: 300, size: "max" }),
  fc.constantFrom("", "\ud800", "é".repeat(64), "a".repeat(40), "a".repeat(41), "a".repeat(128)),
);

function anyScalar(field: DescField): fc.Arbitrary<unknown> {
  if (field.enum !== undefined) return fc.constantFrom(...field.enum.values.map(({ number }) => number), 99, -1);
  switch ("scalar" in field ? field.scalar : undefined) {
    case ScalarType.STRING:
      return anyText;
    case ScalarType.BYTES:
      return fc.uint8Array({ maxLength: 200 });
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.INT32:
      return fc.oneof(fc.integer(), fc.constantFrom(0, -0, 127, 128, 16_383, 16_384, 2 ** 31 - 1, -(2 ** 31)));
    case ScalarType.UINT32:
      return fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 21 - 1, 2 ** 21, 2 ** 28 - 1, 2 ** 28, 2 ** 32 - 1));
    case ScalarType.INT64:
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case ScalarType.DOUBLE:
      return fc.oneof(fc.double(), fc.constantFrom(0, -0, 0.5));
    default:
      throw new Error(`nothing is made for ${field.name}`);
  }
}
