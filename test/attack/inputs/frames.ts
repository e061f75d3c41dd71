import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Random } from "../random.ts";
import { damage } from "./mutate.ts";

/** Writes a message in the frame of gRPC, gRPC-Web and Connect's streams. */
export function frame(bytes: Buffer, flags = 0, length = bytes.length): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(length >>> 0, 1);
  return Buffer.concat([head, bytes]);
}

/** Frames a message, one time in three wrongly. */
export function hostileFrames(random: Random, bytes: Buffer): Buffer {
  if (!random.oneIn(3)) return frame(bytes);
  switch (random.integer(0, 8)) {
    case 0:
      return frame(bytes, random.pick([1, 2, 3, 4, 0x80, 0x81, 0xff]));
    case 1:
      return frame(bytes, 0, random.pick([0, 1, bytes.length + 1, bytes.length + 100, 2 ** 31, 2 ** 32 - 1]));
    case 2:
      return Buffer.concat([frame(bytes), frame(bytes)]);
    case 3:
      return Buffer.alloc(0);
    case 4:
      return frame(bytes).subarray(0, random.integer(0, bytes.length + 4));
    case 5:
      return Buffer.concat(Array.from({ length: random.integer(2, 2000) }, () => frame(Buffer.alloc(0))));
    case 6:
      return frame(gzipSync(bytes), 1);
    case 7:
      return Buffer.concat([frame(bytes), frame(Buffer.from("{}"), 2), frame(bytes)]);
    default:
      return damage(random, frame(bytes));
  }
}

/** Compressed bytes that become far more than a body may have; made once. */
let bombs: readonly Buffer[] | undefined;

/** Picks a body that is small until it is decompressed, with the name of its compression. */
export function bomb(random: Random): { readonly encoding: string; readonly bytes: Buffer } {
  if (bombs === undefined) {
    const zeros = Buffer.alloc(64 * 2 ** 20);
    bombs = [gzipSync(zeros), brotliCompressSync(zeros)];
  }
  const index = random.integer(0, 1);
  return { encoding: index === 0 ? "gzip" : "br", bytes: bombs[index] ?? Buffer.alloc(0) };
}
