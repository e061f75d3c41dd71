import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * Begins every frame, so that reading can go on after a part that is broken. No text has the first byte, and eight
 * different bytes are looked for in steps of eight: to look for them in a payload of 30 MB takes 4 to 25 ms, and not
 * 200.
 */
export const MAGIC = Buffer.from([0xff, 0x41, 0x74, 0x74, 0x75, 0x6e, 0x65, 0x32]);

/** Magic of 8 bytes; CRC-32 of all that follows it, length of the payload, mask: little endian, 4 bytes each. */
export const HEADER_BYTES = 20;
const CHECKSUM_AT = 8;
const LENGTH_AT = 12;
const MASK_AT = 16;

/** Frames of a part of a file, and where the part that was read ends. */
interface FramesRead {
  readonly frames: readonly Frame[];
  /** Bytes of the buffer that were read; a frame that is not whole begins there. */
  readonly end: number;
  /** Bytes that belong to no whole frame, and were passed over. */
  readonly brokenBytes: number;
}

/** One frame in a buffer. */
interface Frame {
  readonly payload: Buffer;
  /** The end of the frame in the buffer. */
  readonly end: number;
}

/**
 * Puts the parts of a payload into a frame. A payload that has the magic in it is masked: after a broken part, nothing
 * that a caller once sent can then be taken for a frame. It is written into `scratch` where that is given and large
 * enough.
 */
export function encodeFrame(parts: readonly Uint8Array[], scratch?: Buffer): Buffer {
  const size = HEADER_BYTES + byteLength(parts);
  const frame = scratch !== undefined && size <= scratch.length ? scratch.subarray(0, size) : Buffer.allocUnsafe(size);
  let at = HEADER_BYTES;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  frame.set(MAGIC);
  // Buffer's own methods check each number by six functions of Node.
  const head = new DataView(frame.buffer, frame.byteOffset, HEADER_BYTES);
  head.setUint32(LENGTH_AT, frame.length - HEADER_BYTES, true);
  head.setUint32(MASK_AT, maskAgainst(frame.subarray(HEADER_BYTES), MAGIC), true);
  head.setUint32(CHECKSUM_AT, crc32(frame.subarray(LENGTH_AT)), true);
  return frame;
}

function byteLength(parts: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const part of parts) bytes += part.length;
  return bytes;
}

/** The limits of reading. */
interface FrameLimits {
  /** Most frames. */
  readonly frames: number;
  /** True if nothing will ever follow the bytes: a frame that is not whole is then broken. */
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

/** Returns the start of the next possible frame; bytes that may begin a magic are left for the next read. */
function nextMagic(bytes: Buffer, from: number, isComplete: boolean): number {
  const next = bytes.indexOf(MAGIC, from);
  if (next !== -1) return next;
  return isComplete ? bytes.length : Math.max(from, bytes.length - MAGIC.length + 1);
}

function frameAt(bytes: Buffer, at: number): Frame | "incomplete" | "broken" {
  const known = Math.min(MAGIC.length, bytes.length - at);
  if (MAGIC.compare(bytes, at, at + known, 0, known) !== 0) return "broken";
  if (at + HEADER_BYTES > bytes.length) return "incomplete";
  const end = at + HEADER_BYTES + bytes.readUInt32LE(at + LENGTH_AT);
  if (end > bytes.length) return "incomplete";
  if (crc32(bytes.subarray(at + LENGTH_AT, end)) !== bytes.readUInt32LE(at + CHECKSUM_AT)) return "broken";
  const stored = bytes.subarray(at + HEADER_BYTES, end);
  const mask = bytes.readUInt32LE(at + MASK_AT);
  return { payload: mask === 0 ? stored : applyMask(Buffer.from(stored), mask), end };
}

/**
 * Changes the bytes so that `pattern` is nowhere in them; returns the mask that changes them back, 0 where it was not
 * in them. The mask is drawn, so that nothing can be made up that has the pattern in it in each form.
 */
export function maskAgainst(bytes: Buffer, pattern: Buffer): number {
  let mask = 0;
  while (bytes.includes(pattern)) {
    applyMask(bytes, mask);
    mask = randomInt(1, 2 ** 32);
    applyMask(bytes, mask);
  }
  return mask;
}

/**
 * Turns the bits of the mask, four bytes after four, and returns the bytes. To do so again gives back what was there.
 */
export function applyMask(bytes: Buffer, mask: number): Buffer {
  for (let at = 0; at < bytes.length; at++) bytes[at] = (bytes[at] ?? 0) ^ (mask >>> (8 * (at % 4)));
  return bytes;
}
