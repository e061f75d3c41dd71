import { create, fromBinary } from "@bufbuild/protobuf";
import {
  InferenceInputSchema,
  InferenceStatus,
  type StoredInference,
  StoredInferenceSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { compressBody, expandBodyNow, POOL_FROM_BYTES } from "../lib/compress-body.ts";
import { encodeMessage } from "../lib/protobuf/encode-message.ts";
import type { HubInput } from "./input.ts";

/** Members that may be large: all that a conversation grows by, and what its format repeats of it. */
const LARGE = ["system", "messages", "tools", "extension", "echo"] as const satisfies readonly (keyof HubInput)[];
type Large = Pick<HubInput, (typeof LARGE)[number]>;

interface Packed {
  /** Compressed, once a thread of the pool is through with that, where they are many. */
  bytes: Uint8Array;
  /** Its large members. */
  readonly names: readonly (keyof Large)[];
  /** True if they are only in the bytes now. */
  isOnlyBytes: boolean;
}

/** The bytes that UTF-8 has in place of half a surrogate pair, which JSON may hold. */
const REPLACED = Buffer.from("\ufffd");

const packed = new WeakMap<HubInput, Packed>();

/** Returns a request as a message that has all of it. */
export function requestToMessage(input: HubInput): StoredInference {
  const { dialect, echo, background } = input;
  const unused = { status: InferenceStatus.UNSPECIFIED, errorMessage: "" };
  return { $typeName: "attune.inference.v1.StoredInference", ...unused, input, dialect, echo, background };
}

/** Encodes a request, with how it came in; one that was kept as bytes for a while may be compressed. */
export function encodeRequest(input: HubInput): Uint8Array {
  return packed.get(input)?.bytes ?? encodeMessage(StoredInferenceSchema, requestToMessage(input));
}

/** Decodes what encodeRequest() made. */
export function decodeRequest(bytes: Uint8Array): HubInput {
  const { buffer, byteOffset, length } = expandBodyNow(bytes);
  // Data in it would be Buffers where this is one, and not what it was encoded from.
  const message = fromBinary(StoredInferenceSchema, new Uint8Array(buffer, byteOffset, length));
  const { input = create(InferenceInputSchema), dialect, echo, background } = message;
  return { ...input, dialect, echo, background };
}

/**
 * Keeps a request that waits as its bytes, which are half as large as its messages and are recorded in the end: whoever
 * reads one of its large members after all has them decoded. It must not be changed any more. Throws an Error, and
 * changes nothing, where the bytes would not say all of it: a message breaks its own proto, or a text may have half of
 * a surrogate pair. `onBytes` hears how many are left of a large one that was compressed.
 */
export function packRequest(input: HubInput, onBytes: (bytes: number) => void = () => {}): void {
  const known = packed.get(input);
  if (known?.isOnlyBytes === true) return;
  const entry = known ?? begin(input, onBytes);
  entry.isOnlyBytes = true;
  for (const name of entry.names) {
    Object.defineProperty(input, name, {
      get: () => unpack(input, entry)[name],
      enumerable: true,
      configurable: true,
    });
  }
}

function begin(input: HubInput, onBytes: (bytes: number) => void): Packed {
  const bytes = encodeRequest(input);
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(REPLACED)) {
    throw new Error("a text has half of a surrogate pair, or what stands for one");
  }
  const entry = { bytes, names: LARGE.filter((name) => input[name] !== undefined), isOnlyBytes: false };
  packed.set(input, entry);
  if (bytes.length >= POOL_FROM_BYTES) void compress(entry, onBytes);
  return entry;
}

/** A large request of text becomes a fifth, which nobody has to do again where it is recorded. */
async function compress(entry: Packed, onBytes: (bytes: number) => void): Promise<void> {
  try {
    entry.bytes = await compressBody(entry.bytes);
    onBytes(entry.bytes.length);
  } catch {
    // It stays as it is.
  }
}

/** Puts the large members back, decoded. */
function unpack(input: HubInput, entry: Packed): Large {
  const large: Large = decodeRequest(entry.bytes);
  entry.isOnlyBytes = false;
  for (const name of entry.names) {
    Object.defineProperty(input, name, {
      value: large[name],
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return large;
}
