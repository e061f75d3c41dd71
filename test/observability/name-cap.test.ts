import { describe, expect, it } from "vitest";
import { createNameCap } from "../../src/observability/name-cap.ts";

describe("createNameCap()", () => {
  it("keeps the first names, and counts others together", () => {
    const cap = createNameCap(2);
    expect(["a", "b", "c", "a", "d"].map(cap)).toEqual(["a", "b", "other", "a", "other"]);
  });

  it("keeps no name that is too long", () => {
    expect(createNameCap(2)("x".repeat(65))).toBe("other");
    expect(createNameCap(2)("x".repeat(64))).toBe("x".repeat(64));
  });
});
