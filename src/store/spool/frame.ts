import { crc32 } from "node:zlib";
import { maskAgainst, maskWith } from "./mask.ts";

/** Begins every frame, so that reading can go on after a part that is broken. */
const MAGIC = Buffer.from("AtR1");

/** Magic, length of the payload, mask, CRC-32 of both and of the payload as it lies there: little endian, 4 bytes each. */
const HEADER_BYTES = 16;
const LENGTH_AT = 4;
const MASK_AT = 8;
const CHECKSUM_AT = 12;

/** Frames of a part of a file, and where the part that was read ends. */
export interface FramesRead {
  readonly frames: readonly Frame[];
  /** Bytes of the buffer that were read; a frame that is not whole begins there. */
  readonly end: number;
  /** Bytes that belong to no whole frame, and were passed over. */
  readonly brokenBytes: number;
}

/** One frame in a buffer. */
export interface Frame {
  readonly payload: Buffer;
  /** Where the frame ends in the buffer. */
  readonly end: number;
}

/**
 * Puts the parts of a payload into a frame; returns what to write. A payload that has the magic in it is masked: after a broken
 * part, nothing that a caller once sent can then be taken for a frame.
 */
export function encodeFrame(payload: readonly Uint8Array[]): Uint8Array[] {
  const { mask, parts } = maskAgainst(payload, MAGIC);
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt32LE(byteLength(parts), LENGTH_AT);
  header.writeUInt32LE(mask, MASK_AT);
  header.writeUInt32LE(checksumOf(header, parts), CHECKSUM_AT);
  return [header, ...parts];
}

/** Returns how many bytes the parts have together. */
export function byteLength(parts: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const part of parts) bytes += part.length;
  return bytes;
}

/** How far to read. */
export interface FrameLimits {
  /** Most frames. */
  readonly frames: number;
  /** Whether nothing will ever follow the bytes: a frame that is not whole is then broken. */
  readonly isComplete: boolean;
}

/** Reads whole frames. Parts that are broken are passed over. */
export function readFrames(bytes: Buffer, { frames: most, isComplete }: FrameLimits): FramesRead {
  const frames: Frame[] = [];
  let at = 0;
  let brokenBytes = 0;
  while (frames.length < most && at < bytes.length) {
    const found = frameAt(bytes, at);
    if (found === "incomplete" && !isComplete) break;
    if (typeof found === "object") {
      frames.push(found);
      at = found.end;
      continue;
    }
    const resume = nextMagic(bytes, at + 1, isComplete);
    brokenBytes += resume - at;
    at = resume;
  }
  return { frames, end: at, brokenBytes };
}

/** Where the next frame may begin: what may be the first bytes of a magic is left for the next reading. */
function nextMagic(bytes: Buffer, from: number, isComplete: boolean): number {
  const next = bytes.indexOf(MAGIC, from);
  if (next !== -1) return next;
  return isComplete ? bytes.length : Math.max(from, bytes.length - MAGIC.length + 1);
}

function frameAt(bytes: Buffer, at: number): Frame | "incomplete" | "broken" {
  const begin = bytes.subarray(at, at + MAGIC.length);
  if (!MAGIC.subarray(0, begin.length).equals(begin)) return "broken";
  if (at + HEADER_BYTES > bytes.length) return "incomplete";
  const header = bytes.subarray(at, at + HEADER_BYTES);
  const end = at + HEADER_BYTES + header.readUInt32LE(LENGTH_AT);
  if (end > bytes.length) return "incomplete";
  const stored = bytes.subarray(at + HEADER_BYTES, end);
  if (checksumOf(header, [stored]) !== header.readUInt32LE(CHECKSUM_AT)) return "broken";
  const mask = header.readUInt32LE(MASK_AT);
  return { payload: mask === 0 ? stored : maskWith(stored, mask), end };
}

function checksumOf(header: Buffer, stored: readonly Uint8Array[]): number {
  let checksum = crc32(header.subarray(LENGTH_AT, CHECKSUM_AT));
  for (const part of stored) checksum = crc32(part, checksum);
  return checksum;
}
