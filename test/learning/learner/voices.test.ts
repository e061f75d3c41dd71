import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Voices } from "../../../src/learning/learner/voices.ts";
import { getRater } from "../../../src/vocabulary/raters.ts";

const user = (id: string) => getRater({ keyId: "k" }, id);
const times = (count: number, id: string) => Array.from({ length: count }, () => id);

/** Counts the votes of raters, and returns what those of one came to. */
function influenceOf(voices: Voices, votes: readonly string[], of: string): number {
  let influence = 0;
  for (const id of votes) {
    const { weight } = voices.hear(user(id), true);
    if (id === of) influence += weight;
  }
  return influence;
}

/** Voices of so many raters with as many votes each. */
function heard(raters: number, votes: number): Voices {
  const voices = new Voices();
  for (let vote = 0; vote < votes; vote++)
    for (let rater = 0; rater < raters; rater++) voices.hear(user(`user ${rater}`), true);
  return voices;
}

describe("Voices", () => {
  it("counts as many votes as are usual and their root more, and then less by the cube", () => {
    const weights = (usual: number, votes: number) => {
      const voices = heard(50, usual);
      return times(votes, "loud").map((id) => voices.hear(user(id), true).weight);
    };
    expect(weights(1, 4)).toEqual([1, 1, (2 / 3) ** 3, 1 / 8]);
    expect(weights(4, 12)).toEqual([1, 1, 1, 1, 1, 1, ...[7, 8, 9, 10, 11, 12].map((n) => (6 / n) ** 3)]);
  });

  it("has the first sixteen votes of a rater weighed again", () => {
    const voices = heard(50, 1);
    const early = times(17, "loud").map((id) => voices.hear(user(id), true).isEarly);
    expect(early).toEqual([...times(16, "").map(() => true), false]);
  });

  it("never has a rater's influence grow faster than the root of their votes", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 1500 }), (others) => {
        const votes = others.map((id) => (id < 100 ? "loud" : `user ${id}`));
        const count = votes.filter((id) => id === "loud").length;
        expect(influenceOf(heard(100, 1), votes, "loud")).toBeLessThanOrEqual(4 * Math.sqrt(count));
      }),
      { numRuns: 50 },
    );
  });

  it("takes what is usual from raters by chance, whom a flood of others does not move", () => {
    const voices = heard(300, 2);
    for (let vote = 0; vote < 100; vote++) for (let at = 0; at < 30; at++) voices.hear(user(`loud ${at}`), true);
    expect(influenceOf(voices, times(20, "new"), "new")).toBeLessThan(6);
  });

  it("counts fully who is the only one, until there is another", () => {
    const voices = new Voices();
    expect(influenceOf(voices, times(200, "one"), "one")).toBe(200);
    expect(voices.hear(user("two"), true).weight).toBe(1);
    expect(influenceOf(voices, times(5, "one"), "one")).toBeLessThan(0.001);
  });

  it("counts a key fully that speaks for a quarter of all, and one that speaks for few as a rater", () => {
    const voices = heard(100, 3);
    const key = getRater({ keyId: "k" }, undefined);
    for (let at = 0; at < 30; at++) voices.hear(key, true);
    expect(voices.hear(key, true).weight).toBeLessThan(0.2);
    for (let at = 0; at < 100; at++) voices.hear(key, true);
    expect(voices.hear(key, true)).toEqual({ weight: 1, driftShare: 1, isEarly: false });
  });

  it("hears one rater six times of 24 in full where a model may have changed", () => {
    const voices = heard(50, 30);
    const shares = Array.from({ length: 24 }, () => voices.hear(user("loud"), true).driftShare);
    expect(shares.slice(0, 7)).toEqual([1, 1, 1, 1, 1, 1, (6 / 7) ** 2]);
    expect(shares[23]).toBe(1 / 16);
    for (let at = 0; at < 24; at++) voices.hear(user(`user ${at}`), true);
    expect(voices.hear(user("loud"), true).driftShare).toBe(1);
  });

  it("remembers 256 raters, those who say much before others", () => {
    const voices = new Voices();
    for (let at = 0; at < 20; at++) voices.hear(user("loud"), true);
    for (let at = 0; at < 2000; at++) voices.hear(user(`user ${at}`), true);
    const snapshot = voices.toSnapshot();
    expect([snapshot.raters.length, snapshot.sample.length]).toEqual([256, 64]);
    expect(new Voices(snapshot).hear(user("loud"), false).weight).toBeCloseTo((2 / 20) ** 3, 9);
    expect(new Voices(snapshot).hear(user("user 5"), false).weight).toBe(1);
  });

  it("tells raters apart: members, end users, addresses, keys", () => {
    expect(getRater({ keyId: "k", rater: "address:1" }, "ada")).toEqual({ id: "user:ada", isTrusted: false });
    expect(getRater({ keyId: "k", rater: "address:1" }, undefined)).toEqual({ id: "address:1", isTrusted: false });
    expect(getRater({ keyId: "k", rater: "member:m" }, "ada")).toEqual({ id: "member:m", isTrusted: true });
    expect(getRater({ keyId: "k" }, undefined)).toEqual({ id: "key:k", isTrusted: true });
  });
});
