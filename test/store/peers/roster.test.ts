import { describe, expect, it } from "vitest";
import { Roster } from "../../../src/store/peers/roster.ts";

describe("Roster", () => {
  it("waits for who was heard of late, and forgets who was not heard for long", () => {
    let now = 0;
    const roster = new Roster(() => now, { silentMs: 10, forgetMs: 100, lostMs: 50 });
    roster.heard("a");
    now = 9;
    roster.heard("b");
    expect(roster.answering()).toEqual(["a", "b"]);
    expect(roster.hasSilent).toBe(false);
    now = 15;
    expect(roster.answering()).toEqual(["b"]);
    expect(roster.hasSilent).toBe(true);
    now = 101;
    expect(roster.answering()).toEqual([]);
    expect(roster.hasSilent).toBe(true);
    now = 110;
    expect(roster.hasSilent).toBe(false);
  });

  it("does not wait for who is silent until it is heard", () => {
    const roster = new Roster(() => 0);
    roster.heard("a");
    expect([roster.silent("a"), roster.silent("a"), roster.silent("b")]).toEqual([true, false, false]);
    expect(roster.answering()).toEqual([]);
    roster.heard("a");
    expect(roster.answering()).toEqual(["a"]);
  });

  it("tells who left from who was lost", () => {
    let now = 0;
    const roster = new Roster(() => now, { lostMs: 50 });
    for (const name of ["left", "lost"]) roster.heard(name);
    roster.left("left");
    roster.lost("lost");
    roster.lost("unknown");
    expect(roster.answering()).toEqual([]);
    expect(roster.hasSilent).toBe(true);
    now = 51;
    expect(roster.hasSilent).toBe(false);
  });

  it("keeps no more than a thousand", () => {
    const roster = new Roster(() => 0);
    for (let index = 0; index < 2000; index += 1) roster.heard(`${index}`);
    expect(roster.answering()).toHaveLength(1000);
  });
});
