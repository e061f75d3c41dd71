import { type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { BackwardBytes } from "./backward-bytes.ts";

/** Writes a value, or the fields of a message, in front of what is written. */
type Write<Value> = (value: Value) => void;
type Fields = Readonly<Record<string, unknown>>;

const bytes = new BackwardBytes();
const writers = new WeakMap<DescMessage, Write<Fields>>();

/**
 * Encodes a message, to the same bytes as the library's toBinary(), which makes a buffer of several times the size for each message: this
 * one keeps its own. docs/decisions/0053-hot-path.md has what that is worth. Throws an Error for what a field cannot hold, and for a kind of field that nothing that is recorded has.
 */
export function encodeMessage<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Uint8Array {
  bytes.begin();
  writerOf(schema)(message as unknown as Fields);
  return bytes.take();
}

function writerOf(schema: DescMessage): Write<Fields> {
  const known = writers.get(schema);
  if (known !== undefined) return known;
  const fields: Write<Fields>[] = [];
  const write: Write<Fields> = (message) => {
    if (message["$typeName"] !== schema.typeName) throw new Error(`it is no ${schema.typeName}`);
    if (message["$unknown"] !== undefined) writeUnknown(message["$unknown"] as UnknownFields);
    for (let index = 0; index < fields.length; index++) fields[index]?.(message);
  };
  // Known before its fields are: a message may have others of its kind.
  writers.set(schema, write);
  for (const field of schema.fields.toSorted((a, b) => b.number - a.number)) fields.push(fieldWriter(field));
  return write;
}

type UnknownFields = readonly { readonly no: number; readonly wireType: number; readonly data: Uint8Array }[];

/** Fields of a newer version stay as they came, behind all others. */
function writeUnknown(fields: UnknownFields): void {
  for (const { no, wireType, data } of fields.toReversed()) {
    bytes.raw(data);
    bytes.varint(((no << 3) | wireType) >>> 0);
  }
}

function fieldWriter(field: DescField): Write<Fields> {
  const { localName } = field;
  if (field.fieldKind === "map") return mapWriter(field);
  if (field.fieldKind === "list") return listWriter(field);
  const write = field.fieldKind === "message" ? messageWriter(field) : scalarWriter(field, scalarOf(field));
  if (field.oneof !== undefined) {
    const group = field.oneof.localName;
    return (message) => {
      const chosen = message[group] as { readonly case?: string; readonly value?: unknown };
      if (chosen.case === localName) write(chosen.value);
    };
  }
  const isSet = isImplicit(field) ? saysSomething(scalarOf(field)) : (value: unknown) => value !== undefined;
  return (message) => {
    const value = message[localName];
    if (isSet(value)) write(value);
  };
}

type SingularField = DescField & { readonly fieldKind: "scalar" | "enum" | "message" };
type ListField = DescField & { readonly fieldKind: "list" };
type MapField = DescField & { readonly fieldKind: "map" };

function scalarOf(field: DescField): ScalarType {
  if ("scalar" in field && field.scalar !== undefined) return field.scalar;
  return ScalarType.INT32;
}

/** Whether a field is not written where it has the value that is nothing. */
function isImplicit({ fieldKind, presence }: SingularField): boolean {
  return fieldKind !== "message" && presence === FeatureSet_FieldPresence.IMPLICIT;
}

/** Returns what tells whether a value is another one than nothing. */
function saysSomething(type: ScalarType): (value: unknown) => boolean {
  if (type === ScalarType.STRING) return (value) => value !== "";
  if (type === ScalarType.BOOL) return (value) => value !== false;
  if (type === ScalarType.BYTES) return (value) => !(value instanceof Uint8Array) || value.length > 0;
  if (type === ScalarType.INT64) return (value) => value !== 0n;
  // A double of -0 is not nothing.
  return type === ScalarType.DOUBLE ? (value) => !Object.is(value, 0) : (value) => value !== 0;
}

function messageWriter(field: DescField): Write<unknown> {
  if (field.message === undefined || ("delimitedEncoding" in field && field.delimitedEncoding)) throw unheardOf(field);
  const write = writerOf(field.message);
  const tag = tagOf(field, WireType.LengthDelimited);
  return (value) => {
    const end = bytes.length;
    write(value as Fields);
    bytes.varint(bytes.length - end);
    bytes.varint(tag);
  };
}

function scalarWriter(field: DescField, type: ScalarType): Write<unknown> {
  const write = valueWriter(field, type);
  const tag = tagOf(field, wireTypeOf(type));
  return (value) => {
    write(value);
    bytes.varint(tag);
  };
}

function listWriter(field: ListField): Write<Fields> {
  const { localName } = field;
  const lasts = (items: readonly unknown[], write: Write<unknown>) => {
    for (let index = items.length - 1; index >= 0; index--) write(items[index]);
  };
  if (field.listKind === "message") {
    const write = messageWriter(field);
    return (message) => lasts(message[localName] as unknown[], write);
  }
  if (!field.packed) {
    const write = scalarWriter(field, scalarOf(field));
    return (message) => lasts(message[localName] as unknown[], write);
  }
  const write = valueWriter(field, scalarOf(field));
  const tag = tagOf(field, WireType.LengthDelimited);
  return (message) => {
    const items = message[localName] as unknown[];
    if (items.length === 0) return;
    const end = bytes.length;
    lasts(items, write);
    bytes.varint(bytes.length - end);
    bytes.varint(tag);
  };
}

const KEY_TAG = (1 << 3) | WireType.LengthDelimited;
const VALUE_TAG = (2 << 3) | WireType.LengthDelimited;

function mapWriter(field: MapField): Write<Fields> {
  const { localName, mapKey } = field;
  if (mapKey !== ScalarType.STRING || field.scalar !== ScalarType.STRING) throw unheardOf(field);
  const write = valueWriter(field, ScalarType.STRING);
  const tag = tagOf(field, WireType.LengthDelimited);
  return (message) => {
    for (const [key, value] of Object.entries(message[localName] as Fields).toReversed()) {
      const end = bytes.length;
      write(value);
      bytes.varint(VALUE_TAG);
      write(key);
      bytes.varint(KEY_TAG);
      bytes.varint(bytes.length - end);
      bytes.varint(tag);
    }
  };
}

function valueWriter(field: DescField, type: ScalarType): Write<unknown> {
  const refuse = (value: unknown): never => {
    throw new Error(
      `${field.parent.typeName}.${field.name} cannot hold ${typeof value} ${String(value).slice(0, 100)}`,
    );
  };
  switch (type) {
    case ScalarType.STRING:
      return (value) => (typeof value === "string" ? bytes.text(value) : refuse(value));
    case ScalarType.BYTES:
      return (value) => {
        if (!(value instanceof Uint8Array)) return refuse(value);
        bytes.raw(value);
        bytes.varint(value.length);
      };
    case ScalarType.BOOL:
      return (value) => (typeof value === "boolean" ? bytes.varint(Number(value)) : refuse(value));
    case ScalarType.INT32:
      return (value) => (isInteger(value, -(2 ** 31), 2 ** 31) ? bytes.signed(value) : refuse(value));
    case ScalarType.UINT32:
      return (value) => (isInteger(value, 0, 2 ** 32) ? bytes.varint(value) : refuse(value));
    case ScalarType.INT64:
      return (value) =>
        typeof value === "bigint" && BigInt.asIntN(64, value) === value ? bytes.long(value) : refuse(value);
    case ScalarType.DOUBLE:
      return (value) => (typeof value === "number" ? bytes.double(value) : refuse(value));
    default:
      throw unheardOf(field);
  }
}

function isInteger(value: unknown, least: number, end: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) < end;
}

function wireTypeOf(type: ScalarType): WireType {
  if (type === ScalarType.STRING || type === ScalarType.BYTES) return WireType.LengthDelimited;
  return type === ScalarType.DOUBLE ? WireType.Bit64 : WireType.Varint;
}

function tagOf({ number }: DescField, wireType: WireType): number {
  return ((number << 3) | wireType) >>> 0;
}

function unheardOf(field: DescField): Error {
  return new Error(`${field.parent.typeName}.${field.name} is of a kind that is not encoded here`);
}
