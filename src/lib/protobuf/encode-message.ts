import { type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { FunctionText } from "../function-text.ts";
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
  // Known before its fields are: a message may have others of its kind.
  writers.set(schema, (message) => writers.get(schema)?.(message));
  const write = fieldsWriter(schema);
  writers.set(schema, write);
  return write;
}

/** Makes the function that writes the fields of a kind of message, the last one first. */
function fieldsWriter(schema: DescMessage): Write<Fields> {
  const text = new FunctionText();
  const refuse = text.bind(() => {
    throw new Error(`it is no ${schema.typeName}`);
  });
  const fields = schema.fields.toSorted((a, b) => b.number - a.number);
  return text.make("message", [
    `if (message.$typeName !== ${JSON.stringify(schema.typeName)}) ${refuse}();`,
    `if (message.$unknown !== undefined) ${text.bind(writeUnknown)}(message.$unknown);`,
    ...fields.map((field) => fieldStatement(field, text)),
  ]);
}

type UnknownFields = readonly { readonly no: number; readonly wireType: number; readonly data: Uint8Array }[];

/** Fields of a newer version stay as they came, behind all others. */
function writeUnknown(fields: UnknownFields): void {
  for (const { no, wireType, data } of fields.toReversed()) {
    bytes.raw(data);
    bytes.varint(((no << 3) | wireType) >>> 0);
  }
}

/** Returns the statement that writes a field of the message. */
function fieldStatement(field: DescField, text: FunctionText): string {
  const value = `message[${JSON.stringify(field.localName)}]`;
  if (field.fieldKind === "map") return `${text.bind(mapWriter(field))}(${value});`;
  if (field.fieldKind === "list") return `${text.bind(listWriter(field))}(${value});`;
  const write = text.bind(field.fieldKind === "message" ? messageWriter(field) : scalarWriter(field, scalarOf(field)));
  if (field.oneof !== undefined) {
    const group = `message[${JSON.stringify(field.oneof.localName)}]`;
    return `if (${group}.case === ${JSON.stringify(field.localName)}) ${write}(${group}.value);`;
  }
  if (!isImplicit(field)) return `if (${value} !== undefined) ${write}(${value});`;
  return `if (${saysSomething(scalarOf(field), value)}) ${write}(${value});`;
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

/** Returns the expression that tells whether a value is another one than nothing. */
function saysSomething(type: ScalarType, value: string): string {
  if (type === ScalarType.STRING) return `${value} !== ""`;
  if (type === ScalarType.BOOL) return `${value} !== false`;
  if (type === ScalarType.BYTES) return `!(${value} instanceof Uint8Array) || ${value}.length > 0`;
  if (type === ScalarType.INT64) return `${value} !== 0n`;
  // A double of -0 is not nothing.
  return type === ScalarType.DOUBLE ? `!Object.is(${value}, 0)` : `${value} !== 0`;
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

function listWriter(field: ListField): Write<readonly unknown[]> {
  const lasts = (items: readonly unknown[], write: Write<unknown>) => {
    for (let index = items.length - 1; index >= 0; index--) write(items[index]);
  };
  if (field.listKind === "message") {
    const write = messageWriter(field);
    return (items) => lasts(items, write);
  }
  if (!field.packed) {
    const write = scalarWriter(field, scalarOf(field));
    return (items) => lasts(items, write);
  }
  const write = valueWriter(field, scalarOf(field));
  const tag = tagOf(field, WireType.LengthDelimited);
  return (items) => {
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
  const { mapKey } = field;
  if (mapKey !== ScalarType.STRING || field.scalar !== ScalarType.STRING) throw unheardOf(field);
  const write = valueWriter(field, ScalarType.STRING);
  const tag = tagOf(field, WireType.LengthDelimited);
  return (entries) => {
    for (const [key, value] of Object.entries(entries).toReversed()) {
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
