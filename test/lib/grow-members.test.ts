import { describe, expect, it } from "vitest";
import { growMembers } from "../../src/lib/grow-members.ts";

describe("growMembers()", () => {
  it("joins lists, grows objects, and replaces what is neither", () => {
    const object = { list: [1], inside: { list: [1], kept: 1, text: "a" }, text: "a", changed: { a: 1 } };
    growMembers(object, { list: [2], inside: { list: [2], text: "b" }, text: "b", changed: 2, added: 3 });
    expect(object).toEqual({
      list: [1, 2],
      inside: { list: [1, 2], kept: 1, text: "b" },
      text: "b",
      changed: 2,
      added: 3,
    });
  });

  it("takes __proto__ for a member like any other", () => {
    const object = {};
    growMembers(object, JSON.parse('{"__proto__":{"a":1}}'));
    growMembers(object, JSON.parse('{"__proto__":{"b":2},"constructor":{"c":3}}'));
    expect(JSON.stringify(object)).toBe('{"__proto__":{"a":1,"b":2},"constructor":{"c":3}}');
    expect(Object.hasOwn(Object.prototype, "b")).toBe(false);
  });
});
