import { Buffer } from "node:buffer";
import { promisify } from "node:util";
import { brotliDecompress, createZstdDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { Semaphore } from "./semaphore.ts";

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** Compression of bodies, by the name that HTTP gives it. */
const DECOMPRESS = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: decompressDeflate,
  zstd: decompressZstd,
} satisfies Record<string, Decompress>;

/** A compression that bodies may have. */
export type Encoding = keyof typeof DECOMPRESS;

/** All of them. */
export const ENCODINGS = Object.keys(DECOMPRESS) as readonly Encoding[];

export function isEncoding(name: string): name is Encoding {
  return Object.hasOwn(DECOMPRESS, name);
}

const inflateZlib = promisify(inflate);
const inflatePlain = promisify(inflateRaw);

/** The low half of the first byte of a zlib stream, which deflate is by its definition; some clients leave it out. */
const ZLIB = 8;

async function decompressDeflate(bytes: Buffer, options: { readonly maxOutputLength: number }): Promise<Buffer> {
  const first = bytes[0] ?? 0;
  const isZlib = (first & 0x0f) === ZLIB && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0;
  return await (isZlib ? inflateZlib : inflatePlain)(bytes, options);
}

/** Most frames of a body of zstd: writers that cut their output make one for each MiB or so. */
const MOST_FRAMES = 1024;

/** Decompresses all frames of a body: zlib ends with the first one, and says nothing of the others. */
async function decompressZstd(
  bytes: Buffer,
  { maxOutputLength }: { readonly maxOutputLength: number },
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  let read = 0;
  for (let frames = 0; frames === 0 || read < bytes.length; frames++) {
    if (frames === MOST_FRAMES) throw new Error(`more than ${MOST_FRAMES} frames of zstd`);
    const frame = createZstdDecompress();
    frame.end(bytes.subarray(read));
    for await (const piece of frame) {
      length += piece.length;
      if (length > maxOutputLength) throw new TooLarge();
      pieces.push(piece);
    }
    read += frame.bytesWritten;
  }
  return Buffer.concat(pieces);
}

/** As zlib's own functions say it. */
class TooLarge extends RangeError {
  readonly code = "ERR_BUFFER_TOO_LARGE";
}

/** Bodies that are decompressed at once: each may become as large as a body may be. */
const decompressing = new Semaphore(2);

/** The outcome of a decompression. */
export type Decompressed =
  | { readonly bytes: Buffer }
  | { readonly problem: "too-large" | "broken"; readonly cause: unknown };

/** Decompresses a body of at most so many bytes; whoever sends it waits behind others of its own first. */
export async function decompress(
  bytes: Buffer,
  encoding: Encoding,
  { maxBytes, owner }: { readonly maxBytes: number; readonly owner: string },
): Promise<Decompressed> {
  await decompressing.acquire({ owner });
  try {
    return { bytes: await DECOMPRESS[encoding](bytes, { maxOutputLength: maxBytes }) };
  } catch (cause) {
    const isTooLarge = cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    return { problem: isTooLarge ? "too-large" : "broken", cause };
  } finally {
    decompressing.release();
  }
}
