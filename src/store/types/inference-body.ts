import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib";
import { fromBinary } from "@bufbuild/protobuf";
import {
  type GenerateResponse,
  GenerateResponseSchema,
  InferenceInputSchema,
  type StoredInference,
  StoredInferenceSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../lib/hub-input.ts";
import { create } from "../../lib/protobuf/create.ts";
import { encodeMessage } from "../../lib/protobuf/encode-message.ts";

/** What was asked and answered. */
export interface InferenceContent {
  readonly input: HubInput;
  readonly output: GenerateResponse;
}

/** The same as it is stored: protobuf, compressed with zstd unless it is small. */
export interface EncodedContent {
  readonly request: Uint8Array;
  readonly response: Uint8Array;
}

/** Smaller bodies are stored as they are: to set up the compressor costs more than all else that is done for a record. */
const COMPRESS_FROM_BYTES = 2 * 1024;

/** Begins every zstd frame. No message of ours begins so: its first byte would be a number in a field that holds none. */
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** The lowest level: 32 KB of prose take 63 us and become 37.6% of their size; at the default level 83 us, and 35.7%. */
const COMPRESSION = { [constants.ZSTD_c_compressionLevel]: 1 };

/** From this size on, a thread of the pool compresses: it costs more than a hop to the pool. */
const POOL_FROM_BYTES = 64 * 1024;

/** The same for what is compressed; it may be many times as large. */
const POOL_FROM_COMPRESSED_BYTES = 8 * 1024;

const compressInPool = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Returns a request as a message that has all of it. */
export function requestToMessage(input: HubInput): StoredInference {
  const { dialect, echo, background } = input;
  return create(StoredInferenceSchema, { input, dialect, echo, background });
}

/** Encodes a request, with how it came in. */
export function encodeRequest(input: HubInput): Uint8Array {
  return encodeMessage(StoredInferenceSchema, requestToMessage(input));
}

/** Decodes what encodeRequest() made. */
export function decodeRequest(bytes: Uint8Array): HubInput {
  const { input = create(InferenceInputSchema), dialect, echo, background } = fromBinary(StoredInferenceSchema, bytes);
  return { ...input, dialect, echo, background };
}

/** Decodes both messages where they are not compressed. */
export function decodeMessages(request: Uint8Array, response: Uint8Array): InferenceContent {
  return { input: decodeRequest(request), output: fromBinary(GenerateResponseSchema, response) };
}

/** A content and what it takes up. */
export interface DecodedContent extends InferenceContent {
  /** Size of both messages, not compressed. */
  readonly bytes: number;
}

/** Decodes what is in the database. */
export async function decodeContent({ request, response }: EncodedContent): Promise<DecodedContent> {
  const [input, output] = [await expandBody(request), await expandBody(response)];
  return { ...decodeMessages(input, output), bytes: input.length + output.length };
}

/** Compresses a message for the database, unless it is small. */
export async function compressBody(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length < COMPRESS_FROM_BYTES) return bytes;
  // The size is told in advance: the compressor then sets up for that much, which is most of its work on a small body. A text becomes half as
  // long: what is kept of it until it is written is not four times as long then, as with the 16 KB that are taken else.
  const options = { pledgedSrcSize: bytes.length, chunkSize: bytes.length >> 1, params: COMPRESSION };
  return bytes.length < POOL_FROM_BYTES ? zstdCompressSync(bytes, options) : await compressInPool(bytes, options);
}

/** Returns a message as it was before it was compressed, if it was. */
export async function expandBody(bytes: Uint8Array): Promise<Uint8Array> {
  if (!ZSTD_MAGIC.equals(bytes.subarray(0, ZSTD_MAGIC.length))) return bytes;
  return bytes.length < POOL_FROM_COMPRESSED_BYTES ? zstdDecompressSync(bytes) : await decompress(bytes);
}
