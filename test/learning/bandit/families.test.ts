import { describe, expect, it } from "vitest";
import { Families } from "../../../src/learning/bandit/families.ts";

const unexpected = (): never => {
  throw new Error("no family had to leave");
};

describe("Families", () => {
  it("numbers families from 1 in the order in which they come, and keeps their numbers", () => {
    const families = new Families(3);
    expect(["a", "b", "a", "c", "b"].map((name) => families.see(name, unexpected))).toEqual([1, 2, 1, 3, 2]);
    expect([families.find("c"), families.find("d"), families.size]).toEqual([3, undefined, 4]);
  });

  it("gives the number of the least recently seen family to a newcomer once the limit is reached", () => {
    const families = new Families(2);
    const left: number[] = [];
    for (const name of ["a", "b", "a"]) families.see(name, unexpected);
    expect(families.see("c", (number) => left.push(number))).toBe(2);
    expect(left).toEqual([2]);
    expect([...families.entries()]).toEqual([
      ["a", 1],
      ["c", 2],
    ]);
  });

  it("does not count a look as a sight", () => {
    const families = new Families(2);
    for (const name of ["a", "b"]) families.see(name, unexpected);
    families.find("a");
    families.see("c", () => {});
    expect(families.find("a")).toBeUndefined();
  });

  it.each([
    ["a number twice", [["a", 1] as const, ["b", 1] as const]],
    ["a name twice", [["a", 1] as const, ["a", 2] as const]],
    ["the number of the rest", [["a", 0] as const]],
    ["a number that is left out", [["a", 2] as const]],
    ["more than the limit", [["a", 1] as const, ["b", 2] as const, ["c", 3] as const]],
  ])("does not take on %s", (_, entries) => {
    const families = new Families(2);
    expect(families.restore(entries)).toBe(false);
    expect(families.size).toBe(1);
  });

  it("needs a limit", () => {
    expect(() => new Families(0)).toThrow("the limit of families must be a whole number above 0");
  });
});
