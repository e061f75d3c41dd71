import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { createEncodingPlan, type EncodingPlan, type EncodingStep, NO_BYTES } from "./encoding-plan.ts";

type Members = Readonly<Record<string, unknown>>;

const FIRST_BYTES = 64 * 1024;
/** Larger memory than this is not kept for the next message. */
const KEPT_BYTES = 1024 * 1024;
/** Shorter texts are written here where they are ASCII: to call Buffer takes longer. */
const SHORT_TEXT = 64;
/** The most bytes of a tag and a number. */
const ROOM_BYTES = 16;

let bytes = new Uint8Array(FIRST_BYTES);
let buffer = Buffer.from(bytes.buffer);
let view = new DataView(bytes.buffer);
let end = 0;

/**
 * Encodes a message as toBinary() does, byte for byte, by one loop that writes into memory kept from call to call;
 * `docs/notes/hot-path.md` has what that saves. Whatever is unusual is left to toBinary(), and so are all errors.
 */
export function encodeMessage<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Uint8Array {
  end = 0;
  if (!writeMessage(createEncodingPlan(schema), message as unknown as Members)) return toBinary(schema, message);
  const encoded = bytes.slice(0, end);
  if (bytes.length > KEPT_BYTES) keepMemory(new Uint8Array(FIRST_BYTES));
  return encoded;
}

function keepMemory(memory: Uint8Array<ArrayBuffer>): void {
  bytes = memory;
  buffer = Buffer.from(memory.buffer);
  view = new DataView(memory.buffer);
}

function makeRoom(needed: number): void {
  const larger = new Uint8Array(2 * (end + needed));
  larger.set(bytes.subarray(0, end));
  keepMemory(larger);
}

/** Returns false where the message has something that is left to the library. */
function writeMessage({ typeName, steps }: EncodingPlan, message: Members): boolean {
  if (message.$typeName !== typeName || message.$unknown !== undefined) return false;
  for (const step of steps) {
    let value = message[step.member];
    if (step.case !== undefined) {
      const group = value as { readonly case?: string; readonly value?: unknown };
      if (group.case !== step.case) continue;
      value = group.value;
    }
    if (value === step.zero && (step.kind !== "double" || !Object.is(value, -0))) continue;
    if (value === undefined || value === null) return false;
    if (!step.isMany) {
      if (!writeValue(step, value)) return false;
    } else if (step.kind === "map" ? !writeEntries(step, value as Members) : !writeItems(step, value)) return false;
  }
  return true;
}

/** Writes a value behind its tag. */
function writeValue({ tag, kind, plan, zero }: EncodingStep, value: unknown): boolean {
  if (zero === NO_BYTES && value instanceof Uint8Array && value.length === 0) return true;
  if (end + ROOM_BYTES > bytes.length) makeRoom(ROOM_BYTES);
  if (tag < 0x80) bytes[end++] = tag;
  else writeVarint(tag);
  switch (kind) {
    case "text":
      if (typeof value !== "string") return false;
      writeText(value);
      return true;
    case "bytes":
      if (!(value instanceof Uint8Array)) return false;
      if (end + value.length + ROOM_BYTES > bytes.length) makeRoom(value.length + ROOM_BYTES);
      writeVarint(value.length);
      bytes.set(value, end);
      end += value.length;
      return true;
    case "flag":
      bytes[end++] = Number(value);
      return typeof value === "boolean";
    case "double":
      view.setFloat64(end, value as number, true);
      end += 8;
      return typeof value === "number";
    case "integer":
      return writeInteger(value);
    case "long":
      return writeLong(value);
    case "message": {
      const start = end++;
      if (plan === undefined || !writeMessage(plan, value as Members)) return false;
      putLength(start);
      return true;
    }
    case "map":
    case "other":
      return false;
    default:
      return kind satisfies never;
  }
}

function writeItems(step: EncodingStep, values: unknown): boolean {
  for (const value of values as readonly unknown[]) if (!writeValue(step, value)) return false;
  return true;
}

function writeEntries({ tag, plan }: EncodingStep, entries: Members): boolean {
  const [key, value] = plan?.steps ?? [];
  if (key === undefined || value === undefined) return false;
  for (const name of Object.keys(entries)) {
    if (end + ROOM_BYTES > bytes.length) makeRoom(ROOM_BYTES);
    writeVarint(tag);
    const start = end++;
    if (!writeValue(key, name) || !writeValue(value, entries[name])) return false;
    putLength(start);
  }
  return true;
}

/** Puts the length of what has been written into the byte that was left for it, and moves it where that needs more. */
function putLength(start: number): void {
  const length = end - start - 1;
  if (length < 0x80) {
    bytes[start] = length;
    return;
  }
  const width = getWidth(length);
  if (end + width > bytes.length) makeRoom(width);
  bytes.copyWithin(start + width, start + 1, end);
  end = start;
  writeVarint(length);
  end += length;
}

function writeText(text: string): void {
  const room = 3 * text.length + ROOM_BYTES;
  if (end + room > bytes.length) makeRoom(room);
  if (text.length < SHORT_TEXT && writeAscii(text)) return;
  // Mostly as many bytes as characters.
  const width = getWidth(text.length);
  const length = buffer.write(text, end + width);
  const needed = getWidth(length);
  if (needed !== width) bytes.copyWithin(end + needed, end + width, end + width + length);
  writeVarint(length);
  end += length;
}

/** Returns false, and writes nothing, for a text with other characters. */
function writeAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x80) return false;
    bytes[end + 1 + index] = code;
  }
  bytes[end] = text.length;
  end += 1 + text.length;
  return true;
}

function writeInteger(value: unknown): boolean {
  if (typeof value !== "number" || !Number.isInteger(value) || value >= 2 ** 31 || value < -(2 ** 31)) return false;
  if (value < 0) return writeLong(BigInt(value));
  if (value < 0x80) bytes[end++] = value;
  else writeVarint(value);
  return true;
}

function writeLong(value: unknown): boolean {
  if (typeof value !== "bigint") return false;
  if (value >= 0n && value <= Number.MAX_SAFE_INTEGER) {
    writeVarint(Number(value));
    return true;
  }
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 0x80n; rest >>= 7n) bytes[end++] = Number(rest & 0x7fn) | 0x80;
  bytes[end++] = Number(rest);
  return BigInt.asIntN(64, value) === value;
}

function writeVarint(value: number): void {
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[end++] = (rest & 0x7f) | 0x80;
  bytes[end++] = rest;
}

function getWidth(value: number): number {
  let width = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) width += 1;
  return width;
}
