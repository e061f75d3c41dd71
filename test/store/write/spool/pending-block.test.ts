import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toIdWords } from "../../../../src/store/write/spool/pending-block.ts";

describe("toIdWords()", () => {
  it("returns a UUID as four numbers of 32 bits, however its letters are written", () => {
    const words = [0x0198f0c0, 0xabcd7def, 0x80010203, 0xffffffff];
    expect(toIdWords("0198f0c0-abcd-7def-8001-0203ffffffff")).toEqual(words);
    expect(toIdWords("0198F0C0-ABCD-7DEF-8001-0203FFFFFFFF")).toEqual(words);
  });

  it("gives back the digits of each UUID", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const digits = toIdWords(id)?.map((word) => word.toString(16).padStart(8, "0"));
        expect(digits?.join("")).toBe(id.replaceAll("-", ""));
      }),
    );
  });

  it.each([
    ["nothing", ""],
    ["a letter that is no digit", "0198f0c0-abcd-7def-8001-0203fffffffg"],
    ["a character behind the letters", "0198f0c0-abcd-7def-8001-0203ffffff\u0146f"],
    ["a sign", "-198f0c0-abcd-7def-8001-0203ffffffff"],
    ["a blank", " 198f0c0-abcd-7def-8001-0203ffffffff"],
    ["hyphens elsewhere", "0198f0c-0abcd-7def-8001-0203ffffffff"],
    ["a digit too many", "0198f0c0-abcd-7def-8001-0203fffffffff"],
    ["a digit too few", "0198f0c0-abcd-7def-8001-0203fffffff"],
  ])("returns undefined for a text with %s", (_, text) => {
    expect(toIdWords(text)).toBeUndefined();
  });
});
