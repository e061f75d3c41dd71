import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { raterOf } from "../../../src/hub/raters.ts";
import { Voices } from "../../../src/learning/learner/voices.ts";

const user = (id: string) => raterOf({ keyId: "k" }, id);

/** Counts the votes of raters, and returns what those of one came to. */
function influenceOf(voices: Voices, votes: readonly string[], of: string): number {
  return votes.reduce((sum, id) => {
    const weight = voices.hear(user(id), true);
    return id === of ? sum + weight : sum;
  }, 0);
}

describe("Voices", () => {
  it("has a rater's influence grow as the root of their votes", () => {
    for (const votes of [9, 30, 100, 10_000]) {
      const voices = new Voices();
      voices.hear(user("other"), true);
      const influence = influenceOf(
        voices,
        Array.from({ length: votes }, () => "loud"),
        "loud",
      );
      expect(influence).toBeCloseTo(2 * Math.sqrt(votes), 9);
    }
  });

  it("counts few votes fully, and those of who is the only one", () => {
    const voices = new Voices();
    const alone = Array.from({ length: 200 }, () => "one");
    expect(influenceOf(voices, alone, "one")).toBe(200);
    expect(influenceOf(voices, ["two", "two", "two", "two"], "two")).toBe(4);
    expect(voices.hear(user("one"), true)).toBeLessThan(0.1);
  });

  it("never gives a rater more than 2 * sqrt(m), whoever else votes in between", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 1500 }), (others) => {
        const voices = new Voices();
        voices.hear(user("first"), true);
        const votes = others.map((id) => (id < 100 ? "loud" : `user ${id}`));
        const count = votes.filter((id) => id === "loud").length;
        expect(influenceOf(voices, votes, "loud")).toBeLessThanOrEqual(
          Math.max(count && 1, 2 * Math.sqrt(count)) + 1e-9,
        );
      }),
      { numRuns: 50 },
    );
  });

  it("counts a key fully that speaks for a quarter of all, and one that speaks for few as a rater", () => {
    const voices = new Voices();
    for (let at = 0; at < 300; at++) voices.hear(user(`user ${at % 100}`), true);
    const key = raterOf({ keyId: "k" }, undefined);
    for (let at = 0; at < 30; at++) voices.hear(key, true);
    expect(voices.hear(key, true)).toBeLessThan(0.2);
    for (let at = 0; at < 100; at++) voices.hear(key, true);
    expect(voices.hear(key, true)).toBe(1);
  });

  it("remembers 256 raters, those who say much before others", () => {
    const voices = new Voices();
    for (let at = 0; at < 20; at++) voices.hear(user("loud"), true);
    for (let at = 0; at < 2000; at++) voices.hear(user(`user ${at}`), true);
    const snapshot = voices.toSnapshot();
    expect(snapshot.raters).toHaveLength(256);
    expect(new Voices(snapshot).hear(user("loud"), false)).toBeCloseTo(2 * (Math.sqrt(20) - Math.sqrt(19)), 9);
    expect(new Voices(snapshot).hear(user("user 5"), false)).toBe(1);
  });

  it("keeps what answers count for that count for less than one, the latest of them", () => {
    const voices = new Voices();
    for (let at = 0; at < 300; at++) voices.keepWeight(`answer ${String(at).padStart(8, "0")}`, at === 299 ? 1 : 0.25);
    const again = new Voices(voices.toSnapshot());
    expect([44, 43, 298, 299].map((at) => again.weightOf(`answer ${String(at).padStart(8, "0")}`))).toEqual([
      0.25,
      0.25,
      0.25,
      undefined,
    ]);
    expect(again.weightOf("answer 00000000")).toBeUndefined();
  });

  it("tells raters apart: members, end users, addresses, keys", () => {
    expect(raterOf({ keyId: "k", rater: "address:1" }, "ada")).toEqual({ id: "user:ada", isTrusted: false });
    expect(raterOf({ keyId: "k", rater: "address:1" }, undefined)).toEqual({ id: "address:1", isTrusted: false });
    expect(raterOf({ keyId: "k", rater: "member:m" }, "ada")).toEqual({ id: "member:m", isTrusted: true });
    expect(raterOf({ keyId: "k" }, undefined)).toEqual({ id: "key:k", isTrusted: true });
  });
});
