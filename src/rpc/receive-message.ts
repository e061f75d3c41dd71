import { Buffer, isUtf8 } from "node:buffer";
import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { InferenceError } from "../hub/error.ts";
import { ENCODINGS, isEncoding, decompress as unpack } from "../lib/decompress.ts";
import { findBadTime, hasTimes } from "../lib/protobuf/find-bad-time.ts";
import { describeExcess, type JsonLimits, scanJson } from "../lib/scan-json.ts";
import { countFields } from "./count-fields.ts";
import { encodeError } from "./encode-error.ts";

/** The body of an RPC, and how to read it. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  readonly schema: DescMessage;
  readonly contentType: string;
  /** Value of the header that names the compression of this protocol. */
  readonly encoding: string | undefined;
  /** The key that sends it; whoever decompresses waits behind others of its own first. */
  readonly keyId?: string;
}

/** Most that the body of an RPC may hold. */
export type MessageLimits = JsonLimits & { readonly bodyBytes: number };

/** The compressions that a message may have, for people. */
export const KNOWN_ENCODINGS = `${ENCODINGS.join(", ")} or identity`;

/** Flags, and length of the message. */
const ENVELOPE_BYTES = 5;
const COMPRESSED = 0b1;
const END_OF_STREAM = 0b10;

/** Tells whether messages of a content type come in envelopes: those of gRPC, gRPC-Web, and of Connect's streams. */
export function isEnveloped(contentType: string): boolean {
  return contentType.startsWith("application/grpc") || contentType.startsWith("application/connect+");
}

/**
 * Checks what a body costs to decode before it is decoded, and returns it without compression. All RPCs take one
 * message. Throws ConnectErrors: INVALID_ARGUMENT for more than the limits or what is no message, UNIMPLEMENTED for a
 * second message.
 */
export async function checkMessage(body: ReceivedBody, limits: MessageLimits): Promise<Buffer> {
  if (!isEnveloped(body.contentType)) {
    const plain = await decompress(body.bytes, body, limits.bodyBytes);
    checkCost(plain, body, limits);
    return plain;
  }
  const message = readEnvelope(body.bytes);
  if (message === undefined) return body.bytes;
  const { isCompressed, data } = message;
  // Compression that no header names is refused by the protocol's own reader too.
  if (isCompressed && body.encoding === undefined) return body.bytes;
  const plain = isCompressed ? await decompress(data, body, limits.bodyBytes) : data;
  checkCost(plain, body, limits);
  const head = Buffer.alloc(ENVELOPE_BYTES);
  head.writeUInt32BE(plain.length, 1);
  return Buffer.concat([head, plain]);
}

/**
 * Takes the one message out of its envelope; undefined if the body is none, which the protocol's own reader refuses.
 */
function readEnvelope(bytes: Buffer): { readonly isCompressed: boolean; readonly data: Buffer } | undefined {
  if (bytes.length < ENVELOPE_BYTES) return undefined;
  const end = ENVELOPE_BYTES + bytes.readUInt32BE(1);
  const flags = bytes.readUInt8(0);
  if (end > bytes.length || (flags & END_OF_STREAM) !== 0) return undefined;
  const isLast = end === bytes.length || ((bytes[end] ?? 0) & END_OF_STREAM) !== 0;
  if (!isLast) throw new ConnectError("this method takes one message, not several", Code.Unimplemented);
  return { isCompressed: (flags & COMPRESSED) !== 0, data: bytes.subarray(ENVELOPE_BYTES, end) };
}

async function decompress(
  bytes: Buffer,
  { encoding, keyId = "" }: Pick<ReceivedBody, "encoding" | "keyId">,
  maxBytes: number,
): Promise<Buffer> {
  if (encoding === undefined || encoding === "identity" || bytes.length === 0) return bytes;
  if (!isEncoding(encoding)) {
    const name = encoding.slice(0, 32);
    throw new ConnectError(`unknown compression '${name}': use ${KNOWN_ENCODINGS}`, Code.Unimplemented);
  }
  const plain = await unpack(bytes, encoding, { maxBytes, owner: keyId });
  if ("bytes" in plain) return plain.bytes;
  const isTooLarge = plain.problem === "too-large";
  const problem = isTooLarge ? `is larger than ${maxBytes} bytes once it is decompressed` : `is not ${encoding}`;
  throw new ConnectError(`the message ${problem}`, Code.InvalidArgument, undefined, undefined, plain.cause);
}

function checkCost(bytes: Buffer, { contentType, schema }: ReceivedBody, limits: MessageLimits): void {
  const problem = contentType.includes("json")
    ? problemOfJson(bytes, schema, limits)
    : problemOfFields(bytes, schema, limits.jsonValues);
  if (problem !== undefined) throw encodeError(InferenceError.invalid("", `the message ${problem}`));
}

function problemOfJson(bytes: Buffer, schema: DescMessage, limits: JsonLimits): string | undefined {
  if (!isUtf8(bytes)) return "is not valid UTF-8";
  const text = bytes.toString("utf8");
  const exceeded = scanJson(text, limits);
  return exceeded === undefined ? problemOfTimes(text, schema) : describeExcess(exceeded, limits);
}

/** Says what is wrong with the times of a message in JSON; undefined if nothing is, or it is no JSON. */
export function problemOfTimes(text: string, schema: DescMessage): string | undefined {
  if (!hasTimes(schema)) return undefined;
  try {
    const place = findBadTime(schema, JSON.parse(text));
    return place === undefined ? undefined : `has a day in ${place} that its month does not have`;
  } catch {
    return undefined;
  }
}

function problemOfFields(bytes: Buffer, schema: DescMessage, limit: number): string | undefined {
  try {
    if (countFields(schema, bytes, limit) <= limit) return undefined;
  } catch {
    // The decoder will say what is wrong with the bytes.
    return undefined;
  }
  return `holds more than the ${limit} fields that this service accepts in one request`;
}
