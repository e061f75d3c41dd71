import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CacheTtl } from "../../../gen/attune/content/v1/content_pb.ts";
import { type CachePrompt, PromptCache } from "../../../src/upstream/sandbox/prompt-cache.ts";

const { CACHE_TTL_5M: FIVE, CACHE_TTL_1H: HOUR, CACHE_TTL_30M: HALF, CACHE_TTL_UNSPECIFIED: UNSAID } = CacheTtl;
const MINUTE = 60_000;

/** A prompt of blocks of 100 tokens each, a letter for each block; marks by position. */
function prompt(letters: string, marks: Readonly<Record<number, CacheTtl>>, minTokens = 1): CachePrompt {
  return {
    keys: [...letters].map((_letter, index) => letters.slice(0, index + 1)),
    tokens: [...letters].map((_letter, index) => (index + 1) * 100),
    marks: Object.entries(marks).map(([index, ttl]) => ({ index: Number(index), ttl })),
    minTokens,
  };
}

/** A cache with a clock that is set by hand. Counts: read, written, of these for 5 minutes, for an hour. */
function cacheAt(maxEntries?: number) {
  let now = 0;
  const cache = new PromptCache(() => now, maxEntries);
  return {
    cache,
    ask(asked: CachePrompt, at = now): readonly number[] {
      now = at;
      const { commit, ...use } = cache.use(asked);
      commit();
      return [use.cacheReadTokens, use.cacheWriteTokens, use.cacheWrite5mTokens, use.cacheWrite1hTokens];
    },
  };
}

describe("PromptCache", () => {
  it("writes a prefix once and reads it afterwards", () => {
    const { ask } = cacheAt();
    expect(ask(prompt("abc", { 1: FIVE }))).toEqual([0, 200, 200, 0]);
    expect(ask(prompt("abc", { 1: FIVE }))).toEqual([200, 0, 0, 0]);
    expect(ask(prompt("abx", { 1: UNSAID }))).toEqual([200, 0, 0, 0]);
    expect(ask(prompt("axc", { 1: FIVE }))).toEqual([0, 200, 200, 0]);
  });

  it("writes only what lies beyond the prefix that it reads", () => {
    const { ask } = cacheAt();
    ask(prompt("ab", { 1: FIVE }));
    expect(ask(prompt("abcd", { 3: FIVE }))).toEqual([200, 200, 200, 0]);
    expect(ask(prompt("abcd", { 3: FIVE }))).toEqual([400, 0, 0, 0]);
  });

  it("splits what it writes by the lifetimes of the marks", () => {
    const { ask } = cacheAt();
    const marks = { 0: HOUR, 1: HOUR, 3: FIVE };
    expect(ask(prompt("abcde", marks))).toEqual([0, 400, 200, 200]);
    expect(ask(prompt("abcde", marks))).toEqual([400, 0, 0, 0]);
    expect(ask(prompt("abxde", marks))).toEqual([200, 200, 200, 0]);
    expect(ask(prompt("axxde", marks))).toEqual([100, 300, 200, 100]);
  });

  it("counts other lifetimes as written, and as neither of the two", () => {
    const { ask } = cacheAt();
    expect(ask(prompt("ab", { 1: HALF }))).toEqual([0, 200, 0, 0]);
    expect(ask(prompt("ab", { 1: HALF }), 29 * MINUTE)).toEqual([200, 0, 0, 0]);
  });

  it("keeps nothing below the minimum, and nothing at all where caching is not offered", () => {
    const { ask, cache } = cacheAt();
    expect(ask(prompt("abc", { 1: FIVE }, 201))).toEqual([0, 0, 0, 0]);
    expect(ask(prompt("abc", { 1: FIVE }, 0))).toEqual([0, 0, 0, 0]);
    expect(cache.size).toBe(0);
    expect(ask(prompt("abc", { 1: FIVE }, 200))).toEqual([0, 200, 200, 0]);
  });

  it("does not read what another answer has not yet begun to write", () => {
    const cache = new PromptCache(() => 0);
    const [first, second] = [cache.use(prompt("a", { 0: FIVE })), cache.use(prompt("a", { 0: FIVE }))];
    expect([first.cacheWriteTokens, second.cacheWriteTokens]).toEqual([100, 100]);
    first.commit();
    expect(cache.use(prompt("a", { 0: FIVE })).cacheReadTokens).toBe(100);
  });

  it.each<[string, CacheTtl, readonly (readonly [minute: number, read: number])[]]>([
    [
      "five minutes",
      FIVE,
      [
        [4.9, 100],
        [9.8, 100],
        [14.8, 0],
      ],
    ],
    [
      "an hour",
      HOUR,
      [
        [6, 100],
        [65, 100],
        [125, 0],
      ],
    ],
  ])("case 14: keeps an entry for %s from its last read on", (_name, ttl, steps) => {
    const { ask } = cacheAt();
    ask(prompt("a", { 0: ttl }));
    for (const [minute, read] of steps) expect(ask(prompt("a", { 0: ttl }), minute * MINUTE)[0]).toBe(read);
  });

  it.each([
    [0, 100],
    [18, 100],
    [19, 100],
    [20, 0],
    [21, 0],
  ])("case 14: after %i more blocks reads %i tokens", (more, read) => {
    const { ask } = cacheAt();
    ask(prompt("a", { 0: FIVE }));
    expect(ask(prompt(`a${"b".repeat(more)}`, { [more]: FIVE }))[0]).toBe(read);
  });

  it("drops the entries that were used least recently", () => {
    const { ask, cache } = cacheAt(2);
    for (const letter of ["a", "b", "a", "c"]) ask(prompt(letter, { 0: FIVE }));
    expect(cache.size).toBe(2);
    expect(["a", "b"].map((letter) => ask(prompt(letter, { 0: FIVE }))[0])).toEqual([100, 0]);
  });

  it("always splits a prompt into what is read, what is written, and a rest", () => {
    const asked = fc.tuple(
      fc.stringMatching(/^[ab]{1,6}$/),
      fc.dictionary(fc.constantFrom("0", "1", "2", "3"), fc.constantFrom(FIVE, HOUR)),
    );
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 8 }), (requests) => {
        const { ask } = cacheAt();
        for (const [letters, marks] of requests) {
          const inside = Object.fromEntries(Object.entries(marks).filter(([index]) => Number(index) < letters.length));
          // An hour goes before five minutes.
          const sorted = Object.values(inside).toSorted((one, other) => other - one);
          const ordered = Object.fromEntries(Object.keys(inside).map((index, at) => [index, sorted[at] ?? FIVE]));
          const [read = -1, written = -1, five = -1, hour = -1] = ask(prompt(letters, ordered));
          expect(Math.min(read, written, five, hour)).toBeGreaterThanOrEqual(0);
          expect(five + hour).toBe(written);
          const last = Math.max(-1, ...Object.keys(ordered).map(Number));
          expect(read + written).toBe((last + 1) * 100);
        }
      }),
    );
  });
});
