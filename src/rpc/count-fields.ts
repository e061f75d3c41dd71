import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** Nesting up to which fields are counted: the decoder refuses what is nested deeper. */
const MAX_DEPTH = 100;

/** Bytes of a run of numbers that cost as much to decode as a field does. */
const PACKED_BYTES = 16;

const fieldsOf = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

/**
 * Counts the fields of an encoded message and of all messages in it, every item of a list for itself, and stops as soon
 * as there are more than `limit`: a field costs two bytes to send, and a hundred times as much to decode. Throws an
 * Error for bytes that are no message.
 */
export function countFields(schema: DescMessage, bytes: Uint8Array, limit: number): number {
  const reader = new BinaryReader(bytes);
  return countWithin(schema, reader, { end: reader.len, depth: 0, limit });
}

interface Range {
  readonly end: number;
  readonly depth: number;
  readonly limit: number;
}

function countWithin(schema: DescMessage, reader: BinaryReader, { end, depth, limit }: Range): number {
  const known = knownFields(schema);
  let count = 0;
  while (reader.pos < end && count <= limit) {
    const [number, wireType] = reader.tag();
    const field = known.get(number);
    count += 1;
    if (wireType !== WireType.LengthDelimited || field === undefined) {
      // Nothing is left out of the count: this is the library's method that reads past a field which holds no message.
      // Told its number, it leaves a group at the tag that ends this very one, and refuses any other.
      reader.skip(wireType, number);
      continue;
    }
    const length = reader.uint32();
    const inner = { end: reader.pos + length, depth: depth + 1, limit: limit - count };
    if (inner.end > end) throw new RangeError("a field ends behind its message");
    const child = getMessage(field);
    if (child !== undefined && depth < MAX_DEPTH) count += countWithin(child, reader, inner);
    else if (isPacked(field)) count += Math.ceil(length / PACKED_BYTES);
    reader.pos = inner.end;
  }
  return count;
}

function knownFields(schema: DescMessage): ReadonlyMap<number, DescField> {
  let known = fieldsOf.get(schema);
  if (known === undefined) {
    known = new Map(schema.fields.map((field) => [field.number, field]));
    fieldsOf.set(schema, known);
  }
  return known;
}

function getMessage(field: DescField): DescMessage | undefined {
  if (field.fieldKind === "message") return field.message;
  return field.fieldKind === "list" && field.listKind === "message" ? field.message : undefined;
}

/** Tells whether numbers of a list came as one run of bytes. */
function isPacked(field: DescField): boolean {
  return field.fieldKind === "list" && field.listKind !== "message" && "packed" in field && field.packed;
}
