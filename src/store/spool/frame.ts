import { crc32 } from "node:zlib";

/** Begins every frame, so that reading can go on after a part that is broken. */
const MAGIC = Buffer.from("AtR1");

/** Magic, length of the payload, CRC-32 of the payload; both little endian. */
const HEADER_BYTES = 12;

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

/** Puts the parts of a payload into a frame; returns what to write. */
export function encodeFrame(parts: readonly Uint8Array[]): Uint8Array[] {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt32LE(byteLength(parts), 4);
  header.writeUInt32LE(
    parts.reduce((checksum, part) => crc32(part, checksum), 0),
    8,
  );
  return [header, ...parts];
}

/** Returns how many bytes the parts have together. */
export function byteLength(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
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

/** Returns how many bytes a frame takes that begins at `at`, as its header says; undefined without a whole header. */
export function frameBytesAt(bytes: Buffer, at: number): number | undefined {
  if (bytes.length - at < HEADER_BYTES || !bytes.subarray(at, at + MAGIC.length).equals(MAGIC)) return undefined;
  return HEADER_BYTES + bytes.readUInt32LE(at + 4);
}

function frameAt(bytes: Buffer, at: number): Frame | "incomplete" | "broken" {
  const begin = bytes.subarray(at, at + MAGIC.length);
  if (!MAGIC.subarray(0, begin.length).equals(begin)) return "broken";
  const size = frameBytesAt(bytes, at);
  if (size === undefined || at + size > bytes.length) return "incomplete";
  const payload = bytes.subarray(at + HEADER_BYTES, at + size);
  return crc32(payload) === bytes.readUInt32LE(at + 8) ? { payload, end: at + size } : "broken";
}
