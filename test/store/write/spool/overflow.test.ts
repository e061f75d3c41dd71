import { describe, expect, it } from "vitest";
import { Overflow } from "../../../../src/store/write/spool/overflow.ts";

const MIB = 2 ** 20;

describe("Overflow", () => {
  it("numbers what it takes, and forgets what is written", () => {
    const overflow = new Overflow();
    const [a, b, c] = ["a", "b", "c"].map((text) => overflow.add(Buffer.from(text)));
    expect([a?.sequence, b?.sequence, c?.sequence, overflow.lastSequence, overflow.size]).toEqual([1, 2, 3, 3, 3]);
    overflow.settle(2);
    expect([overflow.size, overflow.lastSequence]).toEqual([1, 3]);
    overflow.settle(3);
    expect(overflow.size).toBe(0);
    expect(overflow.add(Buffer.from("d"))?.sequence).toBe(4);
  });

  it("is full beyond half of its room, takes up to all of it, and has room again for what is written", () => {
    const overflow = new Overflow();
    overflow.add(Buffer.alloc(32 * MIB));
    expect(overflow.isFull).toBe(false);
    overflow.add(Buffer.alloc(1));
    expect(overflow.isFull).toBe(true);
    expect(overflow.add(Buffer.alloc(32 * MIB))).toBeUndefined();
    expect(overflow.add(Buffer.alloc(32 * MIB - 1))?.sequence).toBe(3);
    expect(overflow.add(Buffer.alloc(1))).toBeUndefined();
    overflow.settle(2);
    expect([overflow.isFull, overflow.size]).toEqual([false, 1]);
    expect(overflow.add(Buffer.alloc(MIB))?.sequence).toBe(4);
  });
});
