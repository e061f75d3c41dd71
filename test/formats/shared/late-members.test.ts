import { describe, expect, it } from "vitest";
import { LateMembers } from "../../../src/formats/shared/late-members.ts";

const NOTHING: ReadonlySet<string> = new Set();

describe("LateMembers", () => {
  it("keeps what is not known, the last of each, and lets lists grow", () => {
    const kept = new LateMembers();
    expect([kept.isEmpty, kept.all]).toEqual([true, {}]);
    kept.collect({ id: "known", tier: "a", items: [1], nothing: null, unsaid: undefined }, new Set(["id"]));
    kept.collect({ tier: "b", items: [2, 3] }, NOTHING);
    expect([kept.isEmpty, kept.all]).toEqual([false, { tier: "b", items: [1, 2, 3] }]);
    expect([kept.get("tier"), kept.get("other")]).toEqual(["b", undefined]);
  });

  it("keeps a list once that is told again as it grows, where lists may be", () => {
    const lists = [[1], [1, { a: 2 }], [1, { a: 2 }], [3], []];
    const kept = new LateMembers({ mayRepeat: true });
    const pieces = new LateMembers();
    for (const list of lists) for (const each of [kept, pieces]) each.collect({ list: [...list] }, NOTHING);
    expect(kept.all).toEqual({ list: [1, { a: 2 }, 3] });
    expect(pieces.all).toEqual({ list: [1, 1, { a: 2 }, 1, { a: 2 }, 3] });
  });

  it("takes names for members that objects have of themselves", () => {
    const kept = new LateMembers();
    kept.collect(JSON.parse('{"__proto__":{"a":1},"constructor":[1],"toString":"x"}'), NOTHING);
    kept.collect({ constructor: [2] }, NOTHING);
    expect(JSON.stringify(kept.all)).toBe('{"__proto__":{"a":1},"constructor":[1,2],"toString":"x"}');
  });

  it("keeps 5,000 and refuses more", () => {
    const kept = new LateMembers();
    for (let index = 0; index < 5000; index++) kept.put(`m${index}`, index);
    kept.put("m0", "again");
    expect(() => kept.put("one", "more")).toThrow("more than 5000 members of its own");
  });
});
