import { setImmediate as nextTurn } from "node:timers/promises";
import { constants, createZstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeptZstd } from "../../src/lib/kept-zstd.ts";
import { ReusedMemory } from "../../src/lib/reused-memory.ts";

const params = { [constants.ZSTD_c_compressionLevel]: 1 };
const atOnce = (bytes: Uint8Array) => zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length });

/** Texts that compress well, and noise, which becomes longer. */
const texts = fc.oneof(
  fc.tuple(fc.string({ minLength: 1 }), fc.nat(70_000)).map(([text, length]) => Buffer.alloc(length, text)),
  fc.uint8Array({ maxLength: 5000 }).map((bytes) => Buffer.from(bytes)),
);

describe("KeptZstd", () => {
  it("makes the frames that node:zlib makes at once, one after another, and each stays as it is", () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 8 }), (given) => {
        const [compressor, memory] = [new KeptZstd({ params }), new ReusedMemory()];
        const frames = given.map((bytes) => compressor.compress(bytes, memory));
        expect(frames).toEqual(given.map(atOnce));
        expect(frames.map((frame) => zstdDecompressSync(frame ?? Buffer.of()))).toEqual(given);
      }),
      { numRuns: 50 },
    );
  });

  it("makes none where a version of Node has nothing inside that writes", () => {
    for (const stream of [{}, { _handle: null }, { _handle: {}, _writeState: new Uint32Array(2) }]) {
      expect(new KeptZstd({ params }, () => stream).compress(Buffer.alloc(5000), new ReusedMemory())).toBeUndefined();
    }
  });

  it("makes none, and no more of it, where zstd fails", async () => {
    // zstd refuses a text that is longer than it was told.
    const compressor = new KeptZstd({ params, pledgedSrcSize: 10 });
    expect(compressor.compress(Buffer.alloc(5000, "text"), new ReusedMemory())).toBeUndefined();
    // An event without a listener would fail the run.
    await nextTurn();
    expect(compressor.compress(Buffer.alloc(10), new ReusedMemory())).toBeDefined();
  });

  it("takes another compressor after one that has failed, or has not taken all", () => {
    const failing = { _handle: { writeSync() {} }, _writeState: new Uint32Array(2) };
    const short = { _handle: { writeSync: () => short._writeState.set([10, 1]) }, _writeState: new Uint32Array(2) };
    const streams: object[] = [failing, short];
    const [compressor, memory] = [
      new KeptZstd({ params }, (options) => streams.shift() ?? createZstdCompress(options)),
      new ReusedMemory(),
    ];
    const text = Buffer.alloc(5000, "text");
    expect([1, 2, 3].map(() => compressor.compress(text, memory))).toEqual([undefined, undefined, atOnce(text)]);
  });
});
