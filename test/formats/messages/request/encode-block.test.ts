import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolUseIdToMessages } from "../../../../src/formats/messages/request/encode-block.ts";

describe("toolUseIdToMessages()", () => {
  it.each(["toolu_01A", "call-1", "a".repeat(64)])("keeps %s", (id) => {
    expect(toolUseIdToMessages(id)).toBe(id);
  });

  it.each([
    ["functions.f:0", "functions_f_0_"],
    ["", "_"],
    ["x".repeat(65), `${"x".repeat(51)}_`],
  ])("cleans '%s' and adds a hash of it", (id, head) => {
    expect(toolUseIdToMessages(id)).toMatch(new RegExp(`^${head}[0-9a-f]{12}$`));
  });

  it("adds the beginning of the SHA-256 of the whole id", () => {
    expect(toolUseIdToMessages("")).toBe("_e3b0c44298fc");
  });

  it("gives valid, equal and distinct ids", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: "binary" }), (a, b) => {
        expect(toolUseIdToMessages(a)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(toolUseIdToMessages(b)).toBe(toolUseIdToMessages(b));
        expect(toolUseIdToMessages(a) === toolUseIdToMessages(b)).toBe(a === b);
      }),
    );
  });
});
