import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BufferArena } from "../../src/lib/buffer-arena.ts";

const MB = 2 ** 20;

/** Takes so many bytes, and fills them with a number. */
function takeFilled(memory: BufferArena, length: number, value: number): Buffer {
  return memory.take(memory.reserve(length)).fill(value);
}

describe("BufferArena", () => {
  it("never gives bytes away that are taken, whatever their number and sizes", () => {
    const sizes = fc.array(fc.oneof(fc.nat(3000), fc.integer({ min: MB - 2000, max: MB + 2000 })), { maxLength: 16 });
    fc.assert(
      fc.property(fc.array(sizes, { minLength: 1, maxLength: 3 }), (batches) => {
        const memory = new BufferArena();
        for (const batch of batches) {
          memory.beginAnew();
          const taken = batch.map((length, at) => takeFilled(memory, length, at));
          expect(taken.map(({ length }) => length)).toEqual(batch);
          expect(taken.every((bytes, at) => bytes.every((value) => value === at))).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("gives what was reserved and not taken to the next one", () => {
    const memory = new BufferArena();
    const [first, second] = [memory.reserve(100), memory.reserve(100)];
    expect(second.byteOffset).toBe(first.byteOffset);
    memory.take(second, 10);
    expect(memory.reserve(100).byteOffset).toBe(first.byteOffset + 10);
  });

  it("uses the same memory again once nobody looks at it, up to eight blocks", () => {
    const memory = new BufferArena();
    const takeTen = () => Array.from({ length: 10 }, () => memory.take(memory.reserve(MB)).buffer);
    const before = takeTen();
    memory.beginAnew();
    const after = takeTen();
    expect(after.map((buffer, at) => buffer === before[at])).toEqual([...Array(8).fill(true), false, false]);
  });
});
