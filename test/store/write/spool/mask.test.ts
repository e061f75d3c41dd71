import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyMask, maskAgainst } from "../../../../src/store/write/spool/mask.ts";

const PATTERN = Buffer.from("AtR1");

describe("applyMask()", () => {
  it("turns the bits of each byte, four after four, and back", () => {
    const bytes = Buffer.from("000000000000", "hex");
    expect(applyMask(bytes, 0x0403_02ff).toString("hex")).toBe("ff020304ff02");
    expect(applyMask(bytes, 0x0403_02ff).toString("hex")).toBe("000000000000");
  });
});

describe("maskAgainst()", () => {
  it("leaves alone what the pattern is not in", () => {
    const bytes = Buffer.from("AtR AtR2");
    expect(maskAgainst(bytes, PATTERN)).toBe(0);
    expect(bytes.toString()).toBe("AtR AtR2");
  });

  it("rids anything of the pattern, and what it returns brings it back", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (before, after) => {
        const bytes = Buffer.concat([before, PATTERN, after]);
        const mask = maskAgainst(bytes, PATTERN);
        expect(mask).not.toBe(0);
        expect(bytes.includes(PATTERN)).toBe(false);
        expect(applyMask(bytes, mask)).toEqual(Buffer.concat([before, PATTERN, after]));
      }),
    );
  });
});
