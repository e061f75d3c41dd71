import type { Buffer } from "node:buffer";

/** The head of a WebSocket frame (RFC 6455, section 5.2). */
export interface FrameHead {
  /** Bytes of the frame, head and all. */
  readonly bytes: number;
  readonly opcode: number;
  /** The frame is the last of its message. */
  readonly isLast: boolean;
}

const MASK_BYTES = 4;

/** Reads the head of the frame that begins these bytes; undefined while its length is not there. */
export function readFrameHead(bytes: Buffer): FrameHead | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const lengthEnd = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < lengthEnd) return undefined;
  const payload = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const mask = (second & 0x80) === 0 ? 0 : MASK_BYTES;
  return { bytes: lengthEnd + mask + payload, opcode: first & 0x0f, isLast: (first & 0x80) !== 0 };
}
