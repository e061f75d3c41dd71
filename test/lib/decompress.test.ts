import { Buffer } from "node:buffer";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decompress, type Encoding } from "../../src/lib/decompress.ts";

const limits = { maxBytes: 1000, owner: "k" };
const COMPRESS: readonly [Encoding, (bytes: Buffer) => Buffer][] = [
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["zstd", zstdCompressSync],
];

/** A frame that holds nothing, as some writers put between others. */
const SKIPPED = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2]);

describe("decompress()", () => {
  it.each(COMPRESS)("gives back what %s has made of it, up to the limit", async (encoding, compress) => {
    const plain = Buffer.alloc(1000, "ab");
    expect(await decompress(compress(plain), encoding, limits)).toEqual({ bytes: plain });
    expect(await decompress(compress(Buffer.alloc(1001)), encoding, limits)).toMatchObject({ problem: "too-large" });
    const cut = compress(plain).subarray(0, -3);
    expect(await decompress(cut, encoding, limits)).toMatchObject({ problem: "broken" });
    expect(await decompress(Buffer.from("{}"), encoding, limits)).toMatchObject({ problem: "broken" });
  });

  it.each<[Encoding, (bytes: Buffer) => Buffer]>([
    ["gzip", gzipSync],
    ["zstd", zstdCompressSync],
  ])("reads every frame of %s", async (encoding, compress) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 90 }), { minLength: 1, maxLength: 5 }), async (parts) => {
        const frames = parts.map((part) => compress(Buffer.from(part)));
        const bytes = Buffer.concat(parts);
        expect(await decompress(Buffer.concat(frames), encoding, limits)).toEqual({ bytes });
      }),
      { numRuns: 30 },
    );
  });

  it("leaves out frames of zstd that hold nothing, and counts all frames against the limit", async () => {
    const bytes = Buffer.from("plain");
    const packed = Buffer.concat([SKIPPED, zstdCompressSync(bytes), SKIPPED]);
    expect(await decompress(packed, "zstd", limits)).toEqual({ bytes });
    const many = Buffer.concat(Array.from({ length: 3 }, () => zstdCompressSync(Buffer.alloc(400))));
    expect(await decompress(many, "zstd", limits)).toMatchObject({ problem: "too-large" });
    const empty = Buffer.concat(Array.from({ length: 1025 }, () => zstdCompressSync(Buffer.alloc(0))));
    expect(await decompress(empty, "zstd", limits)).toMatchObject({ problem: "broken" });
    const junk = Buffer.concat([zstdCompressSync(bytes), Buffer.from("junk")]);
    expect(await decompress(junk, "zstd", limits)).toMatchObject({ problem: "broken" });
  });
});
