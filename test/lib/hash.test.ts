import { describe, expect, it } from "vitest";
import { createRandom, hashTexts } from "../../src/lib/hash.ts";

describe("hashTexts()", () => {
  it("is the same for the same texts, and tells where one ends", () => {
    expect(hashTexts(["ab", "c"])).toBe(hashTexts(["ab", "c"]));
    expect(hashTexts(["ab", "c"])).not.toBe(hashTexts(["a", "bc"]));
    expect(hashTexts(["a"])).not.toBe(hashTexts(["a", ""]));
  });

  it.each([
    ["short", "a", "b"],
    ["long", "a".repeat(100), `${"a".repeat(99)}b`],
  ])("tells in which order %s texts come, and how they are parted", (_what, one, other) => {
    const hashes = [[one, other], [other, one], [one + other], [one, "", other], [one], [other, ""], ["", one], []];
    expect(new Set(hashes.map(hashTexts)).size).toBe(hashes.length);
  });

  it("looks at a bounded part of long texts, and at their length", () => {
    const long = "x".repeat(100_000);
    expect(hashTexts([long])).toBe(hashTexts([`${long.slice(0, -1)}y`]));
    expect(hashTexts([long])).not.toBe(hashTexts([`${long}x`]));
    // All texts together have one bound.
    expect(hashTexts([long, "a"])).toBe(hashTexts([long, "b"]));
    expect(hashTexts([long, "a"])).not.toBe(hashTexts([long, "ab"]));
  });

  it.each([
    ["a word", "word".repeat(4)],
    ["instructions", "Be brief. ".repeat(819)],
    ["another script", "\u4e16\u754c".repeat(4000)],
  ])("tells apart what differs in one character of %s, here or there", (_what, text) => {
    const hashes = new Set([hashTexts([text])]);
    for (let at = 0; at < text.length; at += 5)
      hashes.add(hashTexts([`${text.slice(0, at)}\u4e17${text.slice(at + 1)}`]));
    expect(hashes.size).toBe(Math.ceil(text.length / 5) + 1);
  });

  it("is the same however a text was put together", () => {
    const flat = Buffer.from("Be brief. ".repeat(50)).toString();
    const parts = Array.from({ length: 50 }, () => "Be brief. ");
    expect(hashTexts([parts.reduce((text, part) => text + part, "")])).toBe(hashTexts([flat]));
    expect(hashTexts([`\u4e16${flat}`.slice(1)])).toBe(hashTexts([flat]));
  });

  it.each([
    ["short texts", ""],
    ["long texts", "Say it all again. ".repeat(10)],
    ["texts whose ends are too far to be seen", "Say it all again. ".repeat(1000)],
  ])("spreads %s that are alike evenly", (_what, ending) => {
    const buckets = 16;
    const counts = Array.from({ length: 2 * buckets }, () => 0);
    for (let text = 0; text < 8000; text++) {
      const hash = hashTexts([`text ${text}${ending}`]);
      for (const at of [hash % buckets, buckets + (hash >>> 28)]) counts[at] = (counts[at] ?? 0) + 1;
    }
    // 500 of each are expected, give or take 22: five times that is far out for any of 32.
    for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(110);
  });

  it("hashes ten thousand long texts into as many numbers", () => {
    const hashes = Array.from({ length: 10_000 }, (_none, text) =>
      hashTexts(["p", `${"Be brief. ".repeat(20)}${text}`]),
    );
    // Of so many random numbers of 32 bits, two are the same in one run of ninety.
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe("createRandom()", () => {
  it("draws the same numbers for the same seed, all from 0 to below 1", () => {
    const draw = (seed: string) => Array.from({ length: 100 }, createRandom(seed));
    expect(draw("a")).toEqual(draw("a"));
    expect(draw("a")).not.toEqual(draw("b"));
    for (const number of draw("a")) {
      expect(number).toBeGreaterThanOrEqual(0);
      expect(number).toBeLessThan(1);
    }
    expect(new Set(draw("a")).size).toBe(100);
  });
});
