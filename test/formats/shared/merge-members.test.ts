import { describe, expect, it } from "vitest";
import { mergeMembers } from "../../../src/formats/shared/merge-members.ts";

describe("mergeMembers()", () => {
  it.each([
    ["adds what is not there", { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ["keeps what is there", { a: 1 }, { a: 2 }, { a: 1 }],
    ["replaces null", { citations: null }, { citations: [1] }, { citations: [1] }],
    [
      "merges objects",
      { source: { type: "url" } },
      { source: { type: "file", x: 1 } },
      { source: { type: "url", x: 1 } },
    ],
    ["does nothing for no extension", { a: 1 }, undefined, { a: 1 }],
  ])("%s", (_what, target, extension, expected) => {
    expect(mergeMembers(target, extension)).toEqual(expected);
  });

  it("keeps a member named __proto__ a member", () => {
    const merged = mergeMembers({}, JSON.parse('{"__proto__":{"admin":true}}'));
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"admin":true}}');
    expect(merged["admin"]).toBeUndefined();
  });
});
